# What: a pattern of differing prototypes has argN and no args[]; all tracepoints at once start and end in time.  Needs: btf
. "$LIB"
"$DTRACE" -en 'rawtp:::sched_process_* { trace(arg0); }' >out 2>err || fail "argN of several: $(cat err)"
"$DTRACE" -xerrtags -en 'rawtp:::sched_process_* { trace(args[0]); }' >out 2>err && fail "args[] of several"
grep -q D_ARGS_MULTI err || fail "$(cat err)"
begin=$(date +%s)
"$DTRACE" -n 'rawtp::: { @[probename] = count(); } tick-1s { exit(0); }' >out 2>err || fail "status $?: $(cat err)"
took=$(($(date +%s) - begin))
[ "$took" -le 60 ] || fail "all tracepoints took $took seconds"
[ "$(grep -c . out)" -ge 20 ] || fail "only $(grep -c . out) tracepoints fired"
contains '^ *sched_switch '
grep -q 'left out' err || fail "nothing is said of those left out"
