# What: paths of openat by copyinstr, counted.
. "$LIB"
must_trace -x evaltime=exec -n 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1)] = count(); }' -c "$TRIGGERS/syscalls 200"
n=$(counted openat)
grep -Eqx "  /dev/tty0/no such file +$n" out || fail "the path's count"
contains '/libc\.so\.6  *1$'
