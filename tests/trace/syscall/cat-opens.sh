# What: what cat opens: printf and trace in one record, by the name of the program.
. "$LIB"
echo text >file
must_trace -n 'syscall::open*:entry /execname == "cat"/ { printf("%s %d\n", execname, pid); trace(copyinstr(arg1)); }' \
	-c "cat $PWD/file"
contains '^text$'
contains '^cat [1-9][0-9]*$'
contains "^$PWD/file"
