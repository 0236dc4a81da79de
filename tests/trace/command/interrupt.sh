# What: one ^C: END runs, aggregations print, status 0, long before the buffers would be switched.
. "$LIB"
background -o log -x switchrate=60s -x statusrate=60s -n 'BEGIN { printf("ready\n"); } tick-10ms { @n["ticks"] = count(); } END { printf("end\n"); }'
trap 'kill -9 $pid 2>/dev/null' EXIT
until_true 10 grep -qs ready log || fail "never started"
ticks_are_shown() {
	kill -USR1 "$pid"
	grep -q '^  ticks  *[1-9]' log
}
until_true 10 ticks_are_shown || fail "no ticks"
start=$(date +%s)
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
took=$(($(date +%s) - start))
[ "$took" -lt 20 ] || fail "took $took s"
contains '^end$' log
contains '^  ticks  *[1-9]' log
