# What: in a time namespace walltimestamp is the time of day, and output comes at once, in order.  Needs: unshare.
. "$LIB"
unshare -T --monotonic 5 true 2>/dev/null || skip "no time namespaces in this kernel"
# no clock may be before the start of the machine
back=-$(awk '{ print $1 < 600 ? int($1 / 2) : 500 }' /proc/uptime)
for offset in 100000 "$back"; do
	before=$(date +%s)
	unshare -T --monotonic $offset --boottime $offset "$DTRACE" -qn 'BEGIN { printf("%d\n", walltimestamp / 1000000000);
		printf("%d\n", (walltimestamp - (boot_wall_ns + curthread->start_boottime)) / 1000000000); exit(0); }' >out 2>err ||
		fail "status $?"
	wall=$(sed -n 1p out)
	[ "$wall" -ge "$before" ] && [ "$wall" -le "$(date +%s)" ] || fail "walltimestamp is $((wall - before)) s off"
	age=$(sed -n 2p out)
	[ "$age" -ge 0 ] && [ "$age" -lt 60 ] || fail "time since boot is off: dtrace was started $age s ago"
done
# Ticks of the interpreter come when they are due.
for offset in 100000 "$back"; do
	begin=$(date +%s)
	timeout 20 unshare -T --monotonic $offset "$DTRACE" -x executor=interpreter -qn 'tick-10ms { n++; } tick-1s { trace(n > 50 && n < 110); exit(0); }' >out 2>err
	same "$(cat out)" 1 "ticks of the interpreter ($offset)"
	[ "$(($(date +%s) - begin))" -lt 5 ] || fail "a second took $(($(date +%s) - begin)) s"
done
# Records are printed during tracing: the consumer reads the clock of their times.
env --default-signal=INT unshare -T --monotonic $back "$DTRACE" -qn 'tick-10ms { printf("tick %d\n", n++); }' >out 2>err &
pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
until_true 5 grep -q 'tick 5' out || fail "nothing is shown"
kill -INT "$pid"
wait "$pid"
