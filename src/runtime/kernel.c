/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The state of the kernel's locks, threads and open files */
#include "runtime/runtime.h"

/* The word at ADDRESS; a fault of the slot AT when it cannot be read. */
static always_inline uint64_t word_or_fault(uint64_t at, uint64_t address, uint64_t place)
{
	uint64_t word = 0;
	if (port_read_kernel(&word, sizeof(word), (void *)(address + place)) < 0)
		fault(at, FAULT_BADADDR, address);
	return word;
}

#define MUTEX_FLAGS 7 /* kernel/locking/mutex.h: waiters, hand-off, pick-up */

long rt_mutex_owner(uint64_t at, uint64_t address)
{
	return word_or_fault(at, address, NUMBER(rt_offset_mutex_owner)) & ~(uint64_t)MUTEX_FLAGS;
}

long rt_mutex_owned(uint64_t at, uint64_t address)
{
	uint64_t owner = word_or_fault(at, address, NUMBER(rt_offset_mutex_owner));
	return (owner & ~(uint64_t)MUTEX_FLAGS) == port_task_number();
}

/* A queued rwlock (asm-generic/qrwlock.h): a byte of the writer, a bit for one that waits. */
#define WRITER_HOLDS 0xff
#define WRITER_WAITS 0x100

static always_inline uint64_t lock_count(uint64_t at, uint64_t address)
{
	return (uint32_t)word_or_fault(at, address, NUMBER(rt_offset_rwlock_count));
}

long rt_rw_read_held(uint64_t at, uint64_t address)
{
	return lock_count(at, address) >> 9 != 0; /* the readers */
}

long rt_rw_write_held(uint64_t at, uint64_t address)
{
	return (lock_count(at, address) & WRITER_HOLDS) == WRITER_HOLDS;
}

long rt_rw_iswriter(uint64_t at, uint64_t address)
{
	return (lock_count(at, address) & (WRITER_HOLDS | WRITER_WAITS)) != 0;
}

/*
 * Registers of the current thread that a trap does not save: selectors as of when the thread last
 * left a CPU, the last trap that the kernel noted for it.  N counts from uregs[R_DS] on; after
 * those that D has names for comes the base of fs.  The kernel has the one that it was asked to
 * set, as C libraries do it; not one that the thread has set by wrfsbase since it last left a CPU.
 */
long rt_thread_register(uint64_t n)
{
	uint64_t task = port_task_number();
	if (n == 4)
		return word_at(task + NUMBER(rt_offset_task_trap));
	if (n == 5)
		return word_at(task + NUMBER(rt_offset_task_fs_base));
	uint64_t place = n == 0	  ? NUMBER(rt_offset_task_ds)
			 : n == 1 ? NUMBER(rt_offset_task_es)
			 : n == 2 ? NUMBER(rt_offset_task_fs_selector)
				  : NUMBER(rt_offset_task_gs_selector);
	return half_at(task + place) & 0xffff;
}

/* The struct file of descriptor FD of the current process, or 0. */
long rt_kernel_word(uint64_t address)
{
	return word_at(address);
}

long rt_getf(int64_t fd)
{
	uint64_t files = word_at(port_task_number() + NUMBER(rt_offset_task_files));
	if (!files) /* a thread that ends */
		return 0;
	uint64_t table = word_at(files + NUMBER(rt_offset_files_table));
	uint32_t count = half_at(table + NUMBER(rt_offset_table_count));
	uint64_t list = word_at(table + NUMBER(rt_offset_table_list));
	if (fd < 0 || fd >= count)
		return 0;
	return word_at(list + (uint64_t)fd * sizeof(uint64_t));
}
