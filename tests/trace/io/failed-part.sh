# What: of a request whose first part fails and whose rest does not, b_error, b_resid and B_ERROR of done say so; a request of the same memory after it
# has no error.  Only in a machine of make check-vm.  Needs: btf.
. "$LIB"
need_guest "makes a disk that fails"
module load sd_mod
module load scsi_debug "max_queue=1 delay=250 dev_size_mb=8" # 1 s each
[ $? -ne 77 ] || skip "there is no module scsi_debug"
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug || fail "no debugfs"
i=0
until disk=$(ls /sys/block | grep '^sd'); do # found by a thread of the kernel
	i=$((i + 1))
	[ $i -lt 100 ] || fail "no disk"
	sleep 0.1
done
errors=$(ls -d /sys/kernel/debug/scsi_debug/*:*:*:*)/error
[ -e "$errors" ] || skip "scsi_debug makes no errors"
echo mq-deadline >"/sys/block/$disk/queue/scheduler" || fail "no scheduler"
cat >test.d <<'END2'
io:::start /args[1]->dev_statname == $$1/ {
	begun[arg0] = 1;
	@n["start", args[0]->b_blkno, args[0]->b_bcount, 0, "0", 0] = count();
}
io:::done /begun[arg0]/ {
	@n["done", args[0]->b_blkno, args[0]->b_bcount, args[0]->b_resid, errno_name[args[0]->b_error],
		(args[0]->b_flags & B_ERROR) != 0] = count();
	begun[arg0] = 0;
}
END { printa("%s %d %d %d %s %d %@d\n", @n); }
END2
must_trace -s test.d -c "/bin/sh -c '/usr/bin/python3 $checkout/tests/trace/io/failed_part.py /dev/$disk $errors &&
	dd if=/dev/$disk of=/dev/null bs=64K skip=16 count=1 iflag=direct 2>/dev/null'" "$disk"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<'END2'
done 2048 65536 0 0 0 1
done 2048 65536 32768 EIO 1 1
done 8192 4096 0 0 0 1
start 2048 65536 0 0 0 2
start 8192 4096 0 0 0 1
END2
diff wanted sorted >differences || { cat differences; fail "other requests"; }
