# What: what matches nothing: an error when tracing, a notice when listing, fine with -Z.
. "$LIB"
trace -n 'syscall::no_such_call:entry'
same "$status" 1 status
same "$(head -n 1 err)" "dtrace: invalid probe specifier syscall::no_such_call:entry: probe description syscall::no_such_call:entry does not match any probes" message
trace -l -n 'syscall::no_such_call:entry'
same "$status" 0 "status of -l"
contains "dtrace: failed to match syscall::no_such_call:entry: No probe matches description" err
must_trace -Z -n 'syscall::no_such_call:entry' -n 'BEGIN { exit(0); }'
