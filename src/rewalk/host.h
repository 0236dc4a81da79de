/* SPDX-License-Identifier: BSD-2-Clause */
/* host - a copied stack as the run-time library's environment: the rest of runtime/port_native.h */
#ifndef REWALK_HOST_H
#define REWALK_HOST_H

#include <limits.h>

#include "rewalk/rewalk.h"
#include "runtime/port_native.h"

/* Of the current walk. */
struct rewalking {
	const struct rewalk_setup *setup;
	const struct stack_copy *copy;
	const char *bytes;    /* of the stack */
	uint64_t frames_size; /* in bytes */
	char *frames;	      /* where they go */
	char *pool;
	struct stack_walk walk;
};

static struct rewalking rewalking;

#define rt_walks ((char *)&rewalking.walk)
#define rt_unwind_pool (rewalking.pool)
#define rt_scratch (rewalking.frames)
#define rt_counters (rewalking.frames) /* of nothing that is called */
#define host_rt_walks_end sizeof(struct stack_walk)
#define host_rt_pool_mask ((uint64_t)rewalking.setup->pool_size - 1)
#define host_rt_slots_end (rewalking.frames_size)
#define host_rt_slot_size (rewalking.frames_size)
#define host_rt_string_size 0
#define host_rt_areas 1
#define host_rt_copy_pages 0

/* Pending return probes: a list of these, as the kernel's struct return_instance is. */
struct pending_return {
	uint64_t place, address, next;
};
static struct pending_return pending_returns[COPY_RETURNS];

#define host_rt_offset_return_stack (offsetof(struct pending_return, place))
#define host_rt_offset_return_address (offsetof(struct pending_return, address))
#define host_rt_offset_return_next (offsetof(struct pending_return, next))

#define MACHINE(name, value) static uint64_t host_rt_##name;
#include "abi/machine.def"
#undef MACHINE

/* Not called. */
#define host_rt_offset_file_inode 0
#define host_rt_offset_inode_sb 0
#define host_rt_offset_inode_number 0
#define host_rt_offset_inode_generation 0
#define host_rt_offset_inode_changed_s 0
#define host_rt_offset_inode_changed_ns 0
#define host_rt_offset_sb_device 0

static inline uint64_t port_area(void)
{
	return 0;
}

static inline long port_read_kernel(void *to, uint32_t size, const void *from)
{
	uint64_t offset = (uint64_t)from - (uint64_t)pending_returns;
	memset(to, 0, size);
	if (offset > sizeof(pending_returns) - size)
		return -EFAULT;
	memcpy(to, from, size);
	return 0;
}

static inline long port_read_user(void *to, uint32_t size, const void *from)
{
	uint64_t there = rewalking.copy->page_count * COPY_PAGE;
	uint64_t offset = (uint64_t)from - rewalking.copy->begin;
	memset(to, 0, size);
	if (!size || size > there || offset > there - size)
		return size ? -EFAULT : 0;
	for (uint64_t page = offset / COPY_PAGE; page <= (offset + size - 1) / COPY_PAGE; page++)
		if (rewalking.copy->absent >> page & 1)
			return -EFAULT;
	memcpy(to, rewalking.bytes + offset, size);
	return 0;
}

#endif
