# failed_part.py DISK ERRORS - the two parts of one request: the first one, which was read ahead, fails
#
# A disk that takes one request at a time is busy with another one.  So what is read ahead waits, and a
# read after it is merged with it.  The driver ends what may fail fast by itself, and goes on with the
# rest.  ERRORS is a file of scsi_debug.
import mmap
import os
import sys
import threading
import time

disk, errors = sys.argv[1:]
AHEAD, SIZE, ELSEWHERE = 1 << 20, 32768, 4 << 20


def read(at, size):
    fd = os.open(disk, os.O_RDONLY | os.O_DIRECT)
    assert os.preadv(fd, [mmap.mmap(-1, size)], at) == size


def being_read():
    with open("/sys/block/" + os.path.basename(disk) + "/inflight", encoding="ascii") as f:
        return int(f.read().split()[0])


busy = threading.Thread(target=read, args=(ELSEWHERE, 4096))
busy.start()
while being_read() == 0:
    time.sleep(0.01)
with open(errors, "w", encoding="ascii") as f:
    f.write("2 -1 0x28 0x01 0 0 0 0 0\n")  # the next read of all: no connection
with open(disk, "rb") as f:
    os.posix_fadvise(f.fileno(), AHEAD, SIZE, os.POSIX_FADV_WILLNEED)
    merged = threading.Thread(target=read, args=(AHEAD + SIZE, SIZE))
    merged.start()
    busy.join()
    merged.join()
