# What: a function whose implementation is chosen at run time is found by its name.  Needs: uprobe.
. "$LIB"
trace -c "$TRIGGERS/calls 100 1" -n 'pid$target:libc:strlen:entry { @ = count(); }'
same "$status" 0 "status: $(cat err)"
grep -Eq '^ +[1-9][0-9]*$' out || fail "strlen was never seen"
