# What: XFS reads blocks of its own data; a process waits once for each cluster of 32 inodes that it looks into: start and done with
# size, place, direction, device, and the same arg0.
# Needs: btf losetup python3.
. "$LIB"
"$DTRACE" -lqn io:::wait-start >list 2>err
grep -q wait-start list || skip "no probe: $(cat err)"
"$DTRACE" -qln rawtp:::xfs_buf_iowait >list 2>err
grep -q xfs_buf_iowait list || skip "no XFS in this kernel"
command -v mkfs.xfs >list || skip "no mkfs.xfs"
truncate -s 400M image
loop=$(losetup -f --show "$PWD/image" 2>err) || skip "no loop device: $(cat err)"
mkdir mounted
trap 'mountpoint -q mounted && umount mounted; losetup -d "$loop"' EXIT
mkfs.xfs -q -m crc=1 -i size=512 "$loop" 2>err || fail "no file system: $(cat err)"
mount "$loop" mounted 2>err || skip "not mounted: $(cat err)"
cat >make.py <<'E2'
import os
os.mkdir("mounted/many")
for i in range(1000):
    open("mounted/many/%d" % i, "w").close()
E2
cat >look.py <<'E2'
import os
entries = sorted((e.inode() // 32, e.name) for e in os.scandir("mounted/many"))
known = os.stat("mounted/many").st_ino // 32
one_of = {}
for cluster, name in entries:
    if cluster != known:
        one_of.setdefault(cluster, name)
os.getpgid(0)
for name in one_of.values():
    os.stat("mounted/many/" + name)
os.getpgid(0)
with open("looked", "w") as f:
    print(len(one_of), file=f)
E2
python3 make.py && umount mounted && mount "$loop" mounted || fail "no files"
name=${loop#/dev/}
cat >test.d <<E2
int looks;
syscall::getpgid:entry /pid == \$target/ { looks = !looks; }
io:::wait-start /pid == \$target && looks && args[0]->b_bcount == 32 * 512 && args[1]->dev_statname == "$name"/ {
	self->block = arg0;
	self->place = args[0]->b_blkno;
	@n[args[2]->fi_name] = count();
	@flags[args[0]->b_flags == (B_READ | B_PAGEIO), args[0]->b_edev == (args[1]->dev_major << 20 | args[1]->dev_minor)] = count();
}
io:::wait-done /self->block/ {
	@done[arg0 == self->block, args[0]->b_blkno == self->place, args[0]->b_flags == (B_READ | B_PAGEIO | B_DONE), args[0]->b_error] = count();
	self->block = 0;
}
END {
	printa("start %s %@d\n", @n);
	printa("flags %d %d %@d\n", @flags);
	printa("done %d %d %d %d %@d\n", @done);
}
E2
must_trace -qs test.d -c "python3 look.py"
wanted=$(cat looked)
[ "$wanted" -gt 20 ] || fail "$wanted clusters"
contains "^start <none> $wanted\$"
contains "^flags 1 1 $wanted\$"
contains "^done 1 1 1 0 $wanted\$"
