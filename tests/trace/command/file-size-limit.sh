# What: a file that may not grow, and -V to a full disk, are reported; no death by SIGXFSZ.
. "$LIB"
(ulimit -f 1; "$DTRACE" -q -o log -n 'tick-1ms { printf("%0256d\n", 1); }' 2>err)
same "$?" 1 status
contains '^dtrace: failed to write to log: File too large$' err
"$DTRACE" -V >/dev/full 2>err
same "$?" 1 "status of -V"
contains '^dtrace: failed to write to <stdout>: No space left on device$' err
# The failure has the name of the file that failed.
trace -w -n 'tick-10ms { freopen("/dev/full"); printf("x\n"); freopen(""); printf("y\n"); }'
same "$status" 1 "status of freopen()"
contains '^dtrace: failed to write to /dev/full: No space left on device$' err
