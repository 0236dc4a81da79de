# What: a full disk is reported, status 1, nothing hangs.
. "$LIB"
trace -o /dev/full -n 'tick-10ms { printf("a record\n"); }'
same "$status" 1 status
contains "^dtrace: failed to write to /dev/full: No space left on device$" err
trace -n 'tick-10ms { printf("a record\n"); }' -o /nowhere/file
same "$status" 1 status
contains "^dtrace: failed to open output file '/nowhere/file': No such file or directory$" err
