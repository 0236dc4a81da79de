# What: dtrace --core PID prints what a process with a flight recorder has recorded so far: of one that hangs, whose dtrace was killed, or that fires meanwhile.
# Executors: usual (it names them).
. "$LIB"
cp "$TRIGGERS/fire" fire
script='pid$target:a.out:fired:entry { printf("r %d %d %s\n", arg0, arg1, copyinstr(arg2)); @[arg0] = count(); } pid$target:a.out:fired:entry /arg1 == 999999/ { ustack(); }'

# started ARGUMENT... - trace ./fire; its number in $fire
started() {
	background -x executor=process -x bufpolicy=ring -b 1m -x childkeep -n "$script" -c "./fire $*"
	until_true 20 grep -q ready out || fail "the process is not ready"
	fire=$(sed -n 's/^ready //p' out)
}
# last_records - the last 10,000 of a million, whole and in order
last_records() {
	same "$status$(cat err)" 0 "reading the process"
	grep '^r' out | tail -n 10000 | awk '$2 != 0 || $3 != 989999 + NR || $4 != "text" || NF != 4 { print; bad = 1 }
		END { exit bad || NR != 10000 }' || fail "the last 10,000 records"
	contains '  0          1000000' out
	contains 'fire`main+0x' out
}
started 1000000 0 wait
trace --core "$fire"
last_records
kill -KILL "$pid"
until_true 20 gone "$pid" || fail "dtrace lives"
trace --core "$fire"
last_records
if [ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ]; then
	setpriv --reuid 65534 --regid 65534 --clear-groups "$DTRACE" --core "$fire" >out 2>err && fail "another user's process was read"
	contains "cannot read the memory of process $fire: be its owner" err
fi
kill "$fire"

# While two threads fire: each thread's records follow one another, and none is torn.
started 1000000000 2 fires
for round in 1 2 3 4 5 6; do
	trace --core "$fire"
	same "$status$(cat err)" 0 "reading the process while it fires"
	grep '^r' out | sort -s -n -k 2,2 | awk '
		$4 != "text" || NF != 4 { print "torn: " $0; bad = 1 }
		NR > 1 && $2 == thread && $3 != last + 1 { print "order: " $0; bad = 1 }
		{ thread = $2; last = $3; n[$2]++ }
		END { if (NR < 1000) { print "few: " NR; bad = 1 } exit bad }' >wrong || fail "round $round: $(head -n 5 wrong)"
done
kill -KILL "$fire"
until_true 20 interrupted || true

trace --core $$
same "$status" 1 "a process without a recorder"
contains "process $$ has no flight recorder of dtrace" err
trace --core 999999999
same "$status" 1 "no process"
contains 'there is no process 999999999' err
