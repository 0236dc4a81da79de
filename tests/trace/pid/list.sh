# What: -l shows functions of a process by glob.  Executors: kernel process.  Needs: uprobe.
. "$LIB"
trace -l -n 'pid$target:libc:mallo*:entry' -c "$TRIGGERS/calls 1"
same "$status" 0 status
grep -Eq ' +[0-9]+ +pid[0-9]+ +libc[^ ]* +malloc entry$' out || fail "malloc"
grep -v '^   ID' out | grep -vq ' [a-z_]*mallo[a-z_0-9]* entry$' && fail "more than asked for"
true
