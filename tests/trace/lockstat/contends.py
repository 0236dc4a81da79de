# A program whose threads wait for locks of the kernel: 3 times for a mutex, 4 times for a reader-writer lock, 50 ms each.
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
