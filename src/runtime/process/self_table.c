/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* self_table - the table of threads that have self variables (struct self_thread) */
#include "runtime/runtime.h"

void *rt_self_make(void);
long rt_thread_exit(void *context);

/* No room in the table: the thread's variables are complete, but foreach does not see it. */
static always_inline void thread_list(uint64_t *block, uint64_t serial)
{
	const struct self_thread thread = { (uint64_t)block, port_task_number() };
	if (port_map_update(rt_threads, &serial, &thread, BPF_ANY))
		COUNT(dynamic);
}

/* An interrupting firing may make the block: then both put the same into the table. */
void *rt_self_make_listed(void)
{
	uint64_t *block = port_task_storage(rt_self, port_task(), 0, 0);
	if (block && *(volatile uint64_t *)block)
		return block;
	block = rt_self_make();
	if (!block)
		return 0;
	uint64_t serial = *(volatile uint64_t *)block;
	if (!(serial & SELF_RELEASED))
		thread_list(block, serial);
	return block;
}

long rt_self_copy(void *to, uint32_t size, const struct self_thread *t, const uint64_t *serial)
{
	if (port_read_kernel(to, size, (void *)t->block))
		return 0;
	return *(const uint64_t *)to == *serial;
}

long rt_thread_exit_listed(void *context)
{
	const uint64_t *block = port_task_storage(rt_self, port_task(), 0, 0);
	uint64_t serial = block ? *(volatile const uint64_t *)block : 0;
	rt_thread_exit(context);
	if (serial && !(serial & SELF_RELEASED))
		port_map_remove(rt_threads, &serial);
	return 0;
}
