# What: foreach (self->x) in tick- and END probes: each thread that has it, its pid, tid, execname and other self variables; threads that
# have it no more, that ended, that come while it walks; no room; what is only of the thread that runs; other executors refuse it.  Needs: uprobe.
# Executors: kernel (the process does not know all threads).
. "$LIB"
cat >waiters.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static int ends[2];
__attribute__((noinline)) long enter(long n) { __asm__ volatile(""); return n; }
__attribute__((noinline)) void leave(void) { __asm__ volatile(""); }
__attribute__((noinline)) void ready(void) { __asm__ volatile(""); }
__attribute__((noinline)) void reads(void) { char c; if (read(ends[0], &c, 1) < 0) _exit(1); }
static void *run(void *n)
{
	char name[16];
	snprintf(name, sizeof(name), "waiter%ld", (long)n);
	prctl(PR_SET_NAME, name);
	enter((long)n);
	if ((long)n % 4 == 1)
		leave();
	if ((long)n % 4 == 2)
		return NULL;
	reads();
	return NULL;
}
int main(int argc, char **argv)
{
	long count = atol(argv[1]), rounds = atol(argv[2]);
	pthread_t t;
	if (pipe(ends) < 0)
		return 1;
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 32768);
	for (long i = 0; i < count; i++)
		if (pthread_create(&t, &small, run, (void *)i))
			return 1;
	for (long i = 0; i < rounds; i++) { /* threads that come and go */
		if (pthread_create(&t, &small, run, (void *)2))
			return 1;
		pthread_join(t, NULL);
	}
	usleep(200000);
	ready();
	usleep(600000);
	_exit(0);
}
C
gcc -O1 -pthread -o waiters waiters.c || fail "no program"
program='pid$target:a.out:enter:entry { self->n = arg0 + 1; self->name = execname; self->when[arg0] = arg0 == 2 ? 0 : arg0 * 10; self->tid = tid; }
	pid$target:a.out:leave:entry { self->n = 0; self->name = 0; }
	pid$target:a.out:ready:entry { go = 1; }
	tick-100ms /go/ { foreach (self->n) { this->count++; this->wrong += pid != $target || tid != self->tid || execname != self->name ||
		self->when[self->n - 1] != (self->n - 1) * 10 || curthread->pid != tid || (self->n - 1) % 4 == 1 || (self->n - 1) % 4 == 2; }
		foreach (self->name) this->strings++; printf("%d %d %d,%d", this->count, this->wrong, this->strings, pid == $target); go = 0; exit(0); }
	END { foreach (self->n) this->end++; foreach (self->n) { if (self->n < 3) continue; this->few++; break; } printf(",%d %d", this->end, this->few); }'
must_trace -n "$program" -c './waiters 40 0'
same "$(head -n 1 out)" "20 0 20,0,20 1" "forty threads"
same "$(grep -c drop err)" 0 "drops of forty threads"
# threads that come and go while it walks, more than the table has room for at once
must_trace -x dynvarsize=64k -n "$program tick-1ms { foreach (self->n) { all += self->n; } }" -c './waiters 40 3000'
same "$(head -n 1 out)" "20 0 20,0,20 1" "threads that come and go"
same "$(grep -c drop err)" 0 "drops of threads that come and go"
# no room for all: those that are not seen are drops
trace -x dynvarsize=2k -n "$program" -c './waiters 40 0'
seen=$(cut -d' ' -f1 out | head -n 1)
[ "$seen" -gt 0 ] && [ "$seen" -lt 20 ] || fail "$seen threads in 2k"
contains 'dynamic variable drop' err
for wrong in 'foreach (self->x) foreach (self->x) n++;' 'foreach (self->x) self->x = 0;' 'foreach (self->x) self->a[1]++;' \
	'foreach (self->x) n += vtimestamp;' 'foreach (self->x) printf("%d", ustackdepth);'; do
	trace -e -n "BEGIN { self->x = self->a[1] = 1; } END { $wrong }"
	same "$status" 1 "status of $wrong"
	contains 'cannot be in another one\|can only be read\|is unknown of another thread' err
done
# what is of the thread that runs alone: its memory, registers, stacks
for wrong in 'n += *(int *)copyin(5, 4);' 'printf("%s", copyinstr(5));' 'printf("%s", (userland char *)5);' 'n += *(userland int *)5;' \
	'print(*(userland int *)5);' 'tracemem((userland char *)5, 8);' 'n += strlen((userland char *)5);' 'n += progenyof(1);' 'n += uregs[0];' \
	'if (errno) n++;' 'printf("%s", errno_name[errno]);' '@a[ustack()] = count();' '@a[stack()] = count();' '@a[usym(5)] = count();' 'uaddr(5);' \
	'copyout("a", 5, 1);' 'stop();' 'printf("%s", container);' 'for (this->i = 0; this->i < 2; this->i++) n += errno;'; do
	trace -e -w -n "BEGIN { n = 0; self->x = 1; } END { foreach (self->x) { $wrong } }"
	same "$status" 1 "status of $wrong"
	contains 'is unknown of another thread, in foreach (self->x)' err
done
must_trace -e -n 'BEGIN { self->x = 1; } END { foreach (self->x) { printf("%p", (userland int *)5); @a[sym(5)] = count(); } n += errno; }'
trace -e -xdump=typed -n 'BEGIN { self->x = self->a[1] = 1; } END { foreach (self->x) n++; foreach (k in self->a) n++; }'
contains '^  foreach .* in self->x$' err
contains '^  foreach .* in self->a$' err
# a mistake alone, without what follows from it
printf 'BEGIN { self->x = nosuch; }\nEND { foreach (self->x) n++; foreach (self->none) m++; foreach (self->x) m += n; }\nEND { n += m; }\n' >a.d
trace -e -s a.d
contains 'line 1: nosuch is unknown' err
contains 'line 2: self->none has not been assigned to or declared' err
same "$(grep -c ': line' err)" 2 "mistakes of a.d"
# curpsinfo is of the walked thread; what only the current process knows is not in it
must_trace -n 'pid$target:a.out:enter:entry { self->n = arg0 + 1; } pid$target:a.out:ready:entry { go = 1; }
	tick-100ms /go/ { foreach (self->n) if (self->n == 4) { printf("%s %d %d %d\n", curpsinfo->pr_psargs, curpsinfo->pr_argc,
		curpsinfo->pr_pid == $target, curlwpsinfo->pr_syscall); print(*curpsinfo); } exit(0); }' -c './waiters 8 0'
same "$(head -n 1 out)" "waiter3 0 1 0" "curpsinfo of a walked thread"
contains 'pr_psargs = .*"waiter3"' out
for executor in interpreter process; do
	trace -x executor=$executor -n 'BEGIN { self->x = 1; exit(0); }
END { n = 5;
	foreach (self->x) n++; }'
	same "$status" 1 "status of the $executor"
	contains "line 3: foreach (self->x) needs -x executor=kernel: the $executor does not know all threads" err
done
