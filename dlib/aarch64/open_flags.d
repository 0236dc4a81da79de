/* SPDX-License-Identifier: BSD-2-Clause */
/* open_flags - those of fcntl.d that differ by machine */
inline int O_DIRECT = 0200000;
inline int O_LARGEFILE = 0400000;
inline int O_DIRECTORY = 040000;
inline int O_NOFOLLOW = 0100000;
