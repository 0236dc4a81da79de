# What: each thread's arrivals on a CPU are as many as its departures; sleep and preempt are all departures.  Needs: btf.
. "$LIB"
sees_switches
must_trace -n 'sched:::on-cpu /progenyof($target)/ { @["on"] = count(); }
	sched:::off-cpu /progenyof($target)/ { @["off"] = count(); }
	sched:::sleep /progenyof($target)/ { @["sleep"] = count(); }
	sched:::preempt /progenyof($target)/ { @["preempt"] = count(); }' \
	-c "$TRIGGERS/lives sleep 50 wake 40 threads 10 exit 5 yield 10 spin 50"
on=$(value_of on) off=$(value_of off) sleeps=$(value_of sleep) preempts=$(value_of preempt)
# the program's first arrival is seen only from its start on, where dtrace let it go
[ $((on - off)) -ge -1 ] && [ $((on - off)) -le 1 ] || fail "$on arrivals, $off departures"
same "$off" $((sleeps + preempts)) "departures of both kinds"
[ "$sleeps" -ge 90 ] || fail "only $sleeps sleeps"
# all threads, on each CPU
must_trace -n 'sched:::on-cpu { @["on", cpu] = count(); } sched:::off-cpu { @["off", cpu] = count(); } tick-500ms { exit(0); }'
awk '$1 == "on" { d[$2] += $3; n++ } $1 == "off" { d[$2] -= $3 }
	END { for (c in d) if (d[c] < -2 || d[c] > 2) exit 1; exit !n }' out || fail "a CPU is not in balance"
