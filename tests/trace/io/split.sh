# What: a bio of a device of others (md), which splits it: one start and one done of the whole, and the requests of the pieces, some merged.  Only in a
# machine of make check-vm.  Needs: btf losetup.
. "$LIB"
need_guest "makes an array"
module load raid0
[ $? -ne 77 ] || skip "there is no module raid0"
truncate -s 8M one two && one=$(losetup -f --show one) && two=$(losetup -f --show two) || fail "no loop devices"
md=/sys/block/md127/md
trap 'echo clear >$md/array_state; losetup -d "$one"; losetup -d "$two"' EXIT
echo md127 >/sys/module/md_mod/parameters/new_array && echo none >$md/metadata_version && echo raid0 >$md/level &&
	echo 65536 >$md/chunk_size && echo 2 >$md/raid_disks || fail "no array"
slot=0
for disk in $one $two; do
	name=${disk#/dev/}
	cat "/sys/block/$name/dev" >$md/new_dev && echo 8192 >"$md/dev-$name/size" && echo $slot >"$md/dev-$name/slot" || fail "no part $name"
	slot=$((slot + 1))
done
echo active >$md/array_state || fail "not started"
# The kernel looks for partitions by blocks of 4096 bytes.
cat >test.d <<'E2'
io:::start /args[1]->dev_statname == "md127" && args[0]->b_bcount > 4096/ { @n["start", args[0]->b_blkno, args[0]->b_bcount] = count(); begun[arg0] = 1; }
io:::done /args[1]->dev_statname == "md127" && args[0]->b_bcount > 4096/ {
	@n["done", args[0]->b_blkno, args[0]->b_bcount] = count(); @p[begun[arg0] ? "paired" : "alone"] = count(); }
io:::start /(args[1]->dev_statname == $$1 || args[1]->dev_statname == $$2) && args[0]->b_bcount > 4096/ { @b["pieces"] = sum(args[0]->b_bcount); }
END { printa("%s %d %d %@d\n", @n); printa("%s %@d\n", @p); printa("%s %@d\n", @b); }
E2
must_trace -s test.d -c "/bin/sh -c 'dd if=/dev/zero of=/dev/md127 bs=256K count=1 oflag=direct 2>/dev/null; dd if=/dev/md127 of=/dev/null bs=8K skip=8 count=1 iflag=direct 2>/dev/null'" "${one#/dev/}" "${two#/dev/}"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<'E2'
done 0 262144 1
done 128 8192 1
paired 2
pieces 270336
start 0 262144 1
start 128 8192 1
E2
diff wanted sorted >differences || { cat differences; fail "other bios"; }
