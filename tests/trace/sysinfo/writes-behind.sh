# What: writes to a device that nobody waits for: one for each page that a process hands over, none for one that it waits for.
# Needs: btf losetup python3.
. "$LIB"
disk 4M
cat >write.py <<'END'
import ctypes, mmap, os, sys
sync_file_range = ctypes.CDLL(None, use_errno=True).sync_file_range
BEFORE, WRITE, AFTER = 1, 2, 4
device, behind, waited = os.open(sys.argv[1], os.O_RDWR), int(sys.argv[2]), int(sys.argv[3])
page = mmap.PAGESIZE
for i in range(behind + waited):
    at = ctypes.c_int64(2 * i * page)
    os.pwrite(device, b"x" * page, at.value)
    # all three together are written as by fdatasync(2)
    if sync_file_range(device, at, ctypes.c_int64(page), WRITE if i < behind else BEFORE | WRITE | AFTER):
        sys.exit("sync_file_range: " + os.strerror(ctypes.get_errno()))
    sync_file_range(device, at, ctypes.c_int64(page), AFTER)
END
must_trace -n 'sysinfo:::bawrite /pid == $target/ { @n["behind"] = sum(arg0); }
	sysinfo:::bwrite /pid == $target/ { @n["all"] = sum(arg0); }' -c "/usr/bin/python3 write.py $loop 23 9"
same "$(value_of behind) of $(value_of all)" "23 of 32" "writes that nobody waits for"
