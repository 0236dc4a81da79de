/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* flight - records into a flight recorder (abi/state.h) */
#ifndef RUNTIME_FLIGHT_H
#define RUNTIME_FLIGHT_H

#include "runtime/runtime.h"

#define FLIGHT_TRIES 16 /* a try fails only if it is interrupted within these few instructions */

/* The position of UNITS that are now ours, or -1: an interrupted writer still owns them. */
static always_inline int64_t flight_claim(struct flight *f, uint64_t units)
{
	for (int i = 0; i < FLIGHT_TRIES; i++) {
		uint64_t word = *(volatile uint64_t *)&f->word;
		uint64_t head = word & FLIGHT_MASK;
		uint64_t floor = word < FLIGHT_WRITER ? head : word >> FLIGHT_BITS & FLIGHT_MASK;
		uint64_t next = (head + units) & FLIGHT_MASK;
		if (((next - floor) & FLIGHT_MASK) > NUMBER(rt_ring_size) / 8)
			return -1;
		uint64_t writers = (word & ~(FLIGHT_WRITER - 1)) + FLIGHT_WRITER;
		if (EXCHANGE_OWN(&f->word, word, writers | floor << FLIGHT_BITS | next) == word)
			return head;
	}
	return -1;
}

/* The word at POSITION, modulo the size of the data. */
static always_inline uint64_t *flight_word(struct flight *f, uint64_t position)
{
	uint64_t at = position * 8 & (NUMBER(rt_ring_size) - 8);
	OPAQUE(at);
	return (uint64_t *)((char *)(f + 1) + (at & (NUMBER(rt_ring_size) - 8)));
}

/* Areas share a recorder if there are more areas than CPUs were online. */
static always_inline long flight_put(uint64_t area, const void *data, uint64_t size)
{
	uint64_t n = area % NUMBER(rt_flight_count);
	OPAQUE(n);
	if (n >= NUMBER(rt_flight_count))
		return -1;
	struct flight *f = (struct flight *)(rt_flight + n * NUMBER(rt_flight_stride));
	uint64_t units = (size + FLIGHT_OVERHEAD + 7) / 8;
	int64_t position = flight_claim(f, units);
	if (position < 0)
		return -1;
	volatile uint64_t *first = flight_word(f, position);
	*first = 0;
	*flight_word(f, position + units - 1) = (uint64_t)position << 32 | units;
	port_copy((char *)first + 8, size, data);
	asm volatile("" : : : "memory"); /* the thread may be killed at any instruction */
	*first = (uint64_t)position << 32 | size;
	uint64_t before = FETCH_OWN(&f->word, -FLIGHT_WRITER);
	OPAQUE(before);
	return 0;
}

#endif
