/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Pointers into scratch memory: do they lead to a piece of the firing? */
#include "runtime/runtime.h"

/* Is a byte of the SIZE bytes at ADDRESS, or ADDRESS itself, in the memory of any slot? */
static always_inline int is_scratch(uint64_t slot_at, const struct slot *slot, uint64_t address,
				    uint64_t size)
{
	uint64_t end = NUMBER(rt_slots_end) + NUMBER(rt_slot_size);
	uint64_t first = address - (slot->address - slot_at), last = first + size - 1;
	return first < end || (size && last < end);
}

/*
 * AT: the table, of COUNT pieces, PIECES_MOST at most.  No bytes are in a piece up to its end,
 * where strings have their NUL.
 */
long rt_piece_test(uint64_t at, uint64_t address, uint64_t size, uint64_t count)
{
	const struct slot *slot = slot_of(at);
	const struct piece *pieces = scratch(at);
	if (!slot || !pieces)
		return PIECE_NONE;
	if (!is_scratch(at & ~(NUMBER(rt_slot_size) - 1), slot, address, size))
		return PIECE_OTHER;
	uint64_t offset = address - slot->address;
	for (uint64_t i = 0; i < PIECES_MOST; i++) {
		if (i >= count || i >= NUMBER(rt_slot_size) / sizeof(*pieces))
			break;
		uint64_t begin = pieces[i].begin, end = pieces[i].end;
		if (offset >= begin && offset <= end && size <= end - offset && end)
			return PIECE_INSIDE;
	}
	return PIECE_NONE;
}
