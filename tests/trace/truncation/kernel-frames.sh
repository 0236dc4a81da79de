# What: a kernel.perf_event_max_stack below 127 that truncates stacks or depths is reported. Needs: btf.
. "$LIB"
# The limit is the whole machine's; we show another one to dtrace only, in its mount namespace.
echo 50 >limit
unshare -m mount --bind limit /proc/sys/kernel/perf_event_max_stack 2>/dev/null || skip "no mount namespaces"
limited() { # ARGUMENT...
	unshare -m sh -c 'mount --bind limit /proc/sys/kernel/perf_event_max_stack && exec "$@"' sh \
		"$DTRACE" -q -x ustack=fp "$@" >out 2>err
	same "$?" 0 "status of $*"
}
limited -n 'BEGIN { @[stack(51)] = count(); exit(0); }'
same "$(cat err)" "dtrace: stacks of 51 frames lowered to 50, the maximum" "a stack"
limited -n 'BEGIN { @[ustack()] = count(); exit(0); }'
same "$(cat err)" "dtrace: stacks of 100 frames lowered to 50, the maximum" "the frames that are usual"
limited -x maxframes=60 -n 'BEGIN { @[stack(70)] = count(); exit(0); }'
same "$(cat err)" "dtrace: stacks of 70 frames lowered to 50, the maximum" "maxframes above"
for depth in stackdepth ustackdepth; do
	limited -n "BEGIN { trace($depth); exit(0); }"
	same "$(cat err)" "dtrace: stack depth ends at 50, kernel.perf_event_max_stack" "$depth"
done
limited -n 'BEGIN { @[stack(50)] = count(); exit(0); }'
[ -s err ] && fail "told of a stack that is whole"
# Truncated ones are counted, and once in a firing that waits and runs again.
echo 3 >limit
limited -x dropsby=clause -n 'BEGIN { @[stack(9)] = count(); } BEGIN { trace(stackdepth); exit(0); }'
same "$(grep -c '^dtrace: of these, 1 stack in clause [12] ' err)" 2 "clauses of cut stacks"
contains '^dtrace: 2 stacks truncated to the maximum number of frames (kernel.perf_event_max_stack, at most 8192)$' err
echo 1 >limit
limited -n 'syscall::openat:entry /pid == $target/ { ustack(4); printf("path %s\n", copyinstr(arg1)); }' -c "$TRIGGERS/paths open 100"
lines=$(grep -c '^path' out)
[ "$lines" -ge 100 ] || fail "only $lines lines"
same "$(awk '/stacks* truncated/ { n += $2 } END { print n + 0 }' err)" "$lines" "stacks cut"
echo 50 >limit
limited -x maxframes=5 -n 'BEGIN { @[stack(70)] = count(); exit(0); }' # asked for
[ -s err ] && fail "told of what was asked for"
exit 0
