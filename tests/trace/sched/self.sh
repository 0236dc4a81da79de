# What: on-cpu and off-cpu with self variables: each time on a CPU is counted, and as often as the thread leaves it.  Needs: btf.
. "$LIB"
sees_switches
must_trace -n 'sched:::on-cpu /progenyof($target)/ { self->at = timestamp; }
	sched:::off-cpu /progenyof($target) && self->at/ { @["times"] = count(); @q = quantize(timestamp - self->at); self->at = 0; }
	sched:::off-cpu /progenyof($target)/ { @["departures"] = count(); }' \
	-c "$TRIGGERS/lives sleep 30 threads 5 exit 3"
times=$(value_of times) departures=$(value_of departures)
# the program's first arrival is seen only from its start on
[ $((departures - times)) -ge 0 ] && [ $((departures - times)) -le 1 ] || fail "$times of $departures"
[ "$times" -ge 38 ] || fail "only $times"
grep -q '@@' out || fail "no times"
