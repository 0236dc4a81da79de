# What: records name their host; those of BEGIN, END and ticks are one where all hosts have left the same; in JSON, too; times of all hosts are in one order.
. "$LIB"
via="env PATH=${DTRACE%/*}:$PATH H={}"
trace --on a,b,c -x via="$via" -n 'BEGIN { printf("all begin\n"); printf("at %s\n", host); } tick-50ms { printf("round %d\n", ++n); } tick-50ms /n == 3/ { exit(0); } END { printf("all end\n"); }'
same "$status$(cat err)" 0 "status"
same "$(sed '/^$/d' out | head -n 6 | sort | paste -sd,)" "a: all begin,at a,at b,at c,b: all begin,c: all begin" "BEGIN"
same "$(sed '/^$/d' out | tail -n +7 | paste -sd,)" "round 1,round 2,round 3,all end" "ticks and END"

# The columns of a machine, after the host's name; quiet by a pragma.
"$DTRACE" --on a,b -x via="$via" -n 'BEGIN { trace(host); exit(0); }' >out 2>err || fail "status $?"
same "$(grep -c '^[ab]: .*:BEGIN  *[ab] *$' out)" 2 "records with columns"
"$DTRACE" --on a,b -x via="$via" -n '#pragma D option quiet
BEGIN { exit(0); }' >out 2>err || fail "status $?"
same "$(sed '/^$/d' out err)" "" "quiet by a pragma"

# A clause that one host fires alone: nobody waits for longer than onslack, and it is that host's.
trace --on a,b -x via="$via" -x onslack=100ms -n 'tick-50ms { n++; } tick-50ms /host == "b"/ { printf("%d\n", n); } tick-50ms /n == 4/ { printf("both %d\n", n); exit(0); }'
same "$status$(cat err)" 0 "status"
same "$(sed '/^$/d' out | sort | paste -sd,)" "b: 1,b: 2,b: 3,b: 4,both 4" "records of b, and of both"

trace --on a,b -x via="$via" -x oformat=json -n 'BEGIN { printf("%s", host); @[host] = count(); } tick-100ms { printf("same"); exit(0); }'
same "$status$(cat err)" 0 "JSON"
same "$(grep -c '"type":"record".*"host":"[ab]".*"text":"[ab]"' out)" 2 "records with a host"
same "$(grep -c '"text":"same"' out)" 1 "the record of both"
grep '"text":"same"' out | grep -q '"host"' && fail "the record of both names one"
check_json

# Firings of one process, seen by both: the times are in order, and each is there twice.
/usr/bin/perl -e 'select(undef, undef, undef, 1.5); for (1..200) { getppid(); select(undef, undef, undef, 0.005); } sleep 1' &
calls=$!
sleep 0.5
trace --on a,b -x via="$via" -x oformat=json -n "syscall::getppid:entry /pid == $calls/ { n++; printf(\"%d\", n); } tick-100ms /n >= 200/ { exit(0); } tick-20s { exit(1); }"
wait "$calls"
same "$status" 0 "firings of a process"
grep '"function":"getppid"' out | sed 's/.*"time":\([0-9]*\).*/\1/' >times
same "$(wc -l <times)" 400 "records"
awk '$1 + 2000000 < last { bad++ } { last = $1 > last ? $1 : last } END { exit bad > 4 }' times || fail "the order of records"
