/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flight - reading a flight recorder (abi/state.h): backward to where it begins, then forward
 *
 * Everything has stopped by now.  A writer that has not ended all the same (its thread was killed)
 * has left a record without its first word, or without its last one, too: it is visited as a
 * damaged one.  All before the floor, where the first of such writers has begun, is complete.
 */
#include "executor/flight.h"

#include <string.h>

#define FLIGHT_NEVER UINT64_MAX

void flight_init(struct flight_memory *f)
{
	f->read = mem_alloc(f->count * sizeof(*f->read));
	for (uint32_t n = 0; n < f->count; n++)
		f->read[n] = FLIGHT_NEVER;
}

void flight_deinit(struct flight_memory *f)
{
	free(f->read);
	*f = (struct flight_memory) { 0 };
}

struct recorder {
	const unsigned char *data;
	uint64_t units; /* of 8 bytes, in its whole memory */
};

typedef VECTOR(uint32_t) position_vector;

static uint64_t word_at(const struct recorder *r, uint64_t position)
{
	uint64_t word;
	memcpy(&word, r->data + position % r->units * 8, sizeof(word));
	return word;
}

/* Where records begin, the newest first, in the LEFT units before HEAD.  All of them? */
static bool find_records(const struct recorder *r, uint64_t head, uint64_t left,
			 position_vector *found)
{
	while (left) {
		uint64_t last = word_at(r, (head - 1) & FLIGHT_MASK);
		uint64_t units = last & UINT32_MAX, begin = last >> 32;
		if (units < FLIGHT_OVERHEAD / 8 || units > left ||
		    begin != ((head - units) & FLIGHT_MASK))
			return false; /* the rest of one that was overwritten, or nothing yet */
		vector_push(found, (uint32_t)begin);
		head = begin;
		left -= units;
	}
	return true;
}

/* Where no record begins: one that has no last word. */
#define POSITION_UNWRITTEN UINT32_MAX

/* The same in the LEFT units before the head that WORD of struct flight has. */
static void flight_find_all(const struct recorder *r, uint64_t word, uint64_t left,
			    position_vector *found)
{
	uint64_t head = word & FLIGHT_MASK;
	uint64_t floor = word < FLIGHT_WRITER ? head : word >> FLIGHT_BITS & FLIGHT_MASK;
	uint64_t unfinished = MIN((head - floor) & FLIGHT_MASK, left);
	if (!find_records(r, head, unfinished, found))
		vector_push(found, POSITION_UNWRITTEN);
	find_records(r, floor, left - unfinished, found);
}

static struct error *visit_at(const struct recorder *r, uint32_t position, bytes_visit_fn *visit,
			      void *arg)
{
	if (position == POSITION_UNWRITTEN)
		return visit(arg, r->data, 0);
	uint64_t first = word_at(r, position);
	bool is_whole = first >> 32 == position && first != 0;
	return visit(arg, r->data + position % r->units * 8 + 8, is_whole ? (uint32_t)first : 0);
}

struct error *flight_drain(struct flight_memory *f, unsigned n, bytes_visit_fn *visit, void *arg)
{
	const char *memory = (const char *)f->memory + (size_t)n * f->stride;
	const struct flight *flight = (const void *)memory;
	struct recorder r = { .data = (const unsigned char *)(flight + 1), .units = f->size / 8 };
	uint64_t word = __atomic_load_n(&flight->word, __ATOMIC_ACQUIRE), head = word & FLIGHT_MASK;
	uint64_t news = (head - f->read[n]) & FLIGHT_MASK;
	if (f->read[n] == FLIGHT_NEVER)
		news = r.units;
	position_vector found = { 0 };
	flight_find_all(&r, word, MIN(news, r.units), &found);
	f->read[n] = head;
	struct error *err = NULL;
	for (size_t i = found.count; i-- > 0 && !err;)
		err = visit_at(&r, found.items[i], visit, arg);
	vector_free(&found);
	return err;
}
