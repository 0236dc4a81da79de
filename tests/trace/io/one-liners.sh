# What: one-liners for disks: requests by size and by time, bytes by process.  Needs: btf losetup
. "$LIB"
disk 4M
of_loop="args[1]->dev_statname == \"$name\""
write() { # BYTES COUNT
	echo "dd if=/dev/zero of=$loop bs=$1 count=$2 oflag=direct status=none"
}
must_trace -n "io:::start /$of_loop/ { @[execname] = quantize(args[0]->b_bcount); }" -c "$(write 8192 6)"
# Some kernels give a request to its driver in a thread of their own (6.1).
contains '^ *\(dd\|kworker[^ ]*\) *$'
contains '^ *8192 |@* 6 *$'
must_trace -n "io:::start /$of_loop/ { @[execname, args[0]->b_flags & B_READ ? \"read\" : \"write\"] = sum(args[0]->b_bcount); }" -c "$(write 4096 5)"
contains '^ *[dk][^ ]*  *write  *20480$'
must_trace -n "io:::start /$of_loop/ { start[arg0] = timestamp; }
	io:::done /start[arg0]/ { @[args[1]->dev_statname] = quantize(timestamp - start[arg0]); @n[\"timed\"] = count();
		@wrong[\"backwards\"] = sum(timestamp <= start[arg0]); start[arg0] = 0; }" -c "$(write 4096 7)"
contains "^ *$name *\$"
same "$(value_of timed) $(value_of backwards)" "7 0" "requests with a time"
