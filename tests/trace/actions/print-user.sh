# What: print() of memory of the traced process: copied in, or by a userland pointer. Needs: btf.
. "$LIB"
must_trace -c 'cat /dev/null' -n '
	syscall::openat:entry /pid == $target/ { self->path = arg1; print(args[1]); }
	syscall::openat:return /self->path/ {
		print((userland struct list_head *)self->path);
		print((struct list_head *)copyin(self->path, sizeof (struct list_head)));
		print(*(userland struct list_head *)self->path);
		exit(0);
	}'
contains '^const char \*0x[0-9a-f]*$'
address=$(sed -n '1s/.*\*//p' out)
same "$(sed -n 2p out)" "$address = *" "the address of the path"
contains '^ \{44\}(struct list_head) {$'
same "$(grep -c '\.next = (struct list_head \*)0x[0-9a-f]*,$' out)" 2 "first members"
same "$(sed -n 's/.*\.next = .*\*)\(.*\),/\1/p' out | uniq)" "$(sed -n 's/.*list_head \*next = //p' out)" "its bytes"
