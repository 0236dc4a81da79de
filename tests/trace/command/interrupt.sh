# What: one ^C: END runs, aggregations print, status 0, long before the buffers would be switched.
. "$LIB"
background -o log -x switchrate=60s -x statusrate=60s -n 'tick-10ms { @n["ticks"] = count(); } tick-10ms /!seen++/ { printf("ready\n"); } END { printf("end\n"); }'
until_true 10 grep -qs ready log || fail "never started"
start=$(date +%s)
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
took=$(($(date +%s) - start))
[ "$took" -lt 20 ] || fail "took $took s"
contains '^end$' log
contains '^  ticks  *[1-9]' log
