# What: entries and returns counted one by one, against the target's own counters.
. "$LIB"
must_trace -n 'syscall::getppid:entry, syscall::getppid:return, syscall::write:entry, syscall::openat:return
	/pid == $target/ { @[strjoin(probefunc, strjoin("-", probename))] = count(); }' -c "$TRIGGERS/syscalls 5000"
n=$(counted getppid)
same "$(value_of getppid-entry)" "$n" "entries"
same "$(value_of getppid-return)" "$n" "returns"
[ "$(value_of write-entry)" -ge "$n" ] || fail "writes"
