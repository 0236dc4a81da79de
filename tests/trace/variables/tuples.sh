# What: aggregations by several keys, sorted by value.
. "$LIB"
must_trace -n 'syscall::getppid:entry, syscall::write:entry /pid == $target/ { @[execname, probefunc, arg0 == 4] = count(); }' \
	-c "$TRIGGERS/syscalls 300"
awk '$1 == "syscalls" { n[$2] += $NF } END { exit !(n["getppid"] == 300 && n["write"] >= 300) }' out || fail "counts"
