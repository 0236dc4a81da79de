# What: -x disasm=8 prints whole programs, -x bpflog the verifier's log.
. "$LIB"
trace -x disasm=8 -S -n 'BEGIN { trace(execname); exit(0); }'
same "$status" 0 status
contains '^Disassembly of begin, ' err
contains 'call helper ' err
grep -q 'rt_\|call string' err && fail "a reference is left"
trace -x disasm=16 -S -n 'BEGIN { exit(3); }'
contains 'exit(3' err
trace -x bpflog -n 'BEGIN { exit(0); }'
same "$status" 0 status
contains "the verifier's log of begin" err
contains '^processed [0-9]* insns' err
trace -x bpflog -x bpflogsize=64k -n 'syscall:::entry { @[execname, ustack()] = count(); } BEGIN { exit(0); }'
same "$status" 0 "status with a log that is too long"
trace -x maxframes=1 -n 'BEGIN { stack(20); exit(0); }'
same "$(grep -c . out)" 1 "frames"
