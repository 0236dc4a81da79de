# What: -S prints the bytecode with the source line above it, on standard error.
. "$LIB"
trace -S -e -n 'BEGIN { x = 41 + arg0; exit(0); }'
same "$status" 0 status
[ -s out ] && fail "output"
contains '^INS  *OFF  *OPCODE  *INSTRUCTION' err
grep -Eq '^ *[0-9]+ [0-9]+: [0-9a-f]{2} [0-9]+ [0-9]+ ' err || fail "no instruction"
contains 'x = 41 + arg0' err
