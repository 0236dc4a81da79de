# What: SIGUSR1 prints the aggregations as they are; tracing goes on.
. "$LIB"
background -n 'BEGIN { printf("go\n"); @["so far"] = count(); } tick-20ms { @t["ticks"] = count(); }'
until_true 5 grep -q go out || fail "no start"
kill -USR1 "$pid"
until_true 5 grep -q 'so far  *1$' out || fail "nothing is shown"
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
same "$(grep -c 'so far  *1$' out)" 2 "once asked for, once at the end"
