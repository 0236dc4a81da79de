# What: a discard is neither read nor write and moves no bytes, with its place and size; a flush has no place; iosnoop, iolatency and
# bitesize tell discards apart, vminfo and sysinfo do not count them.  Needs: btf losetup python3.
. "$LIB"
disk 8M
cat >child.py <<'END'
import fcntl, os, struct, sys
disk = os.open(sys.argv[1], os.O_RDWR)
os.pwrite(disk, b"x" * 8192, 0)
os.fsync(disk)
for begin, size in (1 << 20, 1 << 20), (4 << 20, 64 << 10):
    fcntl.ioctl(disk, 0x1277, struct.pack("QQ", begin, size)) # BLKDISCARD
END
python3 child.py "$loop" 2>err || skip "no discards: $(tail -n 1 err)"
cat >test.d <<'END'
io:::start,io:::done /args[1]->dev_statname == $$1/
{
	@[probename, args[0]->b_flags & B_DISCARD ? "discard" : args[0]->b_flags & B_WRITE ? "write" : "read",
	    args[0]->b_flags & (B_READ | B_WRITE) ? "moves" : "moves not", args[0]->b_blkno, args[0]->b_bcount, args[0]->b_bufsize, args[0]->b_resid] = count();
}
vminfo:::pgpgout,vminfo:::pgout,sysinfo:::bwrite /progenyof($target)/ { @n[probename] = sum(arg0); }
END { printa("%s %s %s %d %d %d %d %@d\n", @); printa("%s %@d\n", @n); }
END
must_trace -Zs test.d -c "python3 child.py $loop" "${loop#/dev/}"
for name in start done; do
	contains "^$name write moves 0 8192 8192 0 1\$"
	contains "^$name write moves 0 0 0 0 1\$"
	contains "^$name discard moves not 2048 0 1048576 0 1\$"
	contains "^$name discard moves not 8192 0 65536 0 1\$"
done
same "$(grep -c discard out)" 4 "discards"
same "$(value_of pgpgout) $(value_of pgout) $(value_of bwrite)" "$((8192 / $(getconf PAGESIZE))) 1 1" "what is written"
# A thread of the kernel gives some of them to the driver: tools show them without -c.
shows() {
	background -x switchrate=10hz -s "$1" "${loop#/dev/}"
	until_true 10 [ -s out ]
	python3 child.py "$loop"
	kill -INT "$pid"
	wait "$pid" || fail "$1: status $?: $(cat err)"
	[ ! -s err ] || fail "$1: $(cat err)"
}
shows iosnoop
same "$(awk 'NR > 1 && $5 == "D" { print $6, $7 }' out | tr '\n' ' ')" "2048 1048576 8192 65536 " "lines of iosnoop"
contains "^${loop#/dev/}  *discarded  *$((1048576 + 65536)) bytes"
contains "^${loop#/dev/}  *written  *8192 bytes"
shows iolatency
contains "^${loop#/dev/}  *discards  *2 "
shows bitesize
same "$(awk '$1 ~ /^[0-9]+$/ && NF > 3 { count += $(NF - 1); bytes += $NF } END { print count, bytes }' out)" "2 8192" "bitesize: a write and a flush"
