# What: kill -9 of dtrace while a process that it forked has not run yet leaves no process. Needs: cc.
. "$LIB"
# The children begin late: the death of their parent is over by then.
cat >late.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
pid_t fork(void)
{
	pid_t pid = ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))();
	if (pid == 0)
		usleep(300000);
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

# The first is the command, the second tries out whether there are hardware breakpoints.
for n in 1 2; do
	LD_PRELOAD=$PWD/late.so "$DTRACE" -qn 'tick-1s { }' -c "sleep $mark" 2>err &
	pid=$!
	until_true 5 children $n || fail "dtrace has not forked $n times"
	kill -9 "$pid"
	until_true 5 gone "$pid" || fail "dtrace is still there"
	sleep 0.4
	if ! until_true 2 none_left; then
		left=$(pgrep -f "sleep $mark\$")
		kill -9 $left
		fail "process $left is left, killed with $n children"
	fi
done
