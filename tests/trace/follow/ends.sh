# What: tracing ends when all members have ended, not before.  Needs: uprobe.
. "$LIB"
must_trace -x follow=fork -n 'pid$target:a.out:work:entry { @[pid == $target] = count(); } END { printa("%d %@u\n", @); }' \
	-c "$TRIGGERS/family call 3 daemon 300 call 4 daemon 300 storm 5"
contains '^1 3$'
contains '^0 54$'
# Without follow, when the process itself has.
must_trace -n 'pid$target:a.out:work:entry { @ = count(); } END { printa("%@u\n", @); }' -c "$TRIGGERS/family call 3 daemon 300 call 4"
contains '^3$'
# At the end only the process of -c is killed.
must_trace -x follow=fork -n 'syscall::write:return /pid == $target/ { exit(0); }' -c "sh -c 'sleep 600 & echo \$!; sleep 600'"
kill -0 "$(head -n 1 out)" || fail "the child of the command is gone"
kill "$(head -n 1 out)"
