/* SPDX-License-Identifier: BSD-2-Clause */
/* fcntl - flags of open(), for fi_oflags */
inline int O_ACCMODE = 3;
inline int O_RDONLY = 0;
inline int O_WRONLY = 1;
inline int O_RDWR = 2;
inline int O_CREAT = 0100;
inline int O_EXCL = 0200;
inline int O_NOCTTY = 0400;
inline int O_TRUNC = 01000;
inline int O_APPEND = 02000;
inline int O_NONBLOCK = 04000;
inline int O_NDELAY = O_NONBLOCK;
inline int O_DSYNC = 010000;
inline int O_ASYNC = 020000;
inline int O_NOATIME = 01000000;
inline int O_CLOEXEC = 02000000;
inline int O_SYNC = 04010000;
inline int O_FSYNC = O_SYNC;
inline int O_RSYNC = O_SYNC;
inline int O_PATH = 010000000;
inline int O_TMPFILE = 020000000 | O_DIRECTORY;
