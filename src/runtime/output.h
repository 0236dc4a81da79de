/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* output - records into this CPU's buffer, for the files that leave some */
#ifndef RUNTIME_OUTPUT_H
#define RUNTIME_OUTPUT_H

#include "runtime/runtime.h"

/*
 * The consumer comes by itself a few times a second.  It is woken when a buffer passes a
 * multiple of wake_bytes (a power of two), so a mark that two firings passed together unseen is
 * made good by the next; and by every record once tracing ends.
 */
static always_inline uint64_t wake_flags(uint64_t before, uint64_t after)
{
	struct control *control = (struct control *)rt_control;
	return (before ^ after) >= control->wake_bytes ? PORT_WAKE : PORT_NO_WAKE;
}

/* What a record takes in the buffer: a header of 8 bytes, rounded up. */
static always_inline uint64_t room_of(uint64_t size)
{
	return (size + 8 + 7) & -8;
}

/* SIZE bytes of record; < 0: no room, and nobody has counted that. */
static always_inline long put(void *data, uint64_t size, uint64_t wake)
{
	struct control *control = (struct control *)rt_control;
	uint64_t cpu = port_cpu();
	if (*(volatile uint32_t *)&control->activity != ACTIVITY_ACTIVE)
		wake = PORT_WAKE;
	((struct record_header *)data)->cpu = cpu;
	return port_output(rt_ring(cpu), data, size, wake);
}

/* The same where nobody has asked for room before. */
static always_inline long put_unasked(void *data, uint64_t size)
{
	uint64_t before = port_output_query(rt_ring(port_cpu()), BPF_RB_AVAIL_DATA);
	return put(data, size, wake_flags(before, before + room_of(size)));
}

#endif
