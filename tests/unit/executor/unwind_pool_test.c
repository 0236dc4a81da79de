/* SPDX-License-Identifier: BSD-2-Clause */
#include "executor/unwind_pool.h"

#include "base/time_unit.h"
#include "test.h"

#define SIZE 4096
#define HEAD sizeof(struct unwind_pool)
/* So that four of them fill the pool. */
#define QUARTER ((SIZE - HEAD) / 4 - UNWIND_USED_SIZE)

static _Alignas(8) char memory[SIZE];
static uint64_t now;
static char removed[64]; /* the inodes, in order */

static struct table_pool pool_new(void)
{
	memset(memory, 0, sizeof(memory));
	now = 5 * NS_PER_SECOND;
	removed[0] = '\0';
	return (struct table_pool) { .memory = (struct unwind_pool *)(void *)memory, .size = SIZE };
}

static struct unwind_key key_of(uint64_t inode)
{
	return (struct unwind_key) { .device = inode ? 8 : 0, .inode = inode };
}

static void note_removed(void *arg, const struct unwind_key *key)
{
	sprintf(removed + strlen(removed), "%d ", (int)key->inode);
}

static uint32_t place(struct table_pool *p, uint64_t inode, uint32_t size)
{
	struct unwind_key key = key_of(inode);
	return table_pool_place(p, &key, size, now, note_removed, NULL);
}

static void use(const struct table_pool *p, uint32_t at)
{
	memcpy(memory + at - UNWIND_USED_SIZE, &p->memory->epoch, UNWIND_USED_SIZE);
}

TEST(the_table_that_was_not_used_for_longest_goes)
{
	struct table_pool p = pool_new();
	uint32_t at[5];
	for (unsigned i = 1; i < 5; i++) {
		at[i] = place(&p, i, QUARTER);
		CHECK_INT(at[i], HEAD + (i - 1) * (QUARTER + UNWIND_USED_SIZE) + UNWIND_USED_SIZE);
	}
	CHECK_INT(place(&p, 5, QUARTER), 0); /* all were used just now */
	for (unsigned round = 0; round < 2; round++) {
		now += NS_PER_SECOND;
		CHECK_INT(place(&p, 5, SIZE), 0); /* larger than the pool: nothing goes for it */
		use(&p, at[1]);
		use(&p, at[4]);
	}
	use(&p, at[3]);
	CHECK_STR(removed, "");
	CHECK_INT(place(&p, 5, QUARTER), at[2]);
	CHECK_STR(removed, "2 ");
	CHECK_INT(place(&p, 6, 8), 0); /* the others are in use */
	table_pool_deinit(&p);
}

TEST(as_many_go_as_are_needed)
{
	struct table_pool p = pool_new();
	uint32_t first = place(&p, 1, QUARTER);
	for (unsigned i = 2; i < 5; i++)
		CHECK(place(&p, i, QUARTER));
	for (unsigned round = 0; round < 3; round++) {
		now += NS_PER_SECOND;
		CHECK_INT(place(&p, 9, SIZE), 0);
		use(&p, first);
	}
	uint32_t two = 2 * QUARTER;
	CHECK_INT(place(&p, 5, two), first + QUARTER + UNWIND_USED_SIZE);
	CHECK_STR(removed, "2 3 ");
	struct unwind_key key = key_of(4);
	CHECK(table_pool_forget(&p, &key));
	CHECK(!table_pool_forget(&p, &key));
	CHECK(place(&p, 6, 100)); /* in the gap */
	CHECK_STR(removed, "2 3 ");
	table_pool_deinit(&p);
}

TEST(the_vdso_stays)
{
	struct table_pool p = pool_new();
	uint32_t vdso = place(&p, 0, QUARTER);
	CHECK(place(&p, 1, QUARTER));
	for (unsigned round = 0; round < 3; round++) {
		now += NS_PER_SECOND;
		place(&p, 2, SIZE);
	}
	CHECK_INT(place(&p, 2, 4 * QUARTER), 0);
	CHECK_STR(removed, "1 ");
	CHECK_INT(vdso, HEAD + UNWIND_USED_SIZE);
	CHECK(!table_pool_remove_one(&p, note_removed, NULL));
	table_pool_deinit(&p);
}

TEST(of_too_many_files_without_tables_the_oldest_go)
{
	struct table_pool p = pool_new();
	struct unwind_key key = key_of(0);
	table_pool_note(&p, &key, note_removed, NULL);
	for (unsigned i = 1; i < UNWIND_FILES_MOST; i++) {
		removed[0] = '\0';
		key = key_of(i);
		table_pool_note(&p, &key, note_removed, NULL);
	}
	CHECK_STR(removed, "1024 ");
	CHECK(p.without.count < UNWIND_FILES_MOST);
	removed[0] = '\0';
	CHECK(table_pool_remove_one(&p, note_removed, NULL));
	CHECK_STR(removed, "1025 ");
	table_pool_deinit(&p);
}

TEST_MAIN
