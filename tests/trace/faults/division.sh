# What: division by zero goes to the message and to ERROR.
. "$LIB"
trace -n 'BEGIN { x = 0; trace(10 / x); } BEGIN { exit(0); }'
same "$status" 0 status
contains 'divide-by-zero in action #' err
must_fault -n 'BEGIN { x = 0; trace(10 % x); } ERROR { printf("fault %d\n", arg4); } BEGIN { exit(0); }'
same "$(head -n 1 out)" "fault 4" "ERROR's output"
trace -n 'int x; BEGIN /10 / x/ { trace("not reached"); } BEGIN { exit(0); }'
contains 'divide-by-zero in predicate' err
