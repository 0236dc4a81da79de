/* SPDX-License-Identifier: BSD-2-Clause */
/* aggregation_test - snapshots, clear, trunc, order of rows */
#include "consumer/fake.h"
#include "test.h"

static const struct value_field integer_key = { .kind = VALUE_INTEGER,
						.size = 8,
						.is_signed = true };
static const struct value_field probe_key = { .kind = VALUE_PROBE_FUNCTION, .size = 4 };

enum { KEYED_SUM, KEYED_MIN, BY_PROBE, KEYLESS_COUNT, KEYLESS_MAX, KEYLESS_STDDEV };

static const struct aggregation_layout aggregations[] = {
	[KEYED_SUM] = { .name = "s",
			.function = AGGREGATE_SUM,
			.keys = &integer_key,
			.key_count = 1,
			FAKE_KEY(8),
			.value_size = 8,
			.map = 0 },
	[KEYED_MIN] = { .name = "m",
			.function = AGGREGATE_MIN,
			.keys = &integer_key,
			.key_count = 1,
			FAKE_KEY(8),
			.value_size = 8,
			.map = 1 },
	[BY_PROBE] = { .name = "p",
		       .function = AGGREGATE_COUNT,
		       .keys = &probe_key,
		       .key_count = 1,
		       FAKE_KEY(4),
		       .value_size = 8,
		       .map = 2 },
	[KEYLESS_COUNT] = { .name = "c", .function = AGGREGATE_COUNT, .value_size = 8, .map = -1 },
	[KEYLESS_MAX] = { .name = "x",
			  .function = AGGREGATE_MAX,
			  .value_size = 16, /* with its mark */
			  .map = -1,
			  .keyless_offset = 8 },
	[KEYLESS_STDDEV] = { .name = "d",
			     .function = AGGREGATE_STDDEV,
			     .value_size = 32,
			     .map = -1,
			     .keyless_offset = 24 },
};
static const struct map_layout maps[] = {
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
	{ .key_size = 4, .value_size = 8, .max_entries = 32 },
};
static const struct clause_layout clearing = FAKE_CLEARING(6);
static const struct program program = {
	.clauses = &clearing,
	.clause_count = 1,
	.aggregations = aggregations,
	.aggregation_count = 6,
	.maps = maps,
	.map_count = 3,
	.keyless_size = 64,
	.area_count = FAKE_CPUS,
	.cpu_count = FAKE_CPUS,
};
static uint64_t keyless[FAKE_CPUS][8];

static struct consumer *start(void)
{
	fake_reset();
	memset(keyless, 0, sizeof(keyless));
	for (int i = 0; i < 3; i++) {
		fake_maps[i].key_size = maps[i].key_size;
		fake_maps[i].value_bytes = 8 * FAKE_CPUS;
	}
	return fake_consumer(&program, keyless, true);
}

static struct error *ignore(void *arg, const struct record *r)
{
	return NULL;
}

static void put(int map, int64_t key, unsigned cpu, uint64_t word)
{
	fake_entry(map, &key)->words[cpu] = word;
}

/* "key=value ..." in order, after a new round. */
static const char *rows_text(struct consumer *c, const struct aggregation_order *order,
			     const uint32_t *list, unsigned count, bool join)
{
	static char text[512];
	struct aggregation_rows rows;
	text[0] = '\0';
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK(!consumer_rows(c, list, count, join, order, &rows));
	for (size_t i = 0; i < rows.count; i++) {
		const struct aggregation_row *row = aggregation_row_at(&rows, i);
		int64_t key = 0;
		memcpy(&key, row->key, MIN(row->layout->size, sizeof(key)));
		sprintf(text + strlen(text), "%lld", (long long)key);
		for (unsigned j = 0; j < row->value_count; j++)
			sprintf(text + strlen(text), "=%lld",
				(long long)aggregation_result(&row->values[j]));
		strcat(text, " ");
	}
	aggregation_rows_free(&rows);
	return text;
}

static const char *text_of(struct consumer *c, uint32_t aggregation)
{
	struct aggregation_order order = { 0 };
	return rows_text(c, &order, &aggregation, 1, false);
}

