# What: a write that fails in BEGIN, behind freopen(), is told as what it is.
. "$LIB"
trace -w -n 'BEGIN { freopen("/dev/full"); printf("x\n"); } tick-1s { exit(0); }'
same "$status" 1 "a full device"
same "$(cat err)" 'dtrace: failed to write to /dev/full: No space left on device' message
