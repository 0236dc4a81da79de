# What: a function that is not there, as a name and as a pattern, and a process that is not there.  Executors: kernel process.  Needs: uprobe.
. "$LIB"
trace -n 'pid$target:a.out:no_such_function:entry' -c "$TRIGGERS/calls 1"
same "$status" 1 status
contains "failed to lookup 'no_such_function' in module 'a.out'" err
trace -n 'pid$target:a.out:malloc:entry' -c "$TRIGGERS/calls 1"
contains "failed to lookup 'malloc' in module 'a.out': libc.so.6 has it$" err
meant() { # FIELDS FULL - what is suggested for a description with fields left out
	trace -n "pid\$target:$1" -c "$TRIGGERS/calls 1"
	same "$status" 1 "status of $1"
	contains "(did you mean pid[0-9]*:$2?)$" err
}
meant :outer :outer:entry
meant outer :outer:entry
meant a.out:outer a.out:outer:entry
trace -n 'pid4194303:::entry'
same "$status" 1 "status without process"
contains 'failed to grab process 4194303' err
trace -n 'pid$target:a.out:zork*:entry' -c "$TRIGGERS/calls 1"
same "$status" 1 "status of a pattern"
contains 'probe description pid[0-9]*:a.out:zork\*:entry does not match any probes: no function there fits' err
cp "$TRIGGERS/calls" bare && strip bare || skip "no strip"
trace -n 'pid$target:a.out:zork*:entry' -c './bare 1'
contains 'does not match any probes: no function there fits: bare is stripped, only functions that it exports have names' err
trace -Zn 'pid$target:a.out:zork*:entry' -c './bare 1'
same "$status" 0 "status with -Z"
