# What: a -c command or a -p process that is not there: one message, status 1.
. "$LIB"
trace -n 'BEGIN { exit(0); }' -c '/no/such/command now'
same "$status" 1 status
contains '^dtrace: failed to execute /no/such/command.*: No such file or directory$' err
trace -n 'BEGIN { exit(0); }' -p 4194303
same "$status" 1 "status of -p"
contains '^dtrace: failed to grab pid 4194303: No such process$' err
trace -n 'BEGIN { exit(0); }' -p 12x
same "$(cat err)" "dtrace: invalid pid: 12x" "message"