TEST(cpus_are_added_and_rows_sorted_by_value)
{
	struct consumer *c = start();
	put(0, 7, 0, 10);
	put(0, 7, 1, 5);
	put(0, -3, 0, 2);
	put(0, 9, 1, (uint64_t)-4);
	CHECK_STR(text_of(c, KEYED_SUM), "9=-4 -3=2 7=15 ");
	struct aggregation_order by_key = { .by_key = true }, reverse = { .reverse = true };
	uint32_t list = KEYED_SUM;
	CHECK_STR(rows_text(c, &by_key, &list, 1, false), "-3=2 7=15 9=-4 ");
	CHECK_STR(rows_text(c, &reverse, &list, 1, false), "7=15 -3=2 9=-4 ");
	consumer_normalize(c, KEYED_SUM, 2);
	CHECK_STR(text_of(c, KEYED_SUM), "9=-2 -3=1 7=7 ");
	consumer_free(c);
}

/* Ranks have the first 53 bits of a value: rows are in order all the same. */
TEST(values_that_hardly_differ_are_in_order)
{
	struct consumer *c = start();
	struct aggregation_order reverse = { .reverse = true };
	uint32_t list = KEYED_SUM;
	put(0, 1, 0, (1ULL << 60) + 1);
	put(0, -2, 0, 1ULL << 60);
	put(0, 3, 0, (1ULL << 60) + 1);
	put(0, -4, 0, -(1ULL << 60) - 1);
	put(0, 5, 0, 0);
	put(0, -6, 0, -(1ULL << 60));
	CHECK_STR(text_of(c, KEYED_SUM),
		  "-4=-1152921504606846977 -6=-1152921504606846976 5=0 -2=1152921504606846976 "
		  "1=1152921504606846977 3=1152921504606846977 ");
	CHECK_STR(rows_text(c, &reverse, &list, 1, false),
		  "3=1152921504606846977 1=1152921504606846977 -2=1152921504606846976 5=0 "
		  "-6=-1152921504606846976 -4=-1152921504606846977 ");
	consumer_free(c);
}

TEST(equal_values_are_in_the_order_of_their_keys)
{
	struct consumer *c = start();
	put(0, 3, 0, 1);
	put(0, -1, 0, 1);
	put(0, INT64_MAX, 0, 1);
	put(0, 2, 0, 0);
	put(0, INT64_MIN, 0, 1);
	CHECK_STR(text_of(c, KEYED_SUM),
		  "2=0 -9223372036854775808=1 -1=1 3=1 9223372036854775807=1 ");
	consumer_free(c);
}

