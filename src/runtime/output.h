/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* output - records into this area's buffer, for the files that leave some */
#ifndef RUNTIME_OUTPUT_H
#define RUNTIME_OUTPUT_H

#include "runtime/flight.h"

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

/* Tracing ends: the consumer sees to it. */
static always_inline void drain(struct control *control)
{
	if (control->activity < ACTIVITY_DRAINING)
		control->activity = ACTIVITY_DRAINING;
}

/* A buffer is full: under bufpolicy=fill tracing ends. */
static always_inline void overflow(void)
{
	if (NUMBER(rt_policy) == POLICY_FILL)
		drain((struct control *)rt_control);
}

/* SIZE bytes of record; < 0: no room, and nobody has counted that. */
static always_inline long put(void *data, uint64_t size, uint64_t wake)
{
	struct control *control = (struct control *)rt_control;
	uint64_t cpu = port_cpu();
	uint64_t area = port_area_on(cpu);
	((struct record_header *)data)->cpu = cpu;
	if (NUMBER(rt_policy) == POLICY_RING)
		return flight_put(area, data, size);
	if (*(volatile uint32_t *)&control->activity != ACTIVITY_ACTIVE)
		wake = PORT_WAKE;
	long error = port_output(rt_ring(area), data, size, wake);
	if (error)
		overflow();
	return error;
}

/* What this area's buffer holds now. */
static always_inline uint64_t used_now(void)
{
	if (NUMBER(rt_policy) == POLICY_RING)
		return 0;
	return port_output_query(rt_ring(port_area()), BPF_RB_AVAIL_DATA);
}

/* The same where nobody has asked for room before. */
static always_inline long put_unasked(void *data, uint64_t size)
{
	uint64_t before = used_now();
	return put(data, size, wake_flags(before, before + room_of(size)));
}

/* A record of SIZE bytes put together in a slot, at AT; NULL when it cannot lie there. */
static always_inline void *record_in_slot(uint64_t at, uint64_t *size)
{
	void *data = scratch(at);
	OPAQUE(*size);
	if (!data || *size > NUMBER(rt_slot_size))
		return 0;
	OPAQUE(*size); /* else 6.1 says "R3 min value is negative": spilled before it was compared
			*/
	return data;
}

#endif
