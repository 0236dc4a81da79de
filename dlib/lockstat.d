/* SPDX-License-Identifier: BSD-2-Clause */
/* lockstat - how a reader-writer lock is wanted */
inline int RW_WRITER = 0;
inline int RW_READER = 1;
