# What: a subroutine of D that Linux cannot have is refused, never ignored.
. "$LIB"
trace -x errtags -n 'BEGIN { trace(msgsize(0)); exit(0); }'
same "$status" 1 status
contains "is not provided" err
