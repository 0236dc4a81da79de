# What: a bad kernel address faults; the next clause runs.
. "$LIB"
trace -n 'BEGIN { trace(*(int *)16); printf("not reached\n"); } BEGIN { printf("next\n"); exit(0); }'
same "$status" 0 status
same "$(head -n 1 out)" next output
contains '^dtrace: error on enabled probe ID [0-9]* (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #1' err
