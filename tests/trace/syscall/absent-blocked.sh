# What: firings that wait for a system call that does not return are reported at the end; killed threads and signals lose none.
. "$LIB"
script='syscall::read:entry /progenyof($target) && arg0 == 99/ { n++; }
	syscall::read:entry /progenyof($target) && arg0 == 99/ { trace(*(int *)copyin(arg1, 4)); }
	syscall::read:entry /progenyof($target) && arg0 == 99/ { m++; }
	ERROR { faults++; }
	END { printf("n %d\nm %d\nfaults %d\n", n, m, faults); }'
trace -n "$script"' tick-10ms /n/ { exit(0); }' -c "$TRIGGERS/paths blocked"
same "$status" 0 status
contains '^dtrace: 1 firing still suspended when tracing ended: its system call had not returned$' err
same "$(tr '\n' ' ' <out)" "n 1 m 0 faults 0  " "while it is blocked"
trace -x droptags -n "$script"' tick-10ms /n/ { exit(0); }' -c "$TRIGGERS/paths blocked"
contains 'DTRACEDROP_WAITING' err
# the page stays untouched, so the return says so
must_fault -n "$script" -c "$TRIGGERS/paths killed 3"
same "$(tr '\n' ' ' <out)" "n 3 m 3 faults 3  " "killed in the call"
must_fault -n "$script" -c "$TRIGGERS/paths restart 3"
n=$(value_of n)
[ "$n" -gt 1 ] || fail "no call was restarted"
same "$(tr '\n' ' ' <out)" "n $n m $n faults $n  " "restarted calls"
# exit_group() does not return: nothing waits for that
must_fault -n 'syscall::exit_group:entry /progenyof($target) && arg0 > 4096/ { trace(copyinstr(arg0)); } ERROR { faults++; } END { printf("faults %d\n", faults); }' \
	-c "$TRIGGERS/paths exit 5"
contains '^faults 5$'
