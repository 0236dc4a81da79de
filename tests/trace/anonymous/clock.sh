# What: the time of boot by the clock, which is part of code that asks when a process began, is that of the start.  Needs: unshare.
. "$LIB"
own_pins
trace -A -o saved -n 'BEGIN { printf("%d\n", curpsinfo->pr_start.tv_sec > 1000000000); }'
for round in 1 2 3 4 5 6 7 8; do # the two clocks are not read at once, so it may be the same by chance
	must_trace -x anonfile=saved -x anon=run
	must_trace -ae
	same "$(head -n 1 out)" 1 "when a process began"
done
