# What: executor=process: clauses that need the kernel run there in the same run, with those that share variables with them; one output, by time.
# Needs: x86_64 cc.  Executors: usual (it names them).
. "$LIB"
cat >both.c <<'C'
#include <fcntl.h>
#include <unistd.h>
#define F __attribute__((noinline, noclone))
long F step(long n) { volatile long a[4]; for (int i = 0; i < 4; i++) a[i] = n * i; return a[3] + a[1]; }
long F other(long n) { volatile long a[4]; for (int i = 0; i < 4; i++) a[i] = n + i; return a[3]; }
int main(int argc, char **argv)
{
	int fd = open("sink", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	long sum = 0;
	for (long i = 0; i < 1000; i++) {
		sum += step(i);
		if (write(fd, "x", 1) != 1)
			return 1;
		sum += other(i);
	}
	if (argc > 1)
		pause();
	if (argc > 1)
		pause();
	return close(fd) + (sum == 0);
}
C
cc -O1 -fcf-protection=none -falign-functions=16 -o both both.c || fail 'the program'
write='syscall::write:entry /pid == $target/'

# One output, by time: step, write, other, a thousand times.
must_trace -x executor=process -n 'pid$target:a.out:step:entry,pid$target:a.out:other:entry { printf("%s %d\n", probefunc, arg0); }
	'"$write"' { printf("write\n"); }' -c ./both
awk 'BEGIN { for (i = 0; i < 1000; i++) printf("step %d\nwrite\nother %d\n", i, i) }' >wanted
same "$(grep -v '^$' out | cmp - wanted 2>&1)" '' 'the order'

# Variables and aggregations that clauses of both kinds change are right, as these move to the kernel; others stay.
who() { # who LINE: who runs the clause of this line
	sed -n "s/.*(line $1): \(the [a-z]*\)\(: .*\)*/\1/p" out
}
cat >shared.d <<'D'
pid$target:a.out:step:entry { n = arg0; self->s = arg0; }
syscall::write:entry /pid == $target && self->s == n/ { @right = count(); @calls["write"] = count(); }
pid$target:a.out:other:entry { @other = sum(arg0); }
END { printa("%@d ", @right); printa("%@d ", @other); }
D
must_trace -x executor=process -v -s shared.d -c ./both
same "$(who 1), $(who 2), $(who 3), $(who 4)" 'the kernel, the kernel, the process, the process' 'who runs what'
grep -q '(line 1): the kernel: shares n with line 2' out || fail 'why'
grep -q '^1000 499500 *$' out || fail 'shared variables'

"$DTRACE" -x executor=process -lv -n 'pid$target:a.out:step:entry,syscall::write:entry' -c ./both >out 2>err
same "$(sed -n 's/^\tExecutor: \(the [a-z]*\).*/\1/p' out | tr '\n' ' ')" 'the process the kernel ' '-lv'

# What only BEGIN assigns is in both.
cat >begin.d <<'D'
BEGIN { t = 7; s = "text"; }
pid$target:a.out:step:entry /t == 7 && s == "text"/ { @a = count(); }
syscall::write:entry /pid == $target && t == 7 && s == "text"/ { @b = count(); }
END { printa("%@d ", @a); printa("%@d\n", @b); }
D
must_trace -x executor=process -v -s begin.d -c ./both
same "$(who 2), $(who 3)" 'the process, the kernel' 'who runs them'
grep -q '^1000 1000$' out || fail 'variables of BEGIN'

# BEGIN in the kernel, whose clauses read it in the process; ERROR in both.
trace -x executor=process -n 'BEGIN { c = (int)curthread->pid; } pid$target:a.out:step:entry /c > 0/ { @a = count(); trace(*(int *)8); }
	'"$write"' { @b = count(); trace(*(int *)16); } ERROR { @e = count(); }
	END { printa("%@d ", @a); printa("%@d ", @b); printa("%@d\n", @e); }' -c ./both
grep -q '^1000 1000 2000$' out || fail 'BEGIN in the kernel, ERROR in both'

# What a return reads of its entry is saved where the clause of the return runs.
must_trace -x executor=process -n 'pid$target:a.out:step:return /curthread/ { @e[entry(arg0) == 5] = count(); } pid$target:a.out:other:entry { @o = count(); }
	END { printa("%d %@d ", @e); printa("%@d\n", @o); }' -c ./both
grep -q '^1 1 0 999 1000$' out || fail 'entry() in the kernel'

# exit() in either ends both, and END comes after both.
trace -x executor=process -n 'pid$target:a.out:step:entry { @a = count(); } '"$write"' { @b = count(); } tick-50ms { exit(5); }
	END { printf("end\n"); }' -c './both pause'
same "$status $(grep -v '^$' out | head -n 1)" '5 end' 'exit() in the process'
trace -x executor=process -n 'pid$target:libc:nanosleep:entry,pid$target:libc:clock_nanosleep:entry { @a = count(); } BEGIN { x = curthread; }
	profile-97 { exit(6); } END { printf("end\n"); }' -c 'sleep 20'
same "$status $(grep -v '^$' out | head -n 1)" '6 end' 'exit() in the kernel'

# Functions of a program that is executed later are the process's.
must_trace -x executor=process -Z -n 'pid$target:a.out:step:entry { @a = count(); } syscall::write:entry /pid == $target && arg2 == 1/ { @b = count(); }
	END { printa("%@d ", @a); printa("%@d\n", @b); }' -c 'sh -c "exec ./both"'
grep -q '^1000 1000$' out || fail 'a program that is executed'

# Nothing is left for the process: refused.
trace -x executor=process -n 'pid$target:a.out:step:entry { n++; } '"$write"' { n++; }' -c ./both
[ "$status" = 1 ] && grep -q 'it is outside of processes' err || fail 'all for the kernel'
