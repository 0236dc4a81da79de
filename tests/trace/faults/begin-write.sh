# What: a write that fails in BEGIN, after freopen(), is reported as a failed write.
. "$LIB"
trace -w -n 'BEGIN { freopen("/dev/full"); printf("x\n"); } tick-1s { exit(0); }'
same "$status" 1 "a full device"
same "$(cat err)" 'dtrace: failed to write to /dev/full: No space left on device' message
