# What: probes at each instruction of a function fire in order, and by address.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -c "$TRIGGERS/calls 3" -n 'pid$target:a.out:inner:[0-9a-f]* { @[probename] = count(); }'
[ "$(grep -c ' 3$' out)" -ge 4 ] || fail "not each instruction three times"
must_trace -c "$TRIGGERS/calls 3" -n 'pid$target:a.out:inner:entry { @ = count(); }' \
	-n 'pid$target:a.out:inner:0 { @ = count(); }'
contains '^ *6$'
# The absolute address of main, by a process that is stopped.
"$TRIGGERS/spin" 60000 >/dev/null 2>&1 &
spinner=$!
trace -x errtags -n "pid$spinner::-:entry"
kill "$spinner"
same "$status" 1 "status of a pattern of addresses"
contains '\[D_PROC_NAME\]' err
trace -x errtags -c "$TRIGGERS/calls 1" -n 'pid$target:a.out:outer:2'
contains '\[D_PROC_ALIGN\] offset 0x2 is not aligned on an instruction of function .outer.' err
trace -x errtags -c "$TRIGGERS/calls 1" -n 'pid$target:a.out:outer:12345'
contains "\[D_PROC_OFF\] offset 0x12345 outside of function 'outer'" err
