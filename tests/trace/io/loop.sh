# What: reads and writes of a loop device: start and done are pairs by arg0, with size, place, device and direction.  Needs: btf losetup.
. "$LIB"
disk 4M
cat >test.d <<END
io:::start /args[1]->dev_statname == "$name"/ {
	@n["start", args[0]->b_flags & B_WRITE ? "write" : args[0]->b_flags & B_READ ? "read" : "?", args[0]->b_bcount, args[0]->b_blkno] = count();
	from[arg0] = timestamp; }
io:::done /args[1]->dev_statname == "$name"/ {
	@n["done", args[0]->b_flags & B_WRITE ? "write" : args[0]->b_flags & B_READ ? "read" : "?", args[0]->b_bcount, args[0]->b_blkno] = count(); }
io:::done /args[1]->dev_statname == "$name"/ {
	@p[from[arg0] ? "paired" : "alone", args[1]->dev_pathname, args[0]->b_error, args[0]->b_resid, args[0]->b_flags & (B_DONE | B_ERROR)] = count(); }
END { printa("%s %s %d %d %@d\n", @n); printa("%s %s %d %d %d %@d\n", @p); }
END
must_trace -s test.d -c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=4096 count=3 oflag=direct 2>err2; dd if=$loop of=/dev/null bs=8192 count=2 iflag=direct 2>err2'"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<END
done read 8192 0 1
done read 8192 16 1
done write 4096 0 1
done write 4096 16 1
done write 4096 8 1
paired $loop 0 0 2 5
start read 8192 0 1
start read 8192 16 1
start write 4096 0 1
start write 4096 16 1
start write 4096 8 1
END
diff wanted sorted >differences || { cat differences; fail "other requests"; }
# done alone knows the size, too: what start would save is saved without a clause on it
must_trace -n "io:::done /args[1]->dev_statname == \"$name\"/ { @[args[0]->b_bcount, args[0]->b_blkno] = count(); }" \
	-c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=4096 count=2 oflag=direct 2>err2'"
contains '^ *4096  *0  *1$'
contains '^ *4096  *8  *1$'
must_trace -n "io:::start /args[1]->dev_statname == \"$name\"/ { @[args[1]->dev_statname, execname] = quantize(args[0]->b_bcount); }" \
	-c "/bin/sh -c 'dd if=/dev/zero of=$loop bs=65536 count=4 oflag=direct 2>err2'"
# Some kernels give a request to its driver in a thread of their own (6.1).
contains "^ *$name  *\(dd\|kworker[^ ]*\) "
contains '^ *65536 |@* *4 '
