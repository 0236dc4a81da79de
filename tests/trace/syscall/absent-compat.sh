# What: 32-bit calls wait for absent memory with their own numbers and registers.
. "$LIB"
"$TRIGGERS/paths" compat 1 || skip "no system calls of 32-bit code here"
must_trace -n 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1), probefunc, arg0 == 4294967196] = count(); }' -c "$TRIGGERS/paths compat 800"
same "$(awk '/nowhere/ && $2 == "openat" && $3 == 1 { n += $4 } END { print n }' out)" "$(counted compat)" opens
