# What: a -c child's status is not passed on, except with -x childstatus; its death is reported.
. "$LIB"
trace -n 'BEGIN { }' -c "$TRIGGERS/dies 1 0 7"
same "$status" 0 status
trace -x childstatus -n 'BEGIN { }' -c "$TRIGGERS/dies 1 0 7"
same "$status" 7 "status with childstatus"
"$DTRACE" -n 'BEGIN { }' -c "$TRIGGERS/dies 1 0 7" >out 2>err
contains '^dtrace: pid [0-9]* exited with status 7$' err
"$DTRACE" -n 'BEGIN { }' -c "$TRIGGERS/dies 1 0 0" >out 2>err
contains '^dtrace: pid [0-9]* has exited$' err
