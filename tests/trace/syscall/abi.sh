# What: syscallabi is the table that numbers the call, at entry and return.
. "$LIB"
must_trace -n 'syscall::openat:entry, syscall::openat:return /pid == $target/ { @[probename, syscallabi] = count(); }
	END { printa("%s %s %@d\n", @); }' -c "$TRIGGERS/paths other 1"
grep -q '32' out && fail "32-bit calls of 64-bit code"
contains '^entry 64 '
contains '^return 64 '
"$TRIGGERS/paths" compat 1 || skip "no system calls of 32-bit code here"
must_trace -n 'syscall::openat:entry, syscall::openat:return /pid == $target/ { @[probename, syscallabi] = count(); }
	END { printa("%s %s %@d\n", @); }' -c "$TRIGGERS/paths compat 20"
contains "^entry 32 $(counted compat)$"
contains "^return 32 $(counted compat)$"
