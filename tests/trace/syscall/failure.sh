# What: a call that fails returns -1 in arg0, the raw value in arg1, its errno; nothing else does.
. "$LIB"
must_trace -n 'syscall::openat:return /pid == $target && errno/ { @[errno, (int)arg0, (int)arg1] = count(); }
	syscall::getppid:return /pid == $target && (errno || (int)arg0 == -1)/ { @wrong = count(); }' -c "$TRIGGERS/syscalls 100"
# openat of a file below a device that is no directory: ENOTDIR, or ENOENT without /dev/tty0
grep -Eq "^ +(20 +-1 +-20|2 +-1 +-2) +100$" out || fail "errno of openat"
