# What: SIGUSR1's rows are between their lines; after ^C the exit line comes last, and all lines are JSON; output goes to -o too. Needs: jsonschema.
. "$LIB"
TRIGGER_COUNTS=$PWD/counts env --default-signal=INT,QUIT "$DTRACE" -x oformat=json -o json \
	-n 'tick-10hz { @["ticks"] = count(); printf("%d\n", cpu); }' >out 2>err &
pid=$!
until_true 10 grep -q '"type":"record"' json 2>/dev/null || fail "no record"
kill -USR1 "$pid"
until_true 10 grep -q '"type":"end"' json || fail "no end of the snapshot"
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
same "$(wc -c <out)" 0 "bytes on standard output"
check_json json
contains '"type":"aggregation","printing":2,"to":[0-9]*,"key":\["ticks"\]' json
same "$(sed -n '/"type":"snapshot"/,/"type":"end"/s/{"type":"\([a-z]*\)","time":[0-9]*,"printing":\([0-9]*\).*/\1 \2/p' json)" "snapshot 1
aggregation 1
end 1" "the snapshot"
