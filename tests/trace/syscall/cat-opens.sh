# What: what cat opens: printf and trace in one record, by the name of the program.
. "$LIB"
echo text >file
must_trace -n 'syscall::open*:entry /execname == "cat"/ { printf("%s %d\n", execname, pid); trace(copyinstr(arg1)); }' \
	-c "cat $PWD/file"
contains '^text$'
contains '^cat [1-9][0-9]*$'
contains "^$PWD/file"
# all of them, though most of the paths are in pages that only the kernel will touch
must_trace -n 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1)] = count(); } syscall::openat:entry /pid == $target/ { @all = count(); }
	END { printa("%s %@d\n", @); printa("all %@d\n", @all); }' -c "cat $PWD/file"
same "$(awk '/^\// { n += $2 } END { print n }' out)" "$(value_of all)" "cat's opens"
