# What: stacks of BEGIN and of ERROR clauses, and of tracepoints, begin outside of our own programs and of what runs them; so does
# caller, and stackdepth does not count them.
. "$LIB"
trace -n 'BEGIN { stack(1); } BEGIN { x = 0; y = 1 / x; } ERROR { stack(1); } BEGIN { exit(0); }'
same "$status" 0 status
same "$(grep -c 'vmlinux`' out)" 2 "kernel frames"
grep -qF 'bpf`' out && fail "our own frames are shown"
must_trace -n 'rawtp:::sched_switch /pid == $target/ { @[stack(), caller] = count(); @depth[stackdepth] = count(); }' -c "$TRIGGERS/lives sleep 20"
contains 'vmlinux`__schedule+0x'
contains 'vmlinux`do_nanosleep+0x'
grep -q 'bpf`\|bpf_trace_run' out && fail "our own frames are shown at a tracepoint"
must_trace -qn 'rawtp:::sched_switch /pid == $target/ { printf("depth %d\n", stackdepth); stack(); exit(0); }' -c "$TRIGGERS/lives sleep 1"
same "$(grep -c '`' out)" "$(sed -n 's/^depth //p' out)" "frames of a stack of that depth"
exit 0
