# What: paths of openat by copyinstr, counted.
. "$LIB"
# A path on a page that the target itself has not touched yet cannot be read before the call
# (the kernel's system-call tracepoints may not sleep): a fault may be told for such a one.
trace -x evaltime=exec -n 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1)] = count(); }' -c "$TRIGGERS/syscalls 200"
same "$status" 0 status
n=$(counted openat)
grep -Eqx "  /dev/tty0/no such file +$n" out || fail "the path's count"
contains '/libc\.so\.6  *1$'
