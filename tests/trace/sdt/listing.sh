# What: -lv shows each event's fields with types and names; the module is the event's group.  Needs: btf
. "$LIB"
"$DTRACE" -lvn 'sdt:sched::sched_process_exec' >out 2>err || fail "status $?"
contains 'args\[0\]: string filename$'
contains 'args\[1\]: pid_t pid$'
"$DTRACE" -lvn 'sdt:signal::signal_deliver' >out 2>err || fail "status $?"
contains 'args\[0\]: int sig$'
"$DTRACE" -lvvn 'sdt:sched::sched_switch' >out 2>err || fail "status $?"
contains 'Implementation: perf_event tracepoint'
"$DTRACE" -ln 'sdt:signal::' >out 2>err || fail "status $?"
contains ' signal_deliver$'
"$DTRACE" -xerrtags -n 'sdt:sched::sched_process_exec { trace(args.filenam); }' >out 2>err && fail "no such field"
grep -q 'D_ARGS_IDX.*did you mean filename' err || fail "no help"
"$DTRACE" -xerrtags -n 'sdt:sched::sched_process_e* { trace(args[0]); }' >out 2>err && fail "args[] of several"
grep -q D_ARGS_MULTI err || fail "$(cat err)"
exit 0
