/* SPDX-License-Identifier: BSD-2-Clause */
/* Where code can be: near its file, not behind the heap. */
#include "patch/patch.h"
#include "test.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static const struct address_range program = { 0x400000, 0x500000 };

TEST(the_nearest_gap)
{
	const struct address_range used[] = {
		{ 0x7f0000000000, 0x7f0000200000 },
		{ 0x7f0000201000, 0x7f0000300000 },
		{ 0x7f0000310000, 0x7f0000400000 },
	};
	struct patch_space s = { used, 3, 0x10000, 1ull << 47, 0 };
	uint64_t at;
	CHECK(patch_room_find(&s, used[1], 0x1000, &at));
	CHECK_INT(at, 0x7f0000200000);
	CHECK(patch_room_find(&s, used[1], 0x2000, &at));
	CHECK_INT(at, 0x7f0000300000);
	CHECK(patch_room_find(&s, used[0], 0x8000, &at));
	CHECK_INT(at, 0x7f0000000000 - 0x8000);
	CHECK(!patch_room_find(&s, used[0], 0, &at));
	CHECK(!patch_room_find(&s, used[0], 3 * GIB, &at));
}

/* A program at 4 MiB: there is no room below it, above it is the heap. */
TEST(the_heap_can_grow)
{
	struct address_range used[] = { program, { 0x600000, 0x700000 } };
	struct patch_space s = { used, 2, 0x10000, 1ull << 47, 0x700000 };
	uint64_t at;
	CHECK(patch_room_find(&s, program, MIB, &at));
	CHECK_INT(at, 0x400000 - MIB);
	CHECK(patch_room_find(&s, program, 8 * MIB, &at));
	CHECK_INT(at, 0x700000 + GIB);
	/* Nothing else is free within 2 GiB. */
	struct address_range more[] = { program, { 0x600000, 0x700000 }, { 0x40000000, 4 * GIB } };
	s = (struct patch_space) { more, 3, 0x10000, 1ull << 47, 0x700000 };
	CHECK(patch_room_find(&s, program, 8 * MIB, &at));
	CHECK_INT(at, 0x700000);
}

TEST(all_of_it_is_within_2_gib)
{
	struct address_range used[] = { { 0x10000, 5 * GIB }, { 5 * GIB + MIB, 16 * GIB } };
	struct patch_space s = { used, 2, 0x10000, 1ull << 47, 0 };
	uint64_t at;
	CHECK(patch_room_find(&s, (struct address_range) { 4 * GIB, 4 * GIB + MIB }, MIB, &at));
	CHECK_INT(at, 5 * GIB);
	CHECK(!patch_room_find(&s, (struct address_range) { 3 * GIB, 3 * GIB + MIB }, MIB, &at));
	CHECK(!patch_room_find(&s, (struct address_range) { 7 * GIB, 7 * GIB + MIB }, MIB, &at));
	/* A file of 1.5 GiB: from both ends. */
	CHECK(!patch_room_find(&s, (struct address_range) { 6 * GIB, 7 * GIB + 512 * MIB }, MIB,
			       &at));
}

TEST_MAIN
