# What: sizes nobody can have: a message and status 1, or lowered with a note; never a crash.
. "$LIB"
trace -b 1024g -n 'tick-10ms { trace(1); exit(0); }'
[ "$status" -eq 0 ] || [ "$status" -eq 1 ] || fail "status $status"
[ -s err ] || fail "no message"
trace -b 1 -n 'BEGIN { printf("%s", execname); exit(0); }'
[ "$status" -eq 0 ] || contains 'could not enable tracing' err
contains 'Enabling exceeds size of buffer: a record may need [0-9]* bytes, bufsize (-b) is 1$' err
