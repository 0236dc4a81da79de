/* SPDX-License-Identifier: BSD-2-Clause */
/* fcntl - flags of system calls on files and memory; open_flags.d has what differs by machine */
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
#pragma D binding "1.1" O_SYNC
#pragma D binding "1.1" O_TMPFILE
enum open_flag {
	O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_CREAT = 0100, O_EXCL = 0200, O_NOCTTY = 0400, O_TRUNC = 01000,
	O_APPEND = 02000, O_NONBLOCK = 04000, O_DSYNC = 010000, O_ASYNC = 020000, O_DIRECT = open_direct,
	O_LARGEFILE = open_largefile, O_DIRECTORY = open_directory, O_NOFOLLOW = open_nofollow, O_NOATIME = 01000000,
	O_CLOEXEC = 02000000, __O_SYNC = 04000000, O_SYNC = 04010000, O_PATH = 010000000, __O_TMPFILE = 020000000,
	O_TMPFILE = 020000000 | open_directory
};
inline enum open_flag open_flags[int flags] = (enum open_flag)flags;

#pragma D binding "1.1" O_ACCMODE
inline int O_ACCMODE = 3;
#pragma D binding "1.1" O_NDELAY
inline int O_NDELAY = O_NONBLOCK;
#pragma D binding "1.1" O_FSYNC
inline int O_FSYNC = O_SYNC;
#pragma D binding "1.1" O_RSYNC
inline int O_RSYNC = O_SYNC;

/* Descriptors are ints: (int)arg0 == AT_FDCWD of openat() and the like. */
enum descriptor { AT_FDCWD = -100 };
enum at_flag {
	AT_SYMLINK_NOFOLLOW = 0x100, AT_REMOVEDIR = 0x200, AT_SYMLINK_FOLLOW = 0x400, AT_NO_AUTOMOUNT = 0x800,
	AT_EMPTY_PATH = 0x1000, AT_STATX_FORCE_SYNC = 0x2000, AT_STATX_DONT_SYNC = 0x4000, AT_RECURSIVE = 0x8000
};
enum access_flag { AT_SYMLINK_NOFOLLOW = 0x100, AT_EACCESS = 0x200, AT_EMPTY_PATH = 0x1000 };
inline enum at_flag at_flags[int flags] = (enum at_flag)flags;
inline enum access_flag access_flags[int flags] = (enum access_flag)flags;

enum prot_flag {
	PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4, PROT_GROWSDOWN = 0x1000000, PROT_GROWSUP = 0x2000000
};
inline enum prot_flag prot_flags[int flags] = (enum prot_flag)flags;

/* Without CLONE_IO, which no enumerator can be. */
enum clone_flag {
	CLONE_NEWTIME = 0x80, CLONE_VM = 0x100, CLONE_FS = 0x200, CLONE_FILES = 0x400, CLONE_SIGHAND = 0x800,
	CLONE_PIDFD = 0x1000, CLONE_PTRACE = 0x2000, CLONE_VFORK = 0x4000, CLONE_PARENT = 0x8000,
	CLONE_THREAD = 0x10000, CLONE_NEWNS = 0x20000, CLONE_SYSVSEM = 0x40000, CLONE_SETTLS = 0x80000,
	CLONE_PARENT_SETTID = 0x100000, CLONE_CHILD_CLEARTID = 0x200000, CLONE_DETACHED = 0x400000,
	CLONE_UNTRACED = 0x800000, CLONE_CHILD_SETTID = 0x1000000, CLONE_NEWCGROUP = 0x2000000,
	CLONE_NEWUTS = 0x4000000, CLONE_NEWIPC = 0x8000000, CLONE_NEWUSER = 0x10000000, CLONE_NEWPID = 0x20000000,
	CLONE_NEWNET = 0x40000000
};
inline enum clone_flag clone_flags[int flags] = (enum clone_flag)flags;

enum whence { SEEK_SET = 0, SEEK_CUR = 1, SEEK_END = 2, SEEK_DATA = 3, SEEK_HOLE = 4 };
inline enum whence whence_name[int whence] = (enum whence)whence;
