# What: one ^C: END runs, aggregations print, status 0, within a second.
. "$LIB"
background -o log -n 'BEGIN { printf("ready\n"); } tick-10ms { @n["ticks"] = count(); } END { printf("end\n"); }'
until_true 10 grep -qs ready log || fail "never started"
sleep 0.3
start=$(date +%s%N)
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
took=$((($(date +%s%N) - start) / 1000000))
[ "$took" -lt 1000 ] || fail "took $took ms"
contains '^end$' log
contains '^  ticks  *[1-9]' log
