/* SPDX-License-Identifier: BSD-2-Clause */
/* lockstat - how a reader-writer lock is wanted; the key of a wait (providers/lockstat.prov) */
inline int RW_WRITER = 0;
inline int RW_READER = 1;

/* Flags of the kernel: 1 spins, 8 and 32 are mutexes, where a thread spins and sleeps for one lock. */
inline uint64_t lock_spinner[void *lock] = (uint64_t)lock ^ ((uint64_t)(cpu + 1) << 48);
inline uint64_t lock_waiter[void *lock, unsigned int how] =
	(how & (8 | 32)) || !(how & 1) ? (uint64_t)curthread : lock_spinner[lock];
