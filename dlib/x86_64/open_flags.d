/* SPDX-License-Identifier: BSD-2-Clause */
/* open_flags - what differs by machine of open(), for fcntl.d, and of clone(), for syscall_args.d; flags of mmap() */
inline int open_direct = 040000;
inline int open_largefile = 0100000;
inline int open_directory = 0200000;
inline int open_nofollow = 0400000;
inline int clone_tls_first = 0; /* arguments of clone() */

enum map_flag {
	MAP_FILE = 0, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_SHARED_VALIDATE = 3, MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MAP_32BIT = 0x40,
	MAP_GROWSDOWN = 0x100, MAP_DENYWRITE = 0x800, MAP_EXECUTABLE = 0x1000, MAP_LOCKED = 0x2000, MAP_NORESERVE = 0x4000,
	MAP_POPULATE = 0x8000, MAP_NONBLOCK = 0x10000, MAP_STACK = 0x20000, MAP_HUGETLB = 0x40000, MAP_SYNC = 0x80000,
	MAP_FIXED_NOREPLACE = 0x100000
};
inline enum map_flag map_flags[int flags] = (enum map_flag)flags;
