# module.py find NAME | load NAME [PARAMETER] | unload NAME - a module of this kernel; status 77: it has none of this name
import ctypes, glob, lzma, os, platform, sys
init_module, delete_module = (175, 176) if platform.machine() == "x86_64" else (105, 106)
syscall = ctypes.CDLL(None, use_errno=True).syscall
what, name = sys.argv[1], sys.argv[2]
if what != "unload":
    found = glob.glob("/lib/modules/%s/**/%s.ko*" % (os.uname().release, name), recursive=True)
    if not found or what == "find":
        sys.exit(0 if found else 77)
    with (lzma.open if found[0].endswith(".xz") else open)(found[0], "rb") as file:
        image = file.read()
    failed = syscall(init_module, image, ctypes.c_ulong(len(image)), "".join(sys.argv[3:]).encode())
else:
    failed = syscall(delete_module, name.encode(), os.O_NONBLOCK)
if failed:
    sys.exit("%s %s: %s" % (what, name, os.strerror(ctypes.get_errno())))
