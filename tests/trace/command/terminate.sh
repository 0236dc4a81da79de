# What: SIGTERM ends in order, as ^C does.
. "$LIB"
background -o log -n 'BEGIN { printf("ready\n"); } tick-1s { } END { printf("end\n"); }'
until_true 10 grep -qs ready log || fail "never started"
kill -TERM "$pid"
wait "$pid"
same "$?" 0 status
contains '^end$' log
