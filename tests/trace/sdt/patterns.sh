# What: all events at once start and end in time; argN of differing records; the fields of too many are refused.  Needs: btf
. "$LIB"
begin=$(date +%s)
"$DTRACE" -n 'sdt::: { @[probename] = count(); } tick-1s { exit(0); }' >out 2>err || fail "status $?: $(cat err)"
took=$(($(date +%s) - begin))
[ "$took" -le 60 ] || fail "all events took $took seconds"
[ "$(grep -c . out)" -ge 20 ] || fail "only $(grep -c . out) events fired"
contains '^ *sched_switch '
grep -q 'left out' err || fail "nothing is said of those left out"
"$DTRACE" -n 'sdt::: { @[arg0] = count(); }' >out 2>err && fail "the fields of all"
grep -q 'fields of [0-9]* sdt probes .* some [0-9]* s in all.*-x sdtmax=' err || fail "$(cat err)"
must_trace -n 'sdt:sched::sched_process_* /pid == $target/ { @[probename] = sum(arg1 != 0); }' -c '/bin/sh -c "exec /bin/true"'
contains '^ *sched_process_exec  *1$'
