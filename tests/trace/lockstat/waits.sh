# What: threads that wait for a mutex and for a reader-writer lock: as often as a program makes them wait, as long as it lets
# them, for the lock that the kernel names.  Needs: btf python3.
. "$LIB"
# A thread that writes from a page that is not there yet holds the lock of the pipe or the file: until the page is filled.
cat >child.py <<'E2'
import ctypes, mmap, os, platform, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
PAGE = mmap.PAGESIZE
def control(code, *values):
    if libc.ioctl(pages, ctypes.c_ulong(code), ctypes.create_string_buffer(struct.pack("%dQ" % len(values), *values))):
        sys.exit("ioctl: %d" % ctypes.get_errno())
pages = libc.syscall({"x86_64": 323, "aarch64": 282}[platform.machine()], os.O_CLOEXEC)
if pages < 0:
    print("no userfaultfd(2)", file=open("skipped", "w"))
    sys.exit(0)
control(0xc018aa3f, 0xaa, 0, 0)                           # UFFDIO_API
def contend(hold, other):
    memory = mmap.mmap(-1, PAGE)
    at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    control(0xc020aa00, at, PAGE, 1, 0)                   # UFFDIO_REGISTER
    holder = threading.Thread(target=hold, args=(ctypes.c_void_p(at),))
    holder.start()
    os.read(pages, 32)                                    # it waits for the page
    second = threading.Thread(target=other)
    second.start()
    with open("/proc/self/task/%d/stat" % second.native_id) as f:
        while True:                                       # it waits for the lock
            f.seek(0)
            if f.read().split(")")[1].split()[0] == "D":
                break
    time.sleep(0.05)
    control(0xc020aa04, at, PAGE, 0, 0)                   # UFFDIO_ZEROPAGE
    holder.join()
    second.join()
ends = os.pipe()
for i in range(3):
    contend(lambda page: libc.write(ends[1], page, 1), lambda: os.write(ends[1], b"x"))
file = os.open("file", os.O_RDWR | os.O_CREAT)
for i in range(4):
    contend(lambda page: libc.pwrite(file, page, 1, 0), lambda: os.pwrite(file, b"x", 0))
E2
cat >test.d <<'E2'
/* Threads that begin and end may wait shortly for the lock of the memory. */
lockstat:::adaptive-block,lockstat:::rw-block /pid == $target && tid != pid && arg1 >= 50000000/ {
	@n[probename] = count(); @most[probename] = max(arg1); }
lockstat:::rw-block /pid == $target && tid != pid && arg1 >= 50000000/ { @how["writer"] = sum(args[2] == RW_WRITER); }
/* The lock of the wait is the one that the kernel reports at the end. */
lockstat:::adaptive-block,lockstat:::rw-block /pid == $target && tid != pid && arg1 >= 50000000/ { self->lock = arg0; self->kind = probename == "rw-block"; }
rawtp:::contention_end /pid == $target && tid != pid && self->lock/ { @same[self->kind ? "rw" : "mutex"] = sum(arg0 == self->lock); self->lock = 0; }
rawtp:::contention_begin /pid == $target && tid != pid && arg1 == 33/ { @spins["begun"] = count(); }
lockstat:::adaptive-spin /pid == $target && tid != pid/ { @spins["spun"] = count(); @little = max(arg1); }
END { printa("%s %@d\n", @n); printa("most-%s %@d\n", @most); printa("%s %@d\n", @how); printa("same-%s %@d\n", @same);
	printa("%s %@d\n", @spins); printa("longest %@d\n", @little); }
E2
trace_often -s test.d -c "$(command -v python3) child.py"
[ ! -f skipped ] || skip "$(cat skipped)"
same "$(value_of adaptive-block) $(value_of rw-block) $(value_of writer)" "3 4 4" "waits"
same "$(value_of same-mutex) $(value_of same-rw)" "3 4" "waits for the lock of the kernel"
for kind in adaptive-block rw-block; do
	[ "$(value_of most-$kind)" -lt 30000000000 ] || fail "a wait of $(value_of most-$kind) ns"
done
# where the owner sleeps, a thread spins only shortly, once
same "$(value_of spun)" "$(value_of begun)" "times of spinning"
[ "$(value_of longest)" -lt "$(value_of most-adaptive-block)" ] || fail "$(value_of longest) ns of spinning"
