# What: one-liners for files: which are opened and by whom, reads and writes by process and size, bytes, the time of calls.  Needs: btf
. "$LIB"
must_trace -n 'syscall::openat:entry /pid == $target/ { printf("%s %s\n", execname, copyinstr(arg1)); }' -c '/bin/cat /etc/passwd'
contains '^cat /etc/passwd$'
must_trace -n 'syscall::openat:entry /pid == $target/ { @[execname, copyinstr(arg1)] = count(); }' -c "$TRIGGERS/syscalls 9"
contains '^ *syscalls  */dev/tty0/no such file  *9$'
must_trace -n 'syscall::read:entry,syscall::write:entry /pid == $target && arg2 == 16/ { @[execname, probefunc] = quantize(arg2); }' -c "$TRIGGERS/syscalls 9"
same "$(grep -c '^ *16 |@* 9 *$' out)" 2 "sizes of reads and writes"
must_trace -n 'sysinfo:::writech /pid == $target && arg0 == 16/ { @[execname] = sum(arg0); }' -c "$TRIGGERS/syscalls 9"
same "$(value_of syscalls)" "$((9 * 16))" "bytes written"
must_trace -n 'syscall::read:entry /pid == $target/ { self->t = timestamp; }
	syscall::read:return /self->t/ { @[execname] = quantize(timestamp - self->t); @n["reads"] = count(); self->t = 0; }' -c "$TRIGGERS/syscalls 50"
[ "$(value_of reads)" -ge 50 ] || fail "$(value_of reads) reads"
must_trace -n 'syscall:::return /pid == $target && errno/ { @[probefunc, errno] = count(); }' -c "$TRIGGERS/syscalls 9"
contains '^ *openat  *20  *9$'
