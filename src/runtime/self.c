/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Self variables: one block for each thread, in task storage, so that a look-up
 * costs 13 ns, needs no key, and a thread's end frees it (facts/kernel.md 3).
 */
#include "runtime/runtime.h"

void *rt_self_find(void)
{
	return port_task_storage(rt_self, port_task(), 0, 0);
}

/*
 * A block begins with a serial number, the thread's name in the keys of self
 * arrays: it never comes back, as addresses and pids do.
 *
 * The limit is dynvarsize.  self_live counts blocks; rt_thread_exit(), which
 * runs at each thread's end while self variables are in use, counts down.
 * What interrupts us may make the block of the same thread: it is counted by who
 * gives it its number, and others take their count back.
 */
void *rt_self_make(void)
{
	void *task = port_task();
	uint64_t *block = port_task_storage(rt_self, task, 0, 0);
	if (block && *(volatile uint64_t *)block)
		return block;
	struct control *control = (struct control *)rt_control;
	if (__sync_fetch_and_add(&control->self_live, 1) < control->self_limit) {
		block = port_task_storage(rt_self, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (block) {
			uint64_t serial = __sync_fetch_and_add(&control->serials, 1) + 1;
			if (__sync_val_compare_and_swap(block, 0, serial) != 0)
				__sync_fetch_and_add(&control->self_live, -1);
			return block;
		}
	}
	__sync_fetch_and_add(&control->self_live, -1);
	COUNT(dynamic);
	return 0;
}

/* The program at sched_process_exit: the thread that ends is the current one. */
long rt_thread_exit(void *context)
{
	if (port_task_storage_delete(rt_self, port_task()) == 0) {
		struct control *control = (struct control *)rt_control;
		__sync_fetch_and_add(&control->self_live, -1);
	}
	return 0;
}
