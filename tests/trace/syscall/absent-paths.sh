# What: paths in untouched pages are read all the same: every call, in threads and during samples, too.
. "$LIB"
must_trace -n 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1)] = count(); }' -c "$TRIGGERS/paths open 4000"
same "$(awk '/nowhere/ { n += $2 } END { print n }' out)" "$(counted open)" opens
same "$(value_of /nowhere/3)" 500 "one path"
must_trace -n 'syscall::openat:entry /pid == $target && copyinstr(arg1) != ""/ { @[copyinstr(arg1)] = count(); @t[tid] = count(); }
	syscall::openat:entry /pid == $target/ { @all = count(); }
	profile-997hz /pid == $target/ { @samples = count(); }
	END { printa(@); printa("all %@d\n", @all); }' -c "$TRIGGERS/paths threads 1000"
same "$(awk '/nowhere/ { n += $2 } END { print n }' out)" "$(counted threads)" "opens of threads"
same "$(value_of all)" $(($(counted threads) + 5)) "of a later clause" # with its own five files
