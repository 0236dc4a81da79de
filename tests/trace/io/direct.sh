# What: the file of direct I/O is that which is read or written, of a device the one in /dev, also if its buffer is memory that processes share, or a mapped
# file: those are not; page-cache I/O of the same file has the same name.  Needs: btf losetup mkfs.ext4 unshare python3.
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
# device.py DEVICE BYTES - read it by a request that is not waited for at once, and then by one that is
cat >device.py <<'END'
import ctypes, mmap, os, platform, struct, sys
path, size = sys.argv[1], int(sys.argv[2])
memory = mmap.mmap(-1, size)
memory[:] = b"x" * size
fd = os.open(path, os.O_RDONLY | os.O_DIRECT)
setup, submit, getevents = (206, 209, 208) if platform.machine() == "x86_64" else (0, 2, 4)
call = ctypes.CDLL(None, use_errno=True).syscall
context, events = ctypes.c_ulong(), ctypes.create_string_buffer(32)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
request = ctypes.create_string_buffer(struct.pack("QIIHhIQQqQII", 0, 0, 0, 0, 0, fd, address, size, 0, 0, 0, 0))
requests = (ctypes.c_void_p * 1)(ctypes.addressof(request))
assert call(setup, 1, ctypes.byref(context)) == 0, ctypes.get_errno()
assert call(submit, context, ctypes.c_long(1), requests) == 1, ctypes.get_errno()
assert call(getevents, context, ctypes.c_long(1), ctypes.c_long(1), events, None) == 1
os.preadv(fd, [memory], 0)
END
direct= # it has no mark before 6.5
grep -q BIO_PAGE_PINNED /sys/kernel/btf/vmlinux && direct=direct
export buffers="shared private mounted/mapped"
cat >run.sh <<'END'
loop=$(losetup -f --show image) || exit 77
mkfs.ext4 -q -F "$loop" && mount "$loop" mounted || { losetup -d "$loop"; exit 77; }
truncate -s 65536 mounted/mapped
status=0
for buffer in $buffers; do
	"$DTRACE" -q -n "io:::start, io:::done /args[1]->dev_statname == \"${loop#/dev/}\" && args[0]->b_bcount == 65536/ {
		@[\"$buffer\", probename, args[0]->b_flags & B_READ ? \"read\" : \"write\", args[0]->b_flags & B_PHYS ? \"direct\" : \"\",
		args[2]->fi_pathname, args[2]->fi_fs, args[2]->fi_mount, args[2]->fi_oflags & O_ACCMODE] = count(); }
		END { printa(\"%s %s %s %s %s %s %s %d %@d\n\", @); }" \
		-c "python3 direct.py mounted/written $buffer" >>out 2>>err || status=1
done
umount mounted
for bytes in 65536 4194304; do
	"$DTRACE" -q -n "io:::start /args[1]->dev_statname == \"${loop#/dev/}\"/ {
		@[args[2]->fi_pathname, args[2]->fi_name, args[2]->fi_mount] = sum(args[0]->b_bcount); }
		END { printa(\"device %s %s %s %@d\n\", @); }" -c "python3 device.py $loop $bytes" >>out 2>>err || status=1
done
echo "$loop" >loop
losetup -d "$loop"
exit "$status"
END
unshare -m sh run.sh || { status=$?; [ $status -eq 77 ] && skip "no ext4 on a loop device"; fail "status $status"; }
[ ! -s err ] || fail "something on standard error"
at=$PWD/mounted
for buffer in $buffers; do
	for probe in start done; do
		contains "^$buffer $probe read $direct $at/written ext4 $at 2 1\$"
		contains "^$buffer $probe write $direct $at/written ext4 $at 2 1\$"
		contains "^$buffer $probe write  $at/written ext4 $at 0 1\$"
	done
done
loop=$(cat loop)
none='<unknown>'
[ "$direct" ] || none='<[a-z]*>'
for bytes in 65536 4194304; do
	contains "^device $loop ${loop#/dev/} /dev $bytes\$"
	contains "^device $none $none $none $bytes\$"
done
same "$(grep -c . out)" 22 "kinds of requests"
