/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* output - writes records into this area's buffer */
#ifndef RUNTIME_OUTPUT_H
#define RUNTIME_OUTPUT_H

#include "runtime/flight.h"

/*
 * The consumer reads the buffers a few times a second.  It is woken when a buffer passes a
 * multiple of wake_bytes (a power of two), so if two firings pass a mark together without a
 * wake-up, the next mark wakes the consumer; while tracing ends, every record does.
 */
static always_inline uint64_t wake_flags(uint64_t before, uint64_t after)
{
	struct control *control = (struct control *)rt_control;
	return (before ^ after) >= control->wake_bytes ? PORT_WAKE : PORT_NO_WAKE;
}

/* The bytes of a record in the buffer: with a header of 8 bytes, rounded up. */
static always_inline uint64_t record_room(uint64_t size)
{
	return (size + 8 + 7) & -8;
}

/* End tracing: the consumer stops the probes. */
static always_inline void tracing_drain(struct control *control)
{
	if (control->activity < ACTIVITY_DRAINING)
		control->activity = ACTIVITY_DRAINING;
}

/* A buffer is full: under bufpolicy=fill tracing ends. */
static always_inline void overflow(void)
{
	if (NUMBER(rt_policy) == POLICY_FILL)
		tracing_drain((struct control *)rt_control);
}

/* A record that may be longer than any of a clause follows: what an executor does for it. */
#ifndef port_large_record
#define port_large_record()
#endif

/* Write a record of SIZE bytes; < 0: no space, and the drop is not counted yet. */
static always_inline long record_put(void *data, uint64_t size, uint64_t wake)
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

/* The bytes used in this area's buffer now. */
static always_inline uint64_t used_now(void)
{
	if (NUMBER(rt_policy) == POLICY_RING)
		return 0;
	return port_output_query(rt_ring(port_area()), BPF_RB_AVAIL_DATA);
}

/* The same if the space was not checked before. */
static always_inline long put_unasked(void *data, uint64_t size)
{
	uint64_t before = used_now();
	return record_put(data, size, wake_flags(before, before + record_room(size)));
}

/* A record of SIZE bytes, assembled in a slot, at AT; NULL if AT is not valid for it. */
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
