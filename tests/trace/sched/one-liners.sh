# What: time on CPU and off CPU by self variables, who wakes whom.  Needs: btf.
. "$LIB"
"$DTRACE" -lvvn sched:::on-cpu >out 2>err
grep -q 'after the switch' out || skip "a thread that gets a CPU is seen by the thread before it only"
must_trace -n 'sched:::on-cpu { self->ts = timestamp; }
	sched:::off-cpu /self->ts && pid == $target/ { @[execname] = quantize(timestamp - self->ts); @n["times"] = count(); }
	sched:::off-cpu { self->ts = 0; }' -c "$TRIGGERS/lives sleep 30"
contains '^ *lives *$'
[ "$(value_of times)" -ge 30 ] || fail "only $(value_of times) times on CPU"
# On a slow machine a sleep may be over before the thread gives way.
for try in 1 2 3 4 5; do
	must_trace -n 'sched:::off-cpu /pid == $target/ { self->ts = timestamp; }
		sched:::on-cpu /self->ts/ { @["slept", timestamp - self->ts >= 1000000 ? "a millisecond" : "less"] = count(); self->ts = 0; }' \
		-c "$TRIGGERS/lives sleep 30"
	sleeps=$(awk '/a millisecond/ { print $NF }' out)
	[ "$sleeps" -lt 30 ] || break
done
[ "$sleeps" -ge 30 ] || fail "$sleeps sleeps of a millisecond"
must_trace -n 'sched:::wakeup /pid == $target && args[1]->pr_pid == $target && args[0]->pr_lwpid != tid/ { @["wakes"] = count(); }' \
	-c "$TRIGGERS/lives wake 40"
[ "$(value_of wakes)" -ge 40 ] || fail "only $(value_of wakes) wakeups"
must_trace -n 'sched:::on-cpu /pid == $target/ { @[ustackdepth > 0, stackdepth > 0] = count(); }' -c "$TRIGGERS/lives sleep 5"
contains '^ *1  *1  *[0-9]'
