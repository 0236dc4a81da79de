# What: -lv shows each tracepoint with its own arguments; vmlinux is every one's module.  Needs: btf
. "$LIB"
"$DTRACE" -lvn 'rawtp:vmlinux::sched_process_exec' >out 2>err || fail "status $?"
contains 'args\[0\]: struct task_struct \*'
contains 'args\[1\]: pid_t'
contains 'args\[2\]: struct linux_binprm \*'
"$DTRACE" -ln 'rawtp:::sched_process_*' >out 2>err || fail "status $?"
contains ' sched_process_exit$'
