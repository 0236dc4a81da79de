# What: more variables than dynvarsize holds: counted as drops, tracing goes on.  Needs: uprobe.
. "$LIB"
trace -x dynvarsize=4k -n 'pid$target::some_function:entry { x[arg0] = arg0; @ = count(); }' -c "$TRIGGERS/calls 5000"
same "$status" 0 status
contains '^dtrace: [0-9]* dynamic variable drops$' err
same "$(grep . out | tr -d ' ')" 5000 "firings"
