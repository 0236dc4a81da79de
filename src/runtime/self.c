/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Self variables: one block for each thread, in task storage, so that a look-up
 * costs 13 ns, needs no key, and a thread's end frees it.
 */
#include "runtime/runtime.h"

void *rt_self_find(void)
{
	return port_task_storage(rt_self, port_task(), 0, 0);
}

#define PF_EXITING 4 /* include/linux/sched.h */

static always_inline int is_ending(void)
{
	uint32_t flags = 0;
	port_read_kernel(&flags, sizeof(flags),
			 (void *)(port_task_number() + NUMBER(rt_offset_task_flags)));
	return flags & PF_EXITING;
}

/* The block of TASK, made if there is none; a new block gets a serial number that includes BITS. */
static always_inline uint64_t *make_block(void *task, uint64_t bits, uint64_t *before)
{
	struct control *control = (struct control *)rt_control;
	uint64_t *block = port_task_storage(rt_self, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!block)
		return 0;
	uint64_t serial = __sync_fetch_and_add(&control->serials, 1) + 1;
	*before = __sync_val_compare_and_swap(block, 0, serial | bits);
	return block;
}

/*
 * A block begins with a serial number, the thread's name in the keys of self arrays: unlike
 * addresses and pids it is never used again.
 *
 * The limit is dynvarsize.  self_live counts blocks; rt_thread_exit(), which runs at each thread's
 * end while self variables are in use, decrements it.  A thread that is ending already makes a
 * block that is never counted.  An interrupting firing may make the block of the same thread: the
 * firing that sets its serial number counts it, others undo their count.
 */
void *rt_self_make(void)
{
	void *task = port_task();
	uint64_t *block = port_task_storage(rt_self, task, 0, 0);
	if (block && *(volatile uint64_t *)block)
		return block;
	struct control *control = (struct control *)rt_control;
	uint64_t before = 0;
	if (is_ending()) {
		block = make_block(task, SELF_RELEASED, &before);
		if (!block)
			COUNT(dynamic);
		return block;
	}
	if (__sync_fetch_and_add(&control->self_live, 1) < control->self_limit) {
		block = make_block(task, 0, &before);
		if (block) {
			if (before)
				ADD_SHARED(&control->self_live, -1);
			return block;
		}
	}
	ADD_SHARED(&control->self_live, -1);
	COUNT(dynamic);
	return 0;
}

/*
 * The program at sched_process_exit: the current thread ends.  Its block is freed with it.  We do
 * not delete the block: the kernel refuses this (EBUSY) while it changes any task's storage on
 * this CPU, and the thread's last firings may still use the block.
 */
long rt_thread_exit(void *context)
{
	uint64_t *block = port_task_storage(rt_self, port_task(), 0, 0);
	if (!block || *(volatile uint64_t *)block == 0)
		return 0;
	struct control *control = (struct control *)rt_control;
	if (!(__sync_fetch_and_or(block, SELF_RELEASED) & SELF_RELEASED))
		ADD_SHARED(&control->self_live, -1);
	return 0;
}
