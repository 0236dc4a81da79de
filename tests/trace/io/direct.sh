# What: direct I/O has no file in args[2], also if its buffer is memory that processes share, or a mapped file: those are not what is read or written; page-cache I/O of the same file has its name.  Needs: btf losetup mkfs.ext4 unshare python3.
. "$LIB"
truncate -s 8M image
mkdir mounted
# direct.py FILE BUFFER - write the FILE from a buffer: "shared", "private", or another file; then the page cache's way
cat >direct.py <<'END'
import mmap, os, sys
path, buffer = sys.argv[1:]
if buffer == "shared":
    memory = mmap.mmap(-1, 65536)
elif buffer == "private":
    memory = mmap.mmap(-1, 65536, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
else:
    memory = mmap.mmap(os.open(buffer, os.O_RDWR), 65536)
memory[:] = b"x" * 65536
fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_DIRECT)
os.pwrite(fd, memory, 0)
os.preadv(fd, [memory], 0)
os.close(fd)
fd = os.open(path, os.O_RDWR)
os.pwrite(fd, b"y" * 65536, 0)
os.fsync(fd)
END
# Before 6.5 direct I/O has no mark: of a mapped file it has that file's name.
direct= buffers="shared private"
grep -q BIO_PAGE_PINNED /sys/kernel/btf/vmlinux && direct=direct buffers="$buffers mounted/mapped"
export buffers
cat >run.sh <<'END'
loop=$(losetup -f --show image) || exit 77
mkfs.ext4 -q -F "$loop" && mount "$loop" mounted || { losetup -d "$loop"; exit 77; }
truncate -s 65536 mounted/mapped
status=0
for buffer in $buffers; do
	"$DTRACE" -q -n "io:::start, io:::done /args[1]->dev_statname == \"${loop#/dev/}\" && args[0]->b_bcount == 65536/ {
		@[\"$buffer\", probename, args[0]->b_flags & B_READ ? \"read\" : \"write\", args[0]->b_flags & B_PHYS ? \"direct\" : \"\",
		args[2]->fi_name, args[2]->fi_fs] = count(); }
		END { printa(\"%s %s %s %s %s %s %@d\n\", @); }" \
		-c "python3 direct.py mounted/written $buffer" >>out 2>>err || status=1
done
umount mounted
losetup -d "$loop"
exit "$status"
END
unshare -m sh run.sh || { status=$?; [ $status -eq 77 ] && skip "no ext4 on a loop device"; fail "status $status"; }
for buffer in $buffers; do
	for probe in start done; do
		contains "^$buffer $probe read $direct <none> <none> 1\$"
		contains "^$buffer $probe write $direct <none> <none> 1\$"
		contains "^$buffer $probe write  written ext4 1\$"
	done
done
same "$(grep -c . out)" $((6 * $(echo $buffers | wc -w))) "kinds of requests"
