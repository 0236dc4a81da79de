# What: syscall::: enabled as a whole; every entry has its return, except exit and the call in flight.
. "$LIB"
must_trace -n 'syscall:::entry /pid == $target/ { @["entries"] = count(); }
	syscall:::return /pid == $target/ { @["returns"] = count(); }' -c "$TRIGGERS/syscalls 1000"
difference=$(($(value_of entries) - $(value_of returns)))
[ "$difference" -ge 0 ] && [ "$difference" -le 2 ] || fail "entries and returns differ by $difference"
[ "$(value_of entries)" -ge 5000 ] || fail "too few"
