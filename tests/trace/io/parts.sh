# What: a request that the driver finishes in parts, and is given again in between, has one start and one done, with its place, size, what is left and the error; a request after it is counted as well.  Needs: btf losetup.
. "$LIB"
truncate -s 1M image || fail "no image"
loop=$(losetup -f --show --direct-io=on image) || skip "no loop device with direct I/O"
trap 'losetup -d "$loop"' EXIT
truncate -s 12K image # a read beyond ends with what there is
cat >test.d <<'END2'
io:::start /args[1]->dev_statname == $$1/ { begun[arg0] = timestamp;
	@n["start", args[0]->b_blkno, args[0]->b_bcount, 0, "none", 0] = count(); }
io:::done /args[1]->dev_statname == $$1/ {
	@n["done", args[0]->b_blkno, args[0]->b_bcount, args[0]->b_resid, args[0]->b_error == EIO ? "EIO" : args[0]->b_error ? "other" : "none",
		(args[0]->b_flags & B_ERROR) != 0] = count();
	@p[begun[arg0] ? "paired" : "alone"] = count(); begun[arg0] = 0; }
rawtp:::block_rq_requeue /stringof(((struct request *)arg0)->q->disk->disk_name) == $$1/ { @again["given back"] = count(); }
END { printa("%s %d %d %d %s %d %@d\n", @n); printa("%s %@d\n", @p); printa("%s %@d\n", @again); }
END2
must_trace -s test.d -c "/bin/sh -c 'dd if=$loop of=/dev/null bs=64K count=1 iflag=direct 2>/dev/null; dd if=$loop of=/dev/null bs=4K count=3 iflag=direct 2>/dev/null'" "${loop#/dev/}"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<'END2'
done 0 4096 0 none 0 1
done 0 65536 53248 EIO 1 1
done 16 4096 0 none 0 1
done 8 4096 0 none 0 1
given back 1
paired 4
start 0 4096 0 none 0 1
start 0 65536 0 none 0 1
start 16 4096 0 none 0 1
start 8 4096 0 none 0 1
END2
diff wanted sorted >differences || { cat differences; fail "other requests"; }
