/* SPDX-License-Identifier: BSD-2-Clause */
/* lockstat - how a reader-writer lock is wanted; the key of a wait (providers/lockstat.prov) */
inline int RW_WRITER = 0;
inline int RW_READER = 1;

/* The kernel's flags of a wait. */
inline unsigned int LCB_F_SPIN = 1;
inline unsigned int LCB_F_READ = 2;
inline unsigned int LCB_F_WRITE = 4;
inline unsigned int LCB_F_RT = 8;
inline unsigned int LCB_F_PERCPU = 16;
inline unsigned int LCB_F_MUTEX = 32;

/* A thread spins and sleeps for one mutex; a wait of others is either. */
inline int lock_is_mutex[unsigned int how] = how & (LCB_F_RT | LCB_F_MUTEX);
inline uint64_t lock_spinner[void *lock] = (uint64_t)lock ^ ((uint64_t)(cpu + 1) << 48);
inline uint64_t lock_waiter[void *lock, unsigned int how] =
	lock_is_mutex[how] || !(how & LCB_F_SPIN) ? (uint64_t)curthread : lock_spinner[lock];
