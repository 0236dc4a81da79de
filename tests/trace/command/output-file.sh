# What: -o appends.
. "$LIB"
must_trace -o log -n 'BEGIN { printf("one\n"); exit(0); }'
must_trace -o log -n 'BEGIN { printf("two\n"); exit(0); }'
[ -s out ] && fail "standard output was used"
same "$(grep . log | tr '\n' ' ')" "one two " "the file"
