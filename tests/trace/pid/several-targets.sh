# What: pid$targets means the processes of all -c and -p, pid$target the first one.  Needs: uprobe.
. "$LIB"
must_trace -n 'pid$targets::some_function:entry { @all[pid] = count(); } pid$target::some_function:entry { @first = count(); }
	END { printa("all %@u\n", @all); printa("first %@u\n", @first); }' -c "$TRIGGERS/calls 10" -c "$TRIGGERS/calls 20"
same "$(grep all out | sort -n -k 2 | tr '\n' ' ')" "all 10 all 20 " "both"
contains '^first 10$'
trace -n 'pid$targets::some_function:entry' -c "$TRIGGERS/calls 10" -c true
same "$status" 1 "status when one has no such function"
trace -n 'pid$targets::some_function:entry'
same "$status" 1 "status without processes"
contains '\$target is set by -c COMMAND or -p PID' err
