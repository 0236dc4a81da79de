# What: an action that is not there yet is refused, never ignored.
. "$LIB"
trace -x errtags -n 'BEGIN { trace(msgsize(0)); exit(0); }'
same "$status" 1 status
contains 'not yet supported' err
