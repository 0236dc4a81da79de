# programs.py ID... - status 0: the kernel has none of these BPF programs any more
import ctypes
import errno
import platform
import struct
import sys

BPF_PROG_GET_FD_BY_ID = 13
BPF = {"x86_64": 321, "aarch64": 280}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)


def exists(number):
    attributes = ctypes.create_string_buffer(struct.pack("=III", number, 0, 0), 128)
    if libc.syscall(BPF, BPF_PROG_GET_FD_BY_ID, attributes, 128) >= 0:
        return True
    if ctypes.get_errno() == errno.ENOENT:
        return False
    sys.exit(f"program {number}: error {ctypes.get_errno()}")


sys.exit(any([exists(int(word)) for word in sys.argv[1:]]))
