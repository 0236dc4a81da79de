# What: more variables than dynvarsize allows: counted as drops, tracing continues. Needs: uprobe.  Executors: kernel process.
. "$LIB"
trace -x dynvarsize=4k -n 'pid$target::some_function:entry { x[arg0] = arg0; @ = count(); }' -c "$TRIGGERS/calls 5000"
same "$status" 0 status
contains '^dtrace: [0-9]* dynamic variable drops$' err
same "$(grep . out | tr -d ' ')" 5000 "firings"
# A variable that did not fit is zero, each one counted; one that fits keeps its value, and takes others.
trace -x dynvarsize=4k -n 'pid$target::some_function:entry { x[arg0] = arg0 + 1; } pid$target::some_function:entry /x[arg0] != arg0 + 1/ { @lost = count(); }
	pid$target::some_function:entry /x[arg0] != arg0 + 1 && x[arg0] != 0/ { @torn = count(); } pid$target::some_function:entry { x[0] = 7; }
	END { printa("lost %@d\n", @lost); printa("torn %@d\n", @torn); printf("first %d\n", x[0]); }' -c "$TRIGGERS/calls 5000"
drops=$(awk '/dynamic variable drops/ { n += $2 } END { print n }' err)
same "$(sed -n 's/^lost //p' out)" "$drops" "drops"
same "$(grep -c '^torn' out) $(sed -n 's/^first //p' out)" "0 7" "values"
