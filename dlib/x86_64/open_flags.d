/* SPDX-License-Identifier: BSD-2-Clause */
/* open_flags - those of fcntl.d that differ by machine */
#pragma D binding "1.1" O_DIRECT
inline int O_DIRECT = 040000;
#pragma D binding "1.1" O_LARGEFILE
inline int O_LARGEFILE = 0100000;
#pragma D binding "1.1" O_DIRECTORY
inline int O_DIRECTORY = 0200000;
#pragma D binding "1.1" O_NOFOLLOW
inline int O_NOFOLLOW = 0400000;
