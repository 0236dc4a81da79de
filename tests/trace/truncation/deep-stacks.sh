# What: a stack deeper than the kernel's walk by frame pointers is counted if more frames were requested, otherwise not.  Needs: uprobe jsonschema.
# Executors: kernel (it has stacks of the kernel).
. "$LIB"
limit=$(cat /proc/sys/kernel/perf_event_max_stack)
[ "$limit" -ge 127 ] && [ "$limit" -le 8000 ] || skip "kernel.perf_event_max_stack is $limit here"
message='truncated to the maximum number of frames (kernel.perf_event_max_stack, at most 8192)$'
deep() { # ACTIONS [OPTION...] - at the end of more calls than that
	actions=$1
	shift
	trace -x ustack=fp "$@" -n "pid\$target::pushed_leaf:entry { $actions }" -c "$TRIGGERS/stacks $((limit + 70))"
	same "$status" 0 "status of $actions"
}
more=$((limit + 1))
for asked in "ustack($((limit + 73)))" "@[ustack($more)] = count()" 'trace(ustackdepth)' 'printf("%k", jstack(10000))'; do
	deep "$asked;"
	same "$(grep -c "^dtrace: 1 stack $message" err)" 1 "messages of $asked"
done
# Nothing is truncated without a request for more, and all requested frames are recorded.
for asked in "ustack($limit)" 'ustack()' '@[ustack(1)] = count()' 'stack(); trace(stackdepth)'; do
	deep "$asked;"
	[ -s err ] && fail "told of $asked"
done
inner=$((limit - 1)) # behind the leaf
for asked in "ustack($limit)" "@[ustack($limit)] = count()" "printf(\"%k\", ustack($more))"; do
	deep "$asked;"
	same "$(grep -c 'stacks`pushed_leaf' out) $(grep -c 'stacks`pushed_inner+' out)" "1 $inner" "frames of $asked"
done
deep 'trace(ustackdepth);'
same "$(tr -d " \n" <out)" "$limit" "a depth"
deep "ustack($more);" -x maxframes=20 # that is what was wanted
[ -s err ] && fail "told of maxframes"
deep 'trace(ustackdepth);' -x maxframes=20
same "$(tr -d " \n" <out) $(cat err)" "20 " "a depth that maxframes limits"

# No more calls than that: the stack ends.
trace -x ustack=fp -n "pid\$target::pushed_leaf:entry { ustack($((limit + 73))); trace(ustackdepth); }" -c "$TRIGGERS/stacks 100"
same "$(cat err)" "dtrace: stacks of $((limit + 73)) frames lowered to $limit, the maximum" "messages of a stack that is whole"

# A tag, clauses, and JSON: as for truncated strings.
deep "@[ustack($more)] = count(); } pid\$target::pushed_leaf:entry { n = ustackdepth + ustackdepth;" -x dropsby=clause -x droptags
contains "^dtrace: \[DTRACEDROP_STACK\] 3 stacks $message" err
contains '^dtrace: \[DTRACEDROP_STACK\] of these, 1 stack in clause 1 ' err
contains '^dtrace: \[DTRACEDROP_STACK\] of these, 2 stacks in clause 2 ' err
deep 'trace(ustackdepth);' -x oformat=json
check_json
contains '"tag":"DTRACEDROP_STACK","count":1,'
contains '"drops":0,"cuts":1}$'
