# What: a stack deeper than what the kernel walks is counted where more of it was asked for, not else.  Needs: uprobe jsonschema.
. "$LIB"
limit=$(cat /proc/sys/kernel/perf_event_max_stack)
[ "$limit" = 127 ] || skip "kernel.perf_event_max_stack is $limit here"
message='cut to the most frames there are (127, or kernel.perf_event_max_stack)$'
deep() { # ACTIONS [OPTION...] - at the end of 200 calls
	actions=$1
	shift
	trace "$@" -n "pid\$target::pushed_leaf:entry { $actions }" -c "$TRIGGERS/stacks 200"
	same "$status" 0 "status of $actions"
}
for asked in 'ustack(200)' '@[ustack(128)] = count()' 'trace(ustackdepth)' 'printf("%k", jstack(1000))'; do
	deep "$asked;"
	same "$(grep -c "^dtrace: 1 stack $message" err)" 1 "messages of $asked"
done
for asked in 'ustack(127)' 'ustack()' '@[ustack(1)] = count()' 'stack(); trace(stackdepth)'; do
	deep "$asked;"
	[ -s err ] && fail "told of $asked"
done
deep 'ustack(200);' -x maxframes=20 # that is what was wanted
[ -s err ] && fail "told of maxframes"
deep 'trace(ustackdepth);' -x maxframes=20
contains "^dtrace: 1 stack $message" err

# No more calls than that: the stack ends.
trace -n 'pid$target::pushed_leaf:entry { ustack(200); trace(ustackdepth); }' -c "$TRIGGERS/stacks 100"
same "$(cat err)" "dtrace: stacks of 200 frames lowered to 127, the most there is" "messages of a stack that is whole"

# A tag, clauses, and JSON: as strings that are cut.
deep '@[ustack(300)] = count(); } pid$target::pushed_leaf:entry { n = ustackdepth + ustackdepth;' -x dropsby=clause -x droptags
contains "^dtrace: \[DTRACEDROP_STACK\] 3 stacks $message" err
contains '^dtrace: \[DTRACEDROP_STACK\] of these, 1 stack in clause 1 ' err
contains '^dtrace: \[DTRACEDROP_STACK\] of these, 2 stacks in clause 2 ' err
deep 'trace(ustackdepth);' -x oformat=json
check_json
contains '"tag":"DTRACEDROP_STACK","count":1,'
contains '"drops":0,"cuts":1}$'
