# What: SIGUSR1 prints the aggregations; tracing continues, and sleeps between rounds.
. "$LIB"
background -n 'BEGIN { printf("go\n"); @["so far"] = count(); } tick-20ms { @t["ticks"] = count(); }'
until_true 5 grep -q go out || fail "no start"
kill -USR1 "$pid"
until_true 5 grep -q 'so far  *1$' out || fail "nothing is shown"
cpu_time() {
	awk '{ print $14 + $15 }' "/proc/$pid/stat" # in ticks of 10 ms
}
before=$(cpu_time)
sleep 0.5
[ $(($(cpu_time) - before)) -lt 20 ] || fail "it is busy after the signal"
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
same "$(grep -c 'so far  *1$' out)" 2 "once asked for, once at the end"
