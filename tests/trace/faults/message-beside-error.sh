# What: a fault's message is on standard error whatever ERROR clauses do; of thousands the first are shown, the others counted.
. "$LIB"
must_fault -n 'BEGIN { trace(*(int *)8); } ERROR /0/ { printf("x"); } tick-100ms { exit(0); }'
same "$(cat out)" "" "output"
must_fault -n 'BEGIN { trace(*(int *)8); } ERROR { printf("seen\n"); exit(0); }'
contains '^seen$'
contains '(ID 1: dtrace:::BEGIN): invalid address (0x8) in action #1 (line 1)$' err

# Ten of each kind of each clause; a storm of one hides no other.
must_fault -n 'int z; syscall::getppid:entry /pid == $target/ { trace(*(int *)8); } syscall::getppid:entry /pid == $target && n++ == 900/ { trace(1 / z); }
	ERROR { @[arg1] = count(); } END { printa("%d %@d\n", @); }' -c "$TRIGGERS/burst 1000"
contains '^1 1000$'
contains '^2 1$'
same "$(grep -c 'error on enabled probe ID 1 .*invalid address (0x8)' err)" 10 "messages of clause 1"
same "$(grep -c 'error on enabled probe ID 2 .*divide-by-zero' err)" 1 "messages of clause 2"
contains '^dtrace: 990 more errors on enabled probe ID 1: invalid address in action #1 (line 1)$' err
same "$(grep -c more err)" 1 "counts"

# At the end that comes at once, too; JSON has a line for each.
background -n 'BEGIN { printf("ready\n"); } tick-1ms { trace(*(int *)8); @n = count(); }'
until_true 10 grep -q 'further ones are counted' err || fail "no faults"
sleep 0.1
kill -QUIT "$pid"
wait "$pid"
contains '^dtrace: [1-9][0-9]* more errors* on enabled probe ID 2: invalid address' err
trace -x oformat=json -n 'tick-2ms { x = *(int *)8; } tick-100ms { exit(0); }'
[ "$(grep -c '"type":"error"' out)" -gt 12 ] || fail "faults are missing"
