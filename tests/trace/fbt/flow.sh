# What: -F shows one open(2) through the kernel, with arrows.  Needs: kprobe btf.
. "$LIB"
"$DTRACE" -Fn 'syscall::openat:entry /pid == $target/ { self->on = 1; }
	fbt::do_filp_open:, fbt::vfs_open: /self->on/ {}
	syscall::openat:return /self->on/ { exit(0); }' -c '/bin/cat /etc/passwd' >all 2>err || fail "$(cat err)"
grep -E '(->|<-|=>|<=) ' all | sed 's/^ *[0-9]* *//; s/ *$//' >out
contains '^-> do_filp_open$'
contains '^-> vfs_open$'
contains '^<- vfs_open$'
contains '^<- do_filp_open$'
grep -q '^ *[0-9][0-9]*    -> vfs_open' all || { cp all out; fail "not indented"; }
exit 0
