# What: execve() with a path in absent memory: one that fails shows its path; one that succeeds has released that
# memory,
# which is a fault, and nothing is read of the new program.
. "$LIB"
trace -n 'syscall::execve:entry /progenyof($target)/ { @calls = count(); }
	syscall::execve:entry /progenyof($target)/ { @paths[copyinstr(arg0)] = count(); }
	syscall::execve:entry /progenyof($target)/ { @names[execname, probefunc] = count(); @pointers[arg0 != 0] = count(); }
	syscall::execve:entry /progenyof($target)/ { @paths[copyinstr(arg0)] = count(); @frames[ustackdepth] = count(); }
	ERROR { @faults[arg1] = count(); }
	END { printa("calls %@d\n", @calls); printa("path %s %@d\n", @paths); printa("name %s %s %@d\n", @names);
		printa("pointer %d %@d\n", @pointers); printa("fault %d %@d\n", @faults); }' -c "$TRIGGERS/paths exec 20"
same "$status" 0 status
same "$(value_of calls)" 40 calls
same "$(grep -c '^path' out)" 1 "paths"
contains '^path /nowhere/0 40$'
same "$(grep '^name' out)" "name paths execve 40" "names of programs"
contains '^pointer 1 40$'
same "$(grep '^fault' out | sort | tr '\n' ' ')" "fault 2 20 fault 4 20 " faults
