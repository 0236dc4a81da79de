# What: all events at once start and end in time; argN of differing records; the fields of too many are refused.  Needs: btf
. "$LIB"
traces_all 'sdt:::'
"$DTRACE" -n 'sdt::: { @[arg0] = count(); }' >out 2>err && fail "the fields of all"
grep -q 'fields of [0-9]* sdt probes .* some [0-9]* s in all.*-x sdtmax=' err || fail "$(cat err)"
must_trace -n 'sdt:sched::sched_process_* /pid == $target/ { @[probename] = sum(arg1 != 0); }' -c '/bin/sh -c "exec /bin/true"'
contains '^ *sched_process_exec  *1$'
