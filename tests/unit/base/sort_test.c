/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/sort.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"
#include "test.h"

struct item {
	char name[3];
	uint64_t number;
	uint32_t was; /* its place before */
};

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 20;
}

static int by_was(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	return a->was < b->was ? -1 : a->was > b->was;
}

static int by_was_backwards(const void *left, const void *right)
{
	return by_was(right, left);
}

/* COUNT items whose numbers have BITS bits, above SHIFT: sorted, each once, and the same ones in
 * order. */
static void check_sorted(size_t count, unsigned bits, unsigned shift,
			 int (*compare)(const void *, const void *))
{
	struct item *items = mem_zalloc((count + 1) * sizeof(*items));
	bool *seen = mem_zalloc(count + 1);
	uint64_t state = count * 64 + bits;
	for (size_t i = 0; i < count; i++)
		items[i] =
			(struct item) { "ab", (next_random(&state) & ((1ull << bits) - 1)) << shift,
					(uint32_t)i };
	sort_by_number(items, count, sizeof(*items), offsetof(struct item, number), compare);
	for (size_t i = 0; i < count; i++) {
		CHECK(items[i].was < count && !seen[items[i].was]);
		seen[items[i].was] = true;
		CHECK(!i || items[i - 1].number <= items[i].number);
		if (i && items[i - 1].number == items[i].number)
			CHECK((items[i - 1].was < items[i].was) == (compare != by_was_backwards));
	}
	free(seen);
	free(items);
}

TEST(items_are_sorted_by_number)
{
	for (size_t count = 0; count < 40; count++)
		for (unsigned bits = 0; bits < 44; bits += 4)
			check_sorted(count, bits, 0, NULL);
	check_sorted(5000, 12, 0, NULL);
	check_sorted(5000, 43, 21, NULL);
	check_sorted(5000, 12, 50, NULL);
}

TEST(the_same_numbers_are_sorted_by_comparison)
{
	check_sorted(3000, 6, 30, by_was);
	check_sorted(3000, 6, 30, by_was_backwards);
	check_sorted(3000, 0, 0, by_was_backwards);
}

TEST(the_ends_of_the_range)
{
	uint64_t numbers[] = { UINT64_MAX, 0, 1ull << 63, UINT64_MAX - 1, 1 };
	sort_by_number(numbers, ARRAY_SIZE(numbers), sizeof(*numbers), 0, NULL);
	const uint64_t sorted[] = { 0, 1, 1ull << 63, UINT64_MAX - 1, UINT64_MAX };
	CHECK(memcmp(numbers, sorted, sizeof(sorted)) == 0);
	sort_by_number(NULL, 0, 8, 0, NULL);
}

TEST(items_until_a_number)
{
	struct {
		VECTOR(struct item) list;
	} v = { 0 };
	CHECK_INT(vector_until(&v.list, number, 5), 0);
	static const uint64_t numbers[] = { 3, 5, 5, UINT64_MAX };
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		vector_push(&v.list, ((struct item) { "a", numbers[i], (uint32_t)i }));
	CHECK_INT(vector_until(&v.list, number, 2), 0);
	CHECK_INT(vector_until(&v.list, number, 3), 1);
	CHECK_INT(vector_until(&v.list, number, 5), 3);
	CHECK_INT(vector_until(&v.list, number, UINT64_MAX - 1), 3);
	CHECK_INT(vector_until(&v.list, number, UINT64_MAX), 4);
	vector_free(&v.list);
}

TEST_MAIN
