# What: -x cpu=N traces that CPU alone, ticks and BEGIN too; one that is not there is refused.
. "$LIB"
# The CPU is kept busy: there are kernels (6.18 in the project's virtual machine) that take no
# samples on an idle CPU other than the first, for any tracer.
for n in 0 "$(($(getconf _NPROCESSORS_ONLN) - 1))"; do
	timeout 60 taskset -c "$n" "$TRIGGERS/spin" 60000 >spin 2>&1 &
	spin=$!
	must_trace -x cpu="$n" -n 'BEGIN, tick-20ms { printf("%d\n", cpu); } tick-100ms { exit(0); }'
	kill "$spin"
	same "$(grep . out | sort -u)" "$n" "CPUs"
	[ "$(grep -c . out)" -ge 2 ] || fail "no tick"
done
trace -x cpu=4000 -n 'tick-10ms { exit(0); }'
same "$status" 1 "status"
contains 'CPU 4000 is not online' err
