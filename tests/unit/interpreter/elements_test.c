/* SPDX-License-Identifier: BSD-2-Clause */
/* elements_test - maps of the interpreter: elements are found until they are removed */
#include "interpreter/internal.h"
#include "test.h"

#define MOST 1000 /* elements: more than one chunk, and more than buckets */

static const struct map_layout layout = { .key_size = 12, .value_size = 20, .max_entries = MOST };

struct key {
	uint32_t word[3];
};

struct value {
	uint32_t word[5];
};

static struct key key_of(uint32_t n)
{
	return (struct key) { { 7, n, ~n } };
}

static bool put(struct elements *e, uint32_t n, uint32_t first)
{
	struct key key = key_of(n);
	struct value value = { { first, 1, 2, 3, n } };
	return elements_put(e, &key, &value);
}

/* The first word of N's value, or -1. */
static int64_t get(const struct elements *e, uint32_t n)
{
	struct key key = key_of(n);
	struct value value;
	const char *at = elements_find(e, &key);
	if (!at)
		return -1;
	memcpy(&value, at, sizeof(value));
	return value.word[4] == n ? (int64_t)value.word[0] : -2;
}

static bool take_away(struct elements *e, uint32_t n)
{
	struct key key = key_of(n);
	return elements_remove(e, &key);
}

struct table {
	struct machine machine;
	struct elements elements;
};

static void table_init(struct table *t)
{
	t->machine = (struct machine) { 0 };
	elements_init(&t->elements, &layout, &t->machine);
}

static void table_deinit(struct table *t)
{
	elements_deinit(&t->elements);
	machine_deinit(&t->machine);
}

TEST(what_is_put_is_found_and_changed)
{
	struct table t;
	table_init(&t);
	CHECK_INT(get(&t.elements, 5), -1);
	CHECK(put(&t.elements, 5, 50));
	CHECK_INT(get(&t.elements, 5), 50);
	CHECK_INT(get(&t.elements, 6), -1);
	CHECK(put(&t.elements, 5, 51));
	CHECK_INT(get(&t.elements, 5), 51);
	CHECK_INT(t.elements.count, 1);
	table_deinit(&t);
}

TEST(a_full_map_takes_changes_alone)
{
	struct table t;
	table_init(&t);
	for (uint32_t n = 0; n < MOST; n++)
		CHECK(put(&t.elements, n, n));
	CHECK(!put(&t.elements, MOST, 1));
	CHECK(put(&t.elements, 3, 30));
	CHECK_INT(get(&t.elements, 3), 30);
	CHECK_INT(get(&t.elements, MOST), -1);
	CHECK(take_away(&t.elements, 9));
	CHECK(!take_away(&t.elements, 9));
	CHECK(put(&t.elements, MOST, 1));
	CHECK_INT(get(&t.elements, 9), -1);
	CHECK_INT(t.elements.count, MOST);
	table_deinit(&t);
}

/* Code keeps the address of a value while it puts others. */
TEST(values_do_not_move)
{
	struct table t;
	table_init(&t);
	struct key key = key_of(0);
	CHECK(put(&t.elements, 0, 77));
	const char *at = elements_find(&t.elements, &key);
	for (uint32_t n = 1; n < MOST; n++)
		CHECK(put(&t.elements, n, n));
	CHECK(elements_find(&t.elements, &key) == at);
	CHECK_INT(get(&t.elements, 0), 77);
	table_deinit(&t);
}

TEST(the_program_may_touch_values_and_not_what_holds_them)
{
	struct table t;
	table_init(&t);
	struct key key = key_of(1);
	CHECK(put(&t.elements, 1, 1));
	uint64_t value = (uintptr_t)elements_find(&t.elements, &key);
	CHECK(machine_may_touch(&t.machine, value, layout.value_size, true));
	CHECK(!machine_may_touch(&t.machine, (uintptr_t)t.elements.buckets, 8, false));
	CHECK(t.machine.problem);
	table_deinit(&t);
}

/* Whatever comes in whatever order: the same as in an array. */
TEST(a_long_life_is_that_of_an_array)
{
	static int64_t model[2 * MOST];
	struct table t;
	uint32_t random = 1, count = 0;
	table_init(&t);
	memset(model, -1, sizeof(model));
	for (uint32_t i = 0; i < 100000 && !test_failed_now; i++) {
		random = random * 1664525 + 1013904223;
		uint32_t n = (random >> 8) % ARRAY_SIZE(model);
		bool was_there = model[n] >= 0;
		if (random >> 31) {
			CHECK_INT(take_away(&t.elements, n), was_there);
			model[n] = -1;
			count -= was_there;
		} else if (put(&t.elements, n, i)) {
			model[n] = i;
			count += !was_there;
		} else {
			CHECK(!was_there && count == MOST);
		}
		CHECK_INT(get(&t.elements, n), model[n]);
	}
	CHECK_INT(t.elements.count, count);
	for (uint32_t n = 0; n < ARRAY_SIZE(model); n++)
		CHECK_INT(get(&t.elements, n), model[n]);
	table_deinit(&t);
}

/* --- visits ---------------------------------------------------------------------------------- */

struct visits {
	unsigned seen[MOST], count, stop_after;
};

static struct error *visit(void *arg, const void *key, const void *value)
{
	struct visits *v = arg;
	struct key k;
	struct value what;
	memcpy(&k, key, sizeof(k));
	memcpy(&what, value, sizeof(what));
	CHECK_INT(what.word[4], k.word[1]);
	v->seen[k.word[1]]++;
	return ++v->count == v->stop_after ? error_new("enough") : NULL;
}

TEST(each_element_is_visited_once)
{
	static struct visits v;
	struct table t;
	table_init(&t);
	for (uint32_t n = 0; n < MOST; n += 3)
		CHECK(put(&t.elements, n, n));
	CHECK(!elements_each(&t.elements, visit, &v));
	for (uint32_t n = 0; n < MOST; n++)
		CHECK_INT(v.seen[n], n % 3 == 0);
	table_deinit(&t);
}

TEST(an_error_of_the_visitor_ends_the_round)
{
	static struct visits v = { .stop_after = 2 };
	struct table t;
	table_init(&t);
	for (uint32_t n = 0; n < 10; n++)
		CHECK(put(&t.elements, n, n));
	auto_error struct error *err = elements_each(&t.elements, visit, &v);
	CHECK_STR(err ? error_text(err) : "", "enough");
	CHECK_INT(v.count, 2);
	table_deinit(&t);
}

TEST_MAIN
