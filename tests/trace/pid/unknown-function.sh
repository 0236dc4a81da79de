# What: a function that is not there, and a process that is not there.  Needs: uprobe.
. "$LIB"
trace -n 'pid$target:a.out:no_such_function:entry' -c "$TRIGGERS/calls 1"
same "$status" 1 status
contains "failed to lookup 'no_such_function' in module 'a.out'" err
trace -n 'pid4194303:::entry'
same "$status" 1 "status without process"
contains 'failed to grab process 4194303' err
