/* SPDX-License-Identifier: BSD-2-Clause */
/* piece_test - addresses in scratch memory are those of the firing's pieces, or of none */
#include "host.h"

#include "runtime/piece.c"

#define TABLE 128 /* in the slot */

static struct slot *slot;
static uint64_t at, base;
static struct piece *pieces;

static void reset(unsigned number)
{
	memset(rt_scratch, 0, sizeof(rt_scratch));
	at = (uint64_t)number * HOST_SLOT;
	slot = (struct slot *)(void *)(rt_scratch + at);
	base = (uintptr_t)slot;
	slot->address = base;
	pieces = (struct piece *)(void *)(rt_scratch + at + TABLE);
	pieces[0] = (struct piece) { 1000, 1008 };
	pieces[2] = (struct piece) { 2000, 2000 };
}

static long test(uint64_t offset, uint64_t size)
{
	return rt_piece_test(at + TABLE, base + offset, size, 3);
}

TEST(all_bytes_are_in_one_piece)
{
	reset(3);
	CHECK_INT(test(1000, 8), PIECE_INSIDE);
	CHECK_INT(test(1007, 1), PIECE_INSIDE);
	CHECK_INT(test(999, 1), PIECE_NONE);
	CHECK_INT(test(1000, 9), PIECE_NONE);
	CHECK_INT(test(1001, 8), PIECE_NONE);
	CHECK_INT(test(1008, 1), PIECE_NONE);
	CHECK_INT(test(1004, UINT64_MAX - 2), PIECE_NONE);
	pieces[1] = (struct piece) { 1008, 1016 };
	CHECK_INT(test(1004, 8), PIECE_NONE);
}

TEST(no_bytes_are_in_a_piece_up_to_its_end)
{
	reset(0);
	CHECK_INT(test(1000, 0), PIECE_INSIDE);
	CHECK_INT(test(1008, 0), PIECE_INSIDE);
	CHECK_INT(test(1009, 0), PIECE_NONE);
	CHECK_INT(test(2000, 0), PIECE_INSIDE);
	CHECK_INT(test(2000, 1), PIECE_NONE);
}

TEST(what_is_not_allocated_yet_is_no_piece)
{
	reset(1);
	CHECK_INT(test(0, 0), PIECE_NONE); /* both offsets of the table's second are 0 */
	CHECK_INT(test(0, 1), PIECE_NONE);
	CHECK_INT(rt_piece_test(at + TABLE, base + 1000, 8, 0), PIECE_NONE);
	CHECK_INT(rt_piece_test(at + TABLE, base + 2000, 0, 2), PIECE_NONE);
}

TEST(pieces_of_other_slots_are_none)
{
	reset(2);
	CHECK_INT(test(HOST_SLOT + 1000, 8), PIECE_NONE);
	CHECK_INT(test((uint64_t)-HOST_SLOT + 1000, 8), PIECE_NONE);
}

TEST(other_memory_is_not_scratch)
{
	reset(5);
	uint64_t begin = (uintptr_t)rt_scratch, end = begin + sizeof(rt_scratch);
	CHECK_INT(rt_piece_test(at + TABLE, 0, 8, 3), PIECE_OTHER);
	CHECK_INT(rt_piece_test(at + TABLE, UINT64_MAX, 8, 3), PIECE_OTHER);
	CHECK_INT(rt_piece_test(at + TABLE, begin - 8, 8, 3), PIECE_OTHER);
	CHECK_INT(rt_piece_test(at + TABLE, begin - 7, 8, 3), PIECE_NONE);
	CHECK_INT(rt_piece_test(at + TABLE, begin, 0, 3), PIECE_NONE);
	CHECK_INT(rt_piece_test(at + TABLE, end - 1, 8, 3), PIECE_NONE);
	CHECK_INT(rt_piece_test(at + TABLE, end, 8, 3), PIECE_OTHER);
}

TEST_MAIN
