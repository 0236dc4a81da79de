# What: a device without requests (zram): each bio has its start and its done, with size, place and direction; none with
# -x ioview=request.  Only in a machine of make check-vm.  Needs: btf.
. "$LIB"
need_guest "loads a module"
need_zram 16M
trap 'module unload zram' EXIT
cat >test.d <<'E2'
io:::start /args[1]->dev_statname == "zram0"/ {
	@n["start", args[0]->b_flags & B_WRITE ? "write" : "read", args[0]->b_bcount, args[0]->b_blkno] = count(); begun[arg0] = 1; }
io:::done /args[1]->dev_statname == "zram0"/ {
	@n["done", args[0]->b_flags & B_WRITE ? "write" : "read", args[0]->b_bcount, args[0]->b_blkno] = count();
	@p[begun[arg0] ? "paired" : "alone", args[0]->b_error, args[0]->b_flags & (B_DONE | B_ERROR)] = count(); }
END { printa("%s %s %d %d %@d\n", @n); printa("%s %d %d %@d\n", @p); }
E2
must_trace -s test.d -c "/bin/sh -c 'dd if=/dev/urandom of=/dev/zram0 bs=8192 count=3 oflag=direct 2>err2; dd if=/dev/zram0 of=/dev/null bs=4096 skip=1 count=2 iflag=direct 2>err2'"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<'E2'
done read 4096 16 1
done read 4096 8 1
done write 8192 0 1
done write 8192 16 1
done write 8192 32 1
paired 0 2 5
start read 4096 16 1
start read 4096 8 1
start write 8192 0 1
start write 8192 16 1
start write 8192 32 1
E2
diff wanted sorted >differences || { cat differences; fail "other bios"; }
read_once="dd if=/dev/zram0 of=/dev/null bs=4096 count=1 iflag=direct"
for view in bio request; do
	"$DTRACE" -x ioview=$view -qn 'io:::start, io:::done /args[1]->dev_statname == "zram0"/ { @ = count(); } END { printa("%@d", @); }' -c "$read_once" \
		>out 2>err || fail "$view: $(cat err)"
	same "$(tr -d '\n' <out)" "$([ $view = request ] || echo 2)" "events with ioview=$view"
done
