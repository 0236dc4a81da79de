/* SPDX-License-Identifier: BSD-2-Clause */
/* open_flags - those of fcntl.d that differ by machine */
inline int O_DIRECT = 040000;
inline int O_LARGEFILE = 0100000;
inline int O_DIRECTORY = 0200000;
inline int O_NOFOLLOW = 0400000;