TEST(clear_keeps_keys_and_loses_nothing_later)
{
	struct consumer *c = start();
	put(0, 1, 0, 10);
	put(0, 2, 1, 20);
	CHECK_STR(text_of(c, KEYED_SUM), "1=10 2=20 ");
	CHECK(!consumer_clear(c, KEYED_SUM));
	CHECK_STR(text_of(c, KEYED_SUM), "1=0 2=0 ");
	put(0, 1, 0, 13);
	put(0, 3, 0, 1);
	CHECK_STR(text_of(c, KEYED_SUM), "2=0 3=1 1=3 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, 0));
	CHECK_STR(text_of(c, KEYED_SUM), "");
	put(0, 1, 0, 4); /* made again by the kernel */
	CHECK_STR(text_of(c, KEYED_SUM), "1=4 ");
	consumer_free(c);
}

/*
 * Values that arrive between a printa() and the clear() or trunc() after it belong to the next
 * printa().
 */
TEST(only_what_was_shown_is_forgotten)
{
	struct consumer *c = start();
	put(0, 1, 0, 10);
	put(0, 2, 0, 20);
	keyless[0][0] = 5;
	CHECK_STR(text_of(c, KEYED_SUM), "1=10 2=20 ");
	put(0, 1, 1, 3);
	put(0, 3, 0, 7);
	CHECK(!consumer_clear(c, KEYED_SUM));
	CHECK_STR(text_of(c, KEYED_SUM), "2=0 1=3 3=7 ");
	put(0, 3, 1, 1);
	put(0, 4, 1, 4);
	CHECK(!consumer_trunc(c, KEYED_SUM, 0));
	CHECK_STR(text_of(c, KEYED_SUM), "3=1 4=4 ");

	CHECK_STR(text_of(c, KEYLESS_COUNT), "0=5 ");
	keyless[1][0] = 2;
	CHECK(!consumer_clear(c, KEYLESS_COUNT));
	CHECK_STR(text_of(c, KEYLESS_COUNT), "0=2 ");
	keyless[0][0] = 6;
	CHECK(!consumer_trunc(c, KEYLESS_COUNT, 0));
	CHECK_STR(text_of(c, KEYLESS_COUNT), "0=1 ");
	consumer_free(c);
}

static unsigned used_elements(int map)
{
	unsigned count = 0;
	for (unsigned i = 0; i < 32; i++)
		count += fake_maps[map].entries[i].used[0] + fake_maps[map].entries[i].used[1];
	return count;
}

#define SECOND 1000000000ull

/* A firing that has found its element before trunc() adds to it whenever it likes. */
TEST(what_is_added_to_a_forgotten_element_counts)
{
	struct consumer *c = start();
	put(0, 1, 0, 10);
	put(0, 2, 0, 20);
	uint64_t *word = &fake_entry(0, &(int64_t) { 1 })->words[1];
	CHECK_STR(text_of(c, KEYED_SUM), "1=10 2=20 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, 0));
	CHECK_STR(text_of(c, KEYED_SUM), "");
	*word += 1;
	CHECK_STR(text_of(c, KEYED_SUM), "1=1 ");
	put(0, 1, 1, 5);
	CHECK_STR(text_of(c, KEYED_SUM), "1=6 ");
	CHECK_INT(fake_settled, 0);
	fake_late = word; /* the very last */
	fake_clock += SECOND;
	CHECK_STR(text_of(c, KEYED_SUM), "1=7 ");
	CHECK_INT(fake_settled, 1);
	CHECK_INT(used_elements(0), 3); /* the old one of CPU 1, and what put() made */
	consumer_free(c);
}

TEST(trunc_leaves_one_element_of_kept_keys)
{
	struct consumer *c = start();
	for (unsigned i = 1; i < 40; i++) {
		put(0, 1, 0, i + 1);
		put(0, 2, 1, 1);
		fake_clock += SECOND;
		char text[32];
		sprintf(text, "2=1 1=%u ", i * (i + 3) / 2);
		CHECK_STR(text_of(c, KEYED_SUM), text);
		CHECK(!consumer_trunc(c, KEYED_SUM, 1));
		CHECK(used_elements(0) <= 6);
	}
	CHECK_STR(text_of(c, KEYED_SUM), "1=819 ");
	consumer_free(c);
}

/* Nothing is written where nothing changes: for a new value the kernel needs memory. */
TEST(kept_elements_are_written_when_they_change)
{
	struct consumer *c = start();
	put(0, 1, 0, 5);
	put(0, 2, 0, 1);
	CHECK(!consumer_trunc(c, KEYED_SUM, 1));
	fake_clock += SECOND;
	CHECK_STR(text_of(c, KEYED_SUM), "1=5 ");
	CHECK_INT(fake_settled, 1);
	CHECK_INT(fake_updated, 0);
	put(0, 1, 0, 3);
	put(0, 2, 0, 1);
	CHECK_STR(text_of(c, KEYED_SUM), "2=1 1=8 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, 1));
	fake_clock += SECOND;
	CHECK_STR(text_of(c, KEYED_SUM), "1=8 ");
	CHECK_INT(fake_updated, 2); /* of each CPU */
	CHECK(!consumer_clear(c, KEYED_SUM));
	put(0, 2, 0, (uint64_t)-1);
	CHECK_STR(text_of(c, KEYED_SUM), "2=-1 1=0 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, 1));
	fake_clock += SECOND;
	CHECK_STR(text_of(c, KEYED_SUM), "1=0 ");
	CHECK_INT(fake_settled, 3);
	CHECK_INT(fake_updated, 4);
	consumer_free(c);
}

TEST(a_full_map_is_emptied_at_once)
{
	struct consumer *c = start();
	for (int i = 0; i < 30; i++)
		put(0, i, 0, 1);
	text_of(c, KEYED_SUM);
	CHECK(!consumer_trunc(c, KEYED_SUM, 0));
	CHECK_INT(used_elements(0), 0);
	put(0, 1, 0, 1);
	text_of(c, KEYED_SUM);
	CHECK(!consumer_trunc(c, KEYED_SUM, 0));
	CHECK_INT(used_elements(0), 2);
	put(0, 1, 0, 1);
	text_of(c, KEYED_SUM);
	fake_counters[0].aggregation = 1; /* the kernel had no room, so it is full */
	CHECK(!consumer_trunc(c, KEYED_SUM, 0));
	CHECK_INT(used_elements(0), 0);
	consumer_free(c);
}

TEST(firings_that_go_on_keep_elements)
{
	struct consumer *c = start();
	put(0, 1, 0, 1);
	CHECK_STR(text_of(c, KEYED_SUM), "1=1 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, 0));
	fake_goes_on = true;
	fake_clock += SECOND;
	CHECK_STR(text_of(c, KEYED_SUM), "");
	CHECK_INT(used_elements(0), 2);
	fake_goes_on = false;
	CHECK_STR(text_of(c, KEYED_SUM), "");
	CHECK_INT(used_elements(0), 2); /* it is too soon to wait again */
	fake_clock += SECOND;
	CHECK_STR(text_of(c, KEYED_SUM), "");
	CHECK_INT(used_elements(0), 0);
	CHECK_INT(fake_settled, 2);
	consumer_free(c);
}

TEST(extremes_begin_anew)
{
	struct consumer *c = start();
	for (int i = 1; i < 5; i++) {
		put(1, 7, 0, (uint64_t)INT64_MAX - (uint64_t)i); /* min: each is greater */
		char text[32];
		sprintf(text, "7=%d ", i);
		CHECK_STR(text_of(c, KEYED_MIN), text);
		CHECK(!consumer_clear(c, KEYED_MIN));
		CHECK_STR(text_of(c, KEYED_MIN), "7=0 ");
		fake_clock += SECOND;
		CHECK_STR(text_of(c, KEYED_MIN), "7=0 ");
		CHECK_INT(used_elements(1), 2);
	}
	consumer_free(c);
}

TEST(extremes_that_moved_on_stay)
{
	struct consumer *c = start();
	put(1, 1, 0, (uint64_t)INT64_MAX - 5);
	put(1, 2, 0, (uint64_t)INT64_MAX - 5);
	keyless[0][1] = 42 - (uint64_t)INT64_MIN, keyless[0][2] = 1;
	CHECK_STR(text_of(c, KEYED_MIN), "1=5 2=5 ");
	put(1, 2, 1, (uint64_t)INT64_MAX - 4);
	CHECK(!consumer_clear(c, KEYED_MIN));
	CHECK_STR(text_of(c, KEYED_MIN), "1=0 2=4 ");

	CHECK_STR(text_of(c, KEYLESS_MAX), "0=42 ");
	keyless[1][1] = 43 - (uint64_t)INT64_MIN, keyless[1][2] = 1;
	CHECK(!consumer_clear(c, KEYLESS_MAX));
	CHECK_STR(text_of(c, KEYLESS_MAX), "0=43 ");
	CHECK(!consumer_trunc(c, KEYLESS_MAX, 0));
	CHECK_STR(text_of(c, KEYLESS_MAX), "");
	consumer_free(c);
}

TEST(trunc_keeps_the_greatest_or_the_least)
{
	struct consumer *c = start();
	for (int i = 1; i <= 5; i++)
		put(0, i, 0, (uint64_t)(10 * i));
	CHECK_STR(text_of(c, KEYED_SUM), "1=10 2=20 3=30 4=40 5=50 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, 4));
	CHECK_STR(text_of(c, KEYED_SUM), "2=20 3=30 4=40 5=50 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, -2));
	CHECK_STR(text_of(c, KEYED_SUM), "2=20 3=30 ");
	CHECK(!consumer_trunc(c, KEYED_SUM, 9));
	CHECK_STR(text_of(c, KEYED_SUM), "2=20 3=30 ");
	consumer_free(c);
}

TEST(min_and_max_are_decoded_and_cleared)
{
	struct consumer *c = start();
	put(1, 1, 0, (uint64_t)INT64_MAX - (uint64_t)5);
	put(1, 1, 1, (uint64_t)INT64_MAX + 3); /* -3 */
	CHECK_STR(text_of(c, KEYED_MIN), "1=-3 ");
	CHECK(!consumer_clear(c, KEYED_MIN));
	CHECK_STR(text_of(c, KEYED_MIN), "1=0 ");
	put(1, 1, 1, (uint64_t)INT64_MAX - 8);
	CHECK_STR(text_of(c, KEYED_MIN), "1=8 ");

	CHECK_STR(text_of(c, KEYLESS_MAX), "");
	keyless[1][1] = 42 - (uint64_t)INT64_MIN, keyless[1][2] = 1;
	CHECK_STR(text_of(c, KEYLESS_MAX), "0=42 ");
	CHECK(!consumer_clear(c, KEYLESS_MAX));
	CHECK_STR(text_of(c, KEYLESS_MAX), "0=0 ");
	CHECK(!consumer_trunc(c, KEYLESS_MAX, 0));
	CHECK_STR(text_of(c, KEYLESS_MAX), "");
	consumer_free(c);
}

TEST(keyless_counts_are_there_once_counted)
{
	struct consumer *c = start();
	CHECK_STR(text_of(c, KEYLESS_COUNT), "");
	keyless[0][0] = 2;
	keyless[1][0] = 3;
	CHECK_STR(text_of(c, KEYLESS_COUNT), "0=5 ");
	CHECK(!consumer_clear(c, KEYLESS_COUNT));
	CHECK_STR(text_of(c, KEYLESS_COUNT), "0=0 ");
	CHECK(!consumer_trunc(c, KEYLESS_COUNT, 0));
	CHECK_STR(text_of(c, KEYLESS_COUNT), "");
	keyless[1][0] = 4;
	CHECK_STR(text_of(c, KEYLESS_COUNT), "0=1 ");
	consumer_free(c);
}

TEST(deviation_carries_between_halves)
{
	struct consumer *c = start();
	/* 2, 4 on CPU 0 and 9 on CPU 1, whose squares' low half wraps in the sum */
	keyless[0][3] = 2, keyless[0][4] = 6, keyless[0][5] = UINT64_MAX, keyless[0][6] = 0;
	keyless[1][3] = 1, keyless[1][4] = 9, keyless[1][5] = 102, keyless[1][6] = UINT64_MAX;
	/* (2^64 - 1 + 102 + (2^64 - 1) * 2^64) mod 2^128 = 101 */
	CHECK_STR(text_of(c, KEYLESS_STDDEV), "0=2 "); /* 101/3 - 5*5 = 8 */
	consumer_free(c);
}

TEST(keys_that_print_alike_are_one)
{
	struct consumer *c = start();
	for (uint32_t id = 2; id <= 5; id++)
		fake_entry(2, &id)->words[0] = id;
	/* read: probes 2 and 3; vfs_read: 4 and 5 */
	CHECK_STR(text_of(c, BY_PROBE), "2=5 4=9 ");
	CHECK(!consumer_trunc(c, BY_PROBE, 1));
	CHECK_STR(text_of(c, BY_PROBE), "4=9 ");
	consumer_free(c);
}

TEST(a_join_fills_what_is_missing)
{
	struct consumer *c = start();
	put(0, 1, 0, 10);
	put(0, 2, 0, 5);
	put(1, 2, 0, (uint64_t)INT64_MAX - 1);
	put(1, 3, 0, (uint64_t)INT64_MAX - 4);
	uint32_t list[] = { KEYED_SUM, KEYED_MIN };
	struct aggregation_order first = { 0 }, second = { .value_position = 1 };
	CHECK_STR(rows_text(c, &first, list, 2, true), "3=0=4 2=5=1 1=10=0 ");
	CHECK_STR(rows_text(c, &second, list, 2, true), "1=10=0 2=5=1 3=0=4 ");
	CHECK_STR(rows_text(c, &first, list, 2, false), "2=5 1=10 2=1 3=4 ");
	consumer_free(c);
}

TEST_MAIN
