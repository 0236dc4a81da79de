# What: stacks of BEGIN and of ERROR clauses begin outside of our own programs.
. "$LIB"
trace -n 'BEGIN { stack(1); } BEGIN { x = 0; y = 1 / x; } ERROR { stack(1); } BEGIN { exit(0); }'
same "$status" 0 status
same "$(grep -c 'vmlinux`' out)" 2 "kernel frames"
grep -qF 'bpf`' out && fail "our own frames are shown"
exit 0
