# What: what faults, and what ERROR's clauses see of it; NULL strings, bad addresses, indexes, faults in ERROR.
. "$LIB"
script='BEGIN { x = *(int *)16; } BEGIN / *(int *)24/ { } BEGIN { x = 1; y = 1; z = x / (y - 1); } BEGIN { printf("lost"); x = *(int *)32; }
	string n; BEGIN { trace(n); } BEGIN { a[1] = "a"; trace(a[2]); } BEGIN { trace(strlen(n)); }
	int v[3]; BEGIN { i = 3; v[i] = 8; } BEGIN { i = -1; trace(v[i]); }
	BEGIN { trace(stringof(8)); } BEGIN { trace(((struct task_struct *)0)->pid); } BEGIN { exit(0); }'
# Their own number, the statement (0: predicate), the offset unknown, the code and the address or value.
must_fault -n "ERROR { printf(\"%d %d %d %d %d %d\n\", arg0, arg1, arg2, arg3, arg4, arg5); } $script"
pid_offset=$("$DTRACE" -qn 'BEGIN { printf("%d", offsetof(struct task_struct, pid)); exit(0); }' | head -n 1)
same "$(sed '/^$/d' out)" "0 2 1 -1 1 16
0 3 0 -1 1 24
0 4 3 -1 4 0
0 5 2 -1 1 32
0 6 1 -1 1 0
0 7 2 -1 1 0
0 8 1 -1 1 0
0 9 2 -1 11 3
0 10 2 -1 11 -1
0 11 1 -1 1 8
0 12 1 -1 1 $pid_offset" "what ERROR sees"

# ERROR runs at the place of the fault, on the same CPU and in the same thread, as a separate firing: its this variables are zero.
must_fault -n 'BEGIN { c = cpu; t = tid; this->n = 5; y = *(int *)16; } ERROR { printf("%d %d %s %d", c == cpu, t == tid, execname, this->n); exit(0); }'
same "$(cat out)" "1 1 dtrace 0" "where ERROR runs"

# Without such a clause, a message each; tracing continues.
trace -n "$script"
same "$status" 0 "status"
same "$(grep -c '^dtrace: error on enabled probe ID [0-9]* (ID 1: dtrace:::BEGIN): ' err)" 11 "messages"
contains 'ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #1' err
contains 'ID 2 (ID 1: dtrace:::BEGIN): invalid address (0x18) in predicate' err
contains 'ID 3 (ID 1: dtrace:::BEGIN): divide-by-zero in action #3' err
contains 'index out of bounds (-1) in action #2' err

# A fault in ERROR is counted; exit() there ends tracing.
trace -n 'dtrace:::ERROR { x = *(int *)16; } BEGIN { y = *(int *)99; } BEGIN { exit(0); }'
contains '^dtrace: 1 error in ERROR probe enabling$' err
trace -n 'ERROR { printf("%s ", probename); exit(3); } BEGIN { y = *(int *)99; } BEGIN { printf("no"); } END { printf("end"); }'
same "$(cat out) $status" "ERROR end 3" "exit in ERROR"
