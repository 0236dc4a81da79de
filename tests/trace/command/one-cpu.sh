# What: -x cpu=N traces that CPU alone, ticks and BEGIN too; one that is not there is refused.
. "$LIB"
for n in 0 "$(($(nproc) - 1))"; do
	must_trace -x cpu="$n" -n 'BEGIN, tick-20ms { printf("%d\n", cpu); } tick-100ms { exit(0); }'
	same "$(grep . out | sort -u)" "$n" "CPUs"
	[ "$(grep -c . out)" -ge 2 ] || fail "no tick"
done
trace -x cpu=4000 -n 'tick-10ms { exit(0); }'
same "$status" 1 "status"
contains 'CPU 4000 is not online' err
