/* SPDX-License-Identifier: BSD-2-Clause */
/* open_flags - flags of open() and mmap(), some of which differ by machine */
#pragma D binding "1.1" O_RDONLY
#pragma D binding "1.1" O_WRONLY
#pragma D binding "1.1" O_RDWR
#pragma D binding "1.1" O_CREAT
#pragma D binding "1.1" O_EXCL
#pragma D binding "1.1" O_NOCTTY
#pragma D binding "1.1" O_TRUNC
#pragma D binding "1.1" O_APPEND
#pragma D binding "1.1" O_NONBLOCK
#pragma D binding "1.1" O_DSYNC
#pragma D binding "1.1" O_ASYNC
#pragma D binding "1.1" O_DIRECT
#pragma D binding "1.1" O_LARGEFILE
#pragma D binding "1.1" O_DIRECTORY
#pragma D binding "1.1" O_NOFOLLOW
#pragma D binding "1.1" O_NOATIME
#pragma D binding "1.1" O_CLOEXEC
#pragma D binding "1.1" O_PATH
/* A bit each; fcntl.d has those of several. */
enum open_flag {
	O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_CREAT = 0100, O_EXCL = 0200, O_NOCTTY = 0400, O_TRUNC = 01000,
	O_APPEND = 02000, O_NONBLOCK = 04000, O_DSYNC = 010000, O_ASYNC = 020000, O_DIRECT = 040000,
	O_LARGEFILE = 0100000, O_DIRECTORY = 0200000, O_NOFOLLOW = 0400000, O_NOATIME = 01000000,
	O_CLOEXEC = 02000000, __O_SYNC = 04000000, O_PATH = 010000000, __O_TMPFILE = 020000000
};
inline enum open_flag open_flags[int flags] = (enum open_flag)flags;

enum map_flag {
	MAP_FILE = 0, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MAP_32BIT = 0x40, MAP_GROWSDOWN = 0x100,
	MAP_DENYWRITE = 0x800, MAP_EXECUTABLE = 0x1000, MAP_LOCKED = 0x2000, MAP_NORESERVE = 0x4000,
	MAP_POPULATE = 0x8000, MAP_NONBLOCK = 0x10000, MAP_STACK = 0x20000, MAP_HUGETLB = 0x40000, MAP_SYNC = 0x80000,
	MAP_FIXED_NOREPLACE = 0x100000
};
inline enum map_flag map_flags[int flags] = (enum map_flag)flags;
