# What: with follow=fork all calls of children are counted, of fork(), vfork(), posix_spawn() and clone(), of their threads and of children of children
# that never fired; each by its own number, name, ancestors, thread and variables; tracing ends with the last child; more at once than there is room for are
# counted.  Executors: kernel process.  Needs: uprobe cc.
. "$LIB"
family=$TRIGGERS/family
must_trace -x follow=fork -n 'pid$target:a.out:work:entry { @all = count(); @by[pid] = count(); @tree[target == $target, probeprov] = count(); }
	END { printa("all %@u\n", @all); printa("process %@u\n", @by); printa("tree %d %s %@u\n", @tree); }' -c "$family forks 200 pid"
contains '^all 4000$'
same "$(grep -c '^process 10$' out)" 400 "processes with 10 calls"
contains "^tree 1 pid$(head -n 1 out) 4000\$"
# At once.
trace -x follow=fork -n 'pid$target:a.out:work:entry { self->n = arg0; @n = count(); } pid$target:a.out:work:return /arg1 == self->n + 1/ { @all = count(); }
	END { printa("n %@u\n", @n); printa("all %@u\n", @all); }' -c "$family call 5 storm 300"
same "$status" 0 "status of a storm"
grep -q 'firings dropped: more threads than areas' err || { contains '^all 3005$' && contains '^n 3005$'; }
# Parents end before their children.
must_trace -x follow=fork -n 'pid$target:a.out:work:entry { @[pid == $target] = count(); } END { printa("%d %@u\n", @); }' \
	-c "$family call 3 daemon 300 call 4 daemon 300 storm 5"
contains '^1 3$'
contains '^0 54$'
cat >program.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
__attribute__((noipa)) int traced(int kind, const char *text) { char b[64]; return snprintf(b, 64, "%d %s", kind, text); }
__attribute__((noipa)) int checked(long pid, long thread, long parent) { char b[64]; return snprintf(b, 64, "%ld %ld %ld", pid, thread, parent); }
static void check(void) { checked(getpid(), syscall(SYS_gettid), getppid()); }
static int shares(void *unused) { for (int i = 0; i < 10; i++) traced(3, "clone"), check(); _exit(0); }
static void *thread(void *unused)
{
	for (int i = 0; i < 100; i++)
		traced(2, "thread"), check();
	return NULL;
}
static void *forks(void *unused)
{
	if (!fork()) { /* its first thread has this one's stack */
		char on_stack[] = "on the stack";
		for (int i = 0; i < 100; i++)
			traced(4, on_stack), check();
		_exit(0);
	}
	wait(NULL);
	return NULL;
}
int main(void)
{
	pthread_t t, u;
	static char stack[65536];
	for (int n = 0; n < 20; n++) {
		if (!fork()) {
			prctl(PR_SET_NAME, "renamed");
			pthread_create(&t, 0, thread, 0);
			pthread_create(&u, 0, thread, 0);
			for (int i = 0; i < 100; i++)
				traced(1, "child"), check();
			pthread_join(t, 0);
			pthread_join(u, 0);
			_exit(0);
		}
		wait(NULL);
		pid_t pid = vfork();
		if (!pid) {
			for (int i = 0; i < 10; i++)
				traced(5, "vfork"), check();
			if (n % 2)
				execl("/bin/true", "true", (char *)0);
			_exit(0);
		}
		traced(0, "parent");
		check();
		waitpid(pid, NULL, 0);
		waitpid(clone(shares, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, 0), NULL, 0);
		traced(0, "parent");
		if (!fork()) { /* does not fire, */
			if (!fork()) { /* nor this one, but its child */
				if (!vfork()) {
					traced(6, "grandchild");
					check();
					_exit(0);
				}
				wait(NULL);
				traced(6, "grandchild");
				check();
				_exit(0);
			}
			wait(NULL);
			_exit(0);
		}
		wait(NULL);
		pthread_create(&t, 0, forks, 0);
		pthread_join(t, 0);
		if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) { /* the C library does not know of it */
			traced(7, "raw");
			check();
			_exit(0);
		}
		wait(NULL);
		system("true");
	}
	return 0;
}
C
gcc -O1 -pthread -o program program.c && gcc -O1 -pthread -static -o static program.c || fail "cannot compile"
for p in program static; do
	must_trace -q -x follow=fork -n 'pid$target:a.out:traced:entry { @[arg0, copyinstr(arg1), execname] = count(); self->n++; }
		pid$target:a.out:traced:entry /arg0 == 2/ { @most = max(self->n); }
		pid$target:a.out:checked:entry { @wrong = sum(pid != arg0) ; @other = sum(arg0 != arg1 && pid == tid); @strange = sum(!progenyof($target)); @parent = sum(!progenyof(arg2)); }
		END { printa("%d %s %s %@d;", @); printf("\n"); printa("%@d %@d %@d %@d %@d\n", @wrong, @other, @strange, @parent, @most); }' -c ./$p
	same "$(grep ';' out | tr ';' '\n' | grep . | sort | tr '\n' ';')" \
		"0 parent $p 40;1 child renamed 2000;2 thread renamed 4000;3 clone $p 200;4 on the stack $p 2000;5 vfork $p 200;6 grandchild $p 40;7 raw $p 20;" "calls of $p"
	same "$(grep -v ";" out | grep .)" "0 0 0 0 100" "numbers, ancestors and variables of $p"
done
# What vfork()'s children execute is not theirs any more; at the end only the process of -c is killed.
must_trace -x follow=fork -x childkeep -n 'pid$target:a.out:traced:entry /arg0 == 1/ { exit(0); }' -c ./program
