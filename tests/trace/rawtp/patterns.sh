# What: a pattern of differing prototypes has argN and no args[]; all tracepoints at once start and end in time.  Needs: btf
. "$LIB"
"$DTRACE" -en 'rawtp:::sched_process_* { trace(arg0); }' >out 2>err || fail "argN of several: $(cat err)"
"$DTRACE" -xerrtags -en 'rawtp:::sched_process_* { trace(args[0]); }' >out 2>err && fail "args[] of several"
grep -q D_ARGS_MULTI err || fail "$(cat err)"
traces_all 'rawtp:::'
