# What: programs that are split continue without dtrace, and are claimed whole. Needs: unshare.
. "$LIB"
own_pins
{
	echo 'this int n; int last;'
	awk 'BEGIN { for (i = 1; i <= 600; i++) print "tick-20ms { this->n++; @[" i "] = count(); }" }'
	echo 'tick-20ms { last = this->n; @all = count(); }'
	printf '%s\n' 'END { printf("last %d\n", last); trunc(@, 1); }'
} >a.d
"$DTRACE" -A -o saved -q -s a.d 2>err || fail "status $?"
"$DTRACE" -x anonfile="$PWD/saved" -x anon=run 2>err || fail "status of anon=run"
sleep 0.3
trace -ae
same "$status" 0 "status of -ae"
contains '^last 600$'
