/* SPDX-License-Identifier: BSD-2-Clause */
/* fcntl - flags of open(), for fi_oflags */
#pragma D binding "1.1" O_ACCMODE
inline int O_ACCMODE = 3;
#pragma D binding "1.1" O_RDONLY
inline int O_RDONLY = 0;
#pragma D binding "1.1" O_WRONLY
inline int O_WRONLY = 1;
#pragma D binding "1.1" O_RDWR
inline int O_RDWR = 2;
#pragma D binding "1.1" O_CREAT
inline int O_CREAT = 0100;
#pragma D binding "1.1" O_EXCL
inline int O_EXCL = 0200;
#pragma D binding "1.1" O_NOCTTY
inline int O_NOCTTY = 0400;
#pragma D binding "1.1" O_TRUNC
inline int O_TRUNC = 01000;
#pragma D binding "1.1" O_APPEND
inline int O_APPEND = 02000;
#pragma D binding "1.1" O_NONBLOCK
inline int O_NONBLOCK = 04000;
#pragma D binding "1.1" O_NDELAY
inline int O_NDELAY = O_NONBLOCK;
#pragma D binding "1.1" O_DSYNC
inline int O_DSYNC = 010000;
#pragma D binding "1.1" O_ASYNC
inline int O_ASYNC = 020000;
#pragma D binding "1.1" O_NOATIME
inline int O_NOATIME = 01000000;
#pragma D binding "1.1" O_CLOEXEC
inline int O_CLOEXEC = 02000000;
#pragma D binding "1.1" O_SYNC
inline int O_SYNC = 04010000;
#pragma D binding "1.1" O_FSYNC
inline int O_FSYNC = O_SYNC;
#pragma D binding "1.1" O_RSYNC
inline int O_RSYNC = O_SYNC;
#pragma D binding "1.1" O_PATH
inline int O_PATH = 010000000;
#pragma D binding "1.1" O_TMPFILE
inline int O_TMPFILE = 020000000 | O_DIRECTORY;

/* A directory's descriptor of openat() and the like, which are ints: (int)arg0 == AT_FDCWD. */
inline int AT_FDCWD = -100;
