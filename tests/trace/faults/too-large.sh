# What: impossible sizes: a message and status 1, or lowered with a note; never a crash.
. "$LIB"
trace -b 1024g -n 'tick-10ms { trace(1); exit(0); }'
[ "$status" -eq 0 ] || [ "$status" -eq 1 ] || fail "status $status"
[ -s err ] || fail "no message"
must_trace -b 16 -n 'BEGIN { printf("%s", probename); exit(0); }' # a page is taken
same "$(cat out)" BEGIN "a buffer of a page"
trace -x bufresize=manual -b 100t -n 'BEGIN { exit(0); }'
contains 'the kernel has no buffers of more than 1g' err
trace -b 1 -x strsize=8192 -n 'BEGIN { printf("%s", probename); s = probename; printf("%s", s); exit(0); }'
[ "$status" -eq 0 ] || contains 'could not enable tracing' err
contains 'Enabling exceeds size of buffer: a record may need [0-9]* bytes, bufsize (-b) is [0-9]*$' err
