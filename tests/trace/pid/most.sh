# What: how many probes one description may mean, and -x pidmax, which says otherwise.  Executors: kernel process.  Needs: uprobe.
. "$LIB"
trace -x pidmax=3 -n 'pid$target:a.out:outer:' -c "$TRIGGERS/calls 1"
same "$status" 1 "status of too many"
contains 'a.out:outer: means more than 3 probes (-x pidmax=N allows more)' err
must_trace -x pidmax=500 -n 'pid$target:a.out:outer:entry, pid$target:a.out:outer:return { @ = count(); } END { printa("%@d\n", @); }' -c "$TRIGGERS/calls 1"
contains '^2$'
trace -l -n 'pid$target:::' -c "$TRIGGERS/calls 1"
contains '::: means more than 100000 probes' err
must_trace -x pidmax=2000000 -l -n 'pid$target:::' -c "$TRIGGERS/calls 1"
[ "$(wc -l <out)" -gt 100000 ] || fail "$(wc -l <out) lines"
