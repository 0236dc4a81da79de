# What: the sum of a function's argument.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -n 'pid$target::some_function:entry { @total = sum(arg0); }' -c "$TRIGGERS/calls 1000"
same "$(grep . out | tr -d ' ')" "$(counted sum)" sum
