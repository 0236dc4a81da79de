/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of a program's memory follow each other, aligned, and are large enough. */
#include "abi/abi.h"
#include "test.h"

static const char first_table[40] = "first", second_table[128] = "second";
static const struct group_code groups[] = {
	{ .probe_table = first_table, .table_entries = 2, .table_entry_size = 20 },
	{ .probe_table = second_table, .table_entries = 4, .table_entry_size = 32 },
	{ .table_entries = 0 },
};

static struct program small_program(void)
{
	return (struct program) {
		.groups = groups,
		.group_count = 3,
		.constants = "constants",
		.constants_size = 9,
		.globals_size = 9,
		.keyless_size = 64,
		.slot_size = 256,
		.area_count = 3,
		.clause_count = 2,
	};
}

TEST(parts_of_the_state_follow_each_other)
{
	struct program p = small_program();
	struct regions r = state_regions(&p);
	CHECK_INT(r.counters, 320);
	CHECK_INT(r.globals, 320 + 3 * 128);
	CHECK_INT(r.keyless, 320 + 3 * 128 + 64);
	CHECK_INT(r.clause_drops, r.keyless + 3 * 64);
	CHECK_INT(r.size, r.clause_drops);
	p.drops_by_clause = true;
	CHECK_INT(state_regions(&p).size, r.size + 3 * 2 * sizeof(struct clause_drops));
}

TEST(scratch_memory_has_a_slot_more_than_firings_get)
{
	struct program p = small_program();
	CHECK_INT(scratch_slots_size(&p), 3 * 8 * 256);
	CHECK_INT(scratch_last_slot(&p), (3 * 8 - 1) * 256);
	CHECK_INT(scratch_size(&p), (3 * 8 + 1) * 256);
}

TEST(probe_tables_follow_the_constants)
{
	struct program p = small_program();
	char bytes[256] = "";
	CHECK_INT(constants_table(&p, 0), 64);
	CHECK_INT(constants_table(&p, 1), 128);
	CHECK_INT(constants_table(&p, 2), 256);
	CHECK_INT(constants_region_size(&p), sizeof(bytes));
	constants_fill(&p, bytes);
	CHECK_STR(bytes, "constants");
	CHECK_STR(bytes + constants_table(&p, 0), "first");
	CHECK_STR(bytes + constants_table(&p, 1), "second");
}

TEST_MAIN
