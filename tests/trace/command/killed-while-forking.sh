# What: kill -9 of dtrace while a process that it forked has not run yet leaves no process. Needs: cc.
. "$LIB"
# Child number LATE begins late: the death of its parent is over by then.
cat >late.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
pid_t fork(void)
{
	static int number;
	pid_t parent = getpid(), pid = ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))();
	if (++number == atoi(getenv("LATE")))
		for (int i = 0; pid == 0 && i < 60000 && getppid() == parent; i++) usleep(1000);
	return pid;
}
C
cc -shared -fPIC -o late.so late.c || skip "cannot make a library"
mark=$((1000000 + $$)) # names what we start, and nothing else

children() {
	[ "$(pgrep -P "$pid" | wc -l)" -ge "$1" ]
}

none_left() {
	! pgrep -f "sleep $mark\$" >/dev/null
}

# The first is the command, the second sees to it that it ends with dtrace.
for n in 1 2; do
	LATE=$n LD_PRELOAD=$PWD/late.so "$DTRACE" -qn 'tick-1s { }' -c "sleep $mark" 2>err &
	pid=$!
	until_true 5 children $n || fail "dtrace has not forked $n times"
	kill -9 "$pid"
	until_true 5 gone "$pid" || fail "dtrace is still there"
	if ! until_true 5 none_left; then
		left=$(pgrep -f "sleep $mark\$")
		kill -9 $left
		fail "process $left is left, killed with $n children"
	fi
done
