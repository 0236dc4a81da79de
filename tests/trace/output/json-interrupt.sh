# What: after ^C the exit line comes last, and all lines are JSON; output goes to -o too. Needs: jsonschema.
. "$LIB"
TRIGGER_COUNTS=$PWD/counts env --default-signal=INT,QUIT "$DTRACE" -x oformat=json -o json \
	-n 'tick-10hz { @["ticks"] = count(); printf("%d\n", cpu); }' >out 2>err &
pid=$!
until_true 10 grep -q printf json 2>/dev/null || fail "no record"
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
same "$(wc -c <out)" 0 "bytes on standard output"
check_json json
contains '"type":"aggregation","key":\["ticks"\]' json
