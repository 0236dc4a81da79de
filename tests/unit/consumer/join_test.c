/* SPDX-License-Identifier: BSD-2-Clause */
/* join_test - printa() of several: keys of different layouts meet; each CPU's part; aggrate */
#include "consumer/fake.h"
#include "consumer/internal.h"
#include "test.h"

static const struct value_field short_keys[] = {
	{ .kind = VALUE_INTEGER, .size = 4, .is_signed = true },
	{ .kind = VALUE_PROBE_FUNCTION, .offset = 4, .size = 4 },
};
static const struct value_field long_keys[] = {
	{ .kind = VALUE_INTEGER, .size = 8, .is_signed = true },
	{ .kind = VALUE_STRING, .offset = 8, .size = 16 },
};
static const struct value_field stack_key = { .kind = VALUE_STACK, .size = 16 };
static const struct value_field user_stack_key = { .kind = VALUE_USTACK, .size = 40 };

enum { SHORT, LONG, STACKS, USER_STACKS };

static const struct aggregation_layout aggregations[] = {
	[SHORT] = { .name = "short",
		    .function = AGGREGATE_COUNT,
		    .keys = short_keys,
		    .key_count = 2,
		    FAKE_KEY(8),
		    .value_size = 8,
		    .map = 0 },
	[LONG] = { .name = "long",
		   .function = AGGREGATE_MIN,
		   .keys = long_keys,
		   .key_count = 2,
		   FAKE_KEY(24),
		   .value_size = 8,
		   .map = 1 },
	[STACKS] = { .name = "s",
		     .keys = &stack_key,
		     .key_count = 1,
		     FAKE_KEY(16),
		     .value_size = 8,
		     .map = 2 },
	[USER_STACKS] = { .name = "u",
			  .keys = &user_stack_key,
			  .key_count = 1,
			  FAKE_KEY(40),
			  .value_size = 8,
			  .map = 3 },
};
static const struct map_layout maps[] = {
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
	{ .key_size = 24, .value_size = 8, .max_entries = 32 },
	{ .key_size = 16, .value_size = 8, .max_entries = 32 },
	{ .key_size = 40, .value_size = 8, .max_entries = 32 },
};
static const struct clause_layout clearing = FAKE_CLEARING(4);
static const struct program program = {
	.clauses = &clearing,
	.clause_count = 1,
	.aggregations = aggregations,
	.aggregation_count = 4,
	.maps = maps,
	.map_count = 4,
	.area_count = FAKE_CPUS,
	.cpu_count = FAKE_CPUS,
	.string_size = 16,
};

static struct consumer *start(bool per_cpu)
{
	fake_reset();
	fake_per_cpu = per_cpu;
	for (int i = 0; i < 4; i++) {
		fake_maps[i].key_size = maps[i].key_size;
		fake_maps[i].value_bytes = 8 * FAKE_CPUS;
	}
	return fake_consumer(&program, NULL, true);
}

static void count(int32_t number, uint32_t probe, unsigned cpu, uint64_t n)
{
	uint32_t key[2] = { (uint32_t)number, probe };
	fake_entry(0, key)->words[cpu] = n;
}

static void least(int64_t number, const char *text, unsigned cpu, int64_t x)
{
	unsigned char key[24] = { 0 };
	memcpy(key, &number, 8);
	strcpy((char *)key + 8, text);
	fake_entry_of(1, key, cpu)->words[cpu] = (uint64_t)INT64_MAX - (uint64_t)x;
}

static struct error *ignore(void *arg, const struct record *r)
{
	return NULL;
}

static const char *joined(struct consumer *c, const uint32_t *list)
{
	static char text[512];
	struct aggregation_rows rows;
	struct aggregation_order order = { .by_key = true };
	text[0] = '\0';
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK(!consumer_rows(c, list, 2, true, &order, &rows));
	for (size_t i = 0; i < rows.count; i++) {
		const struct aggregation_row *row = aggregation_row_at(&rows, i);
		CHECK(row->layout->fields[0].size == 8);
		CHECK(row->layout->fields[1].kind == VALUE_STRING);
		int64_t key;
		memcpy(&key, row->key + row->layout->fields[0].offset, 8);
		sprintf(text + strlen(text), "%lld,%s=%lld=%lld ", (long long)key,
			(const char *)row->key + row->layout->fields[1].offset,
			(long long)aggregation_result(&row->values[0]),
			(long long)aggregation_result(&row->values[1]));
	}
	aggregation_rows_free(&rows);
	return text;
}

TEST(numbers_are_widened_and_probe_names_become_text)
{
	struct consumer *c = start(false);
	count(-1, 2, 0, 5);
	count(-1, 2, 1, 6);
	count(7, 4, 1, 1);
	least(-1, "read", 0, 30);
	least(-1, "read", 1, -20);
	least(8, "other", 0, 9);
	const uint32_t list[] = { SHORT, LONG }, reverse[] = { LONG, SHORT };
	CHECK_STR(joined(c, list), "-1,read=11=-20 7,vfs_read=1=0 8,other=0=9 ");
	CHECK_STR(joined(c, reverse), "-1,read=-20=11 7,vfs_read=0=1 8,other=9=0 ");
	consumer_free(c);
}

TEST(texts_that_begin_alike_are_in_order)
{
	struct consumer *c = start(false);
	least(1, "", 0, 7);
	least(1, "beginning", 0, 7);
	least(1, "beginnin", 0, 7);
	least(1, "beginnio", 0, 7);
	least(1, "beginning\xff", 0, 7);
	least(1, "\xff", 0, 7);
	least(1, "b", 0, 7);
	struct aggregation_rows rows;
	struct aggregation_order order = { .by_key = true, .key_position = 1 };
	const uint32_t list = LONG;
	char text[256] = "";
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK(!consumer_rows(c, &list, 1, false, &order, &rows));
	for (size_t i = 0; i < rows.count; i++) {
		const struct aggregation_row *row = aggregation_row_at(&rows, i);
		sprintf(text + strlen(text), "%s,",
			(const char *)row->key + row->layout->fields[1].offset);
	}
	CHECK_STR(text, ",b,beginnin,beginning,beginning\xff,beginnio,\xff,");
	aggregation_rows_free(&rows);
	consumer_free(c);
}

static const char *counts_text(struct consumer *c)
{
	static char text[256];
	struct aggregation_rows rows;
	struct aggregation_order order = { 0 };
	uint32_t list = SHORT;
	text[0] = '\0';
	CHECK(!consumer_rows(c, &list, 1, false, &order, &rows));
	for (size_t i = 0; i < rows.count; i++)
		sprintf(text + strlen(text), "%lld ",
			(long long)aggregation_result(aggregation_row_at(&rows, i)->values));
	aggregation_rows_free(&rows);
	return text;
}

TEST(aggrate_shows_the_last_reading_again)
{
	struct consumer *c = start(false);
	consumer_set_aggregation_rate(c, 1000);
	fake_clock = 5000;
	count(1, 2, 0, 5);
	CHECK_STR(counts_text(c), "5 ");
	count(1, 2, 0, 6);
	fake_clock = 5999;
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK_STR(counts_text(c), "5 ");
	fake_clock = 6000;
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK_STR(counts_text(c), "6 ");
	count(1, 2, 0, 7);
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK(!consumer_clear(c, SHORT)); /* forgets the 6 that was shown */
	CHECK_STR(counts_text(c), "0 ");
	CHECK(!consumer_clear(c, SHORT)); /* and once more nothing else */
	CHECK_STR(counts_text(c), "0 ");
	fake_clock = 7000;
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK_STR(counts_text(c), "1 ");
	count(1, 2, 0, 9);
	CHECK(!consumer_flush(c, ignore, NULL)); /* the end */
	CHECK_STR(counts_text(c), "3 ");
	consumer_free(c);
}

TEST(rows_outlive_what_happens_to_the_aggregation)
{
	struct consumer *c = start(false);
	struct aggregation_rows rows;
	struct aggregation_order order = { 0 };
	uint32_t list = SHORT;
	count(1, 2, 0, 5);
	CHECK(!consumer_rows(c, &list, 1, false, &order, &rows));
	CHECK(!consumer_trunc(c, SHORT, 0));
	CHECK_STR(counts_text(c), "");
	CHECK(!consumer_poll(c, ignore, NULL));
	CHECK(rows.count == 1 && aggregation_result(aggregation_row_at(&rows, 0)->values) == 5);
	aggregation_rows_free(&rows);
	consumer_free(c);
}

TEST(each_cpu_has_its_part)
{
	struct consumer *c = start(true);
	struct aggregation_rows rows;
	struct aggregation_order order = { 0 };
	struct aggregation_value one;
	const uint32_t list[] = { SHORT, LONG };
	count(1, 2, 0, 5);
	count(1, 2, 1, 3);
	least(1, "read", 1, -4);
	CHECK(!consumer_clear(c, SHORT));
	count(1, 2, 1, 10);
	CHECK(!consumer_rows(c, list, 2, true, &order, &rows));
	const struct aggregation_value *v = aggregation_row_at(&rows, 0)->values;
	CHECK(rows.count == 1 && aggregation_result(&v[0]) == 7 && aggregation_result(&v[1]) == -4);
	CHECK(!aggregation_of_cpu(&v[0], 0, &one));
	CHECK(aggregation_of_cpu(&v[0], 1, &one) && aggregation_result(&one) == 7);
	CHECK(!aggregation_of_cpu(&v[1], 0, &one));
	CHECK(aggregation_of_cpu(&v[1], 1, &one) && aggregation_result(&one) == -4);
	aggregation_rows_free(&rows);
	consumer_free(c);
}

TEST(stacks_of_kernel_and_user_are_not_joined)
{
	static const uint32_t list[] = { STACKS, USER_STACKS };
	static const struct action_layout action = {
		.kind = ACTION_PRINTA, .flag = -1, .aggregations = list, .aggregation_count = 2
	};
	static const struct clause_layout clause = {
		.fixed_size = 24, .records = true, .actions = &action, .action_count = 1
	};
	struct program p = program;
	p.clauses = &clause;
	p.clause_count = 1;
	struct record_source source = { .program = &p };
	struct consumer_setup setup = { .sources = &source, .source_count = 1 };
	struct consumer *c = NULL;
	struct error *err = consumer_new(&setup, &c);
	CHECK(err);
	if (err)
		CHECK_STR(error_text(err),
			  "printa() cannot join @s and @u: key 1 is a kernel stack "
			  "in one and a user stack in the other");
	error_free(err);
}

static unsigned all_frames(void *arg, uint32_t tgid, const void *pcs, unsigned count)
{
	return count;
}

/* How the key of a stack of one frame, found by HOW, is shown. */
static uint64_t shown_frame(struct consumer *c, uint64_t address, enum frame_how how)
{
	const struct aggregation_state *a = &c->aggregations[USER_STACKS];
	uint64_t key[6] = { 1, address | (uint64_t)how << FRAME_HOW_AT }, shown[6];
	key_shown(c, a, &a->shares[0], (unsigned char *)key, (unsigned char *)shown);
	return shown[1];
}

#define OTHERS 100000

/* Stacks come and go for days: only those of the last rounds are remembered. */
TEST(what_is_not_shown_any_more_is_forgotten)
{
	struct consumer *c = start(false);
	c->setup.names.stack_frames = all_frames;
	uint64_t first = shown_frame(c, 4096, FRAME_SIGNAL);
	CHECK_INT(frame_how(first), FRAME_SIGNAL);
	const uint32_t list = USER_STACKS;
	size_t most = 0;
	for (uint64_t i = 0; i < 10 * OTHERS; i++) {
		shown_frame(c, 8192 + i, FRAME_TABLE);
		if (i % OTHERS)
			continue;
		struct aggregation_rows rows;
		CHECK(!consumer_poll(c, ignore, NULL));
		CHECK(!consumer_rows(c, &list, 1, false, &(struct aggregation_order) { 0 }, &rows));
		aggregation_rows_free(&rows);
		size_t bytes = c->shown ? c->shown->bytes : 0;
		most = MAX(most, bytes + (c->shown_before ? c->shown_before->bytes : 0));
		CHECK_INT(shown_frame(c, 4096, FRAME_TABLE), first); /* it is shown always */
	}
	CHECK(most > SHOWN_BYTES_MOST);
	CHECK(most < 4 * SHOWN_BYTES_MOST);
	consumer_free(c);
}

static bool is_shown_alike(struct consumer *c, const uint64_t *one, const uint64_t *other)
{
	const struct aggregation_state *a = &c->aggregations[USER_STACKS];
	uint64_t shown[2][6];
	key_shown(c, a, &a->shares[0], (const unsigned char *)one, (unsigned char *)shown[0]);
	key_shown(c, a, &a->shares[0], (const unsigned char *)other, (unsigned char *)shown[1]);
	return memcmp(shown[0], shown[1], 40) == 0;
}

/* Each process has the same file, at 4096 times its number; process 9 has none. */
static bool place_identity(void *arg, uint32_t tgid, uint64_t address, bool file_alone,
			   struct strbuf *key)
{
	uint64_t place = address - 4096 * tgid;
	if (tgid == 9)
		return false;
	if (!file_alone)
		strbuf_add(key, &place, sizeof(place));
	return true;
}

TEST(equal_stacks_of_processes_are_alike)
{
	const uint64_t how = (uint64_t)FRAME_TABLE << FRAME_HOW_AT;
	const uint64_t end = frame_end(STACK_END_WHOLE);
	const uint64_t one[] = { 1, 4096 + 16, (4096 + 32) | how, end, 0, 0 };
	const uint64_t two[] = { 2, 8192 + 16, (8192 + 32) | how, end, 0, 0 };
	const uint64_t shorter[] = { 2, 8192 + 16, end, 0, 0, 0 };
	const uint64_t elsewhere[] = { 2, 8192 + 16, (8192 + 33) | how, end, 0, 0 };
	const uint64_t unknown[] = { 9, 4096 + 16, (4096 + 32) | how, end, 0, 0 };
	struct consumer *c = start(false);
	c->setup.names.stack_frames = all_frames;
	CHECK(!is_shown_alike(c, one, two)); /* ustackmerge=off */
	CHECK(is_shown_alike(c, one, one));
	consumer_free(c);
	c = start(false);
	c->setup.names.stack_frames = all_frames;
	c->setup.names.place_identity = place_identity;
	CHECK(is_shown_alike(c, one, two));
	CHECK(!is_shown_alike(c, one, shorter));
	CHECK(!is_shown_alike(c, one, elsewhere));
	CHECK(!is_shown_alike(c, one, unknown));
	CHECK(is_shown_alike(c, unknown, unknown));
	consumer_free(c);
}

/* Copy 1 has two more frames, copy 2 more than there is room for; copy 3 is lost. */
static const uint64_t *copied_frames(void *arg, uint64_t number, unsigned *count)
{
	static uint64_t words[5];
	for (unsigned i = 0; i < 5; i++)
		words[i] = (i + 2) * 4096 | (uint64_t)FRAME_TABLE << FRAME_HOW_AT;
	if (number == 1)
		words[2] = frame_end(STACK_END_WHOLE);
	*count = number == 1 ? 3 : 5;
	return number < 3 ? words : NULL;
}

/* The key of a copied stack is the one that the stack has later. */
TEST(copied_stacks_are_merged_with_others)
{
	const uint64_t how = (uint64_t)FRAME_TABLE << FRAME_HOW_AT, first = 4096 | 1ull << 61;
	const uint64_t end = frame_end(STACK_END_NO_TABLE);
	const uint64_t copy[] = { 7, first, end | 1 << FRAME_COPY_AT, 0, 0, 0 };
	const uint64_t whole[] = {
		7, first, 8192 | how, 12288 | how, frame_end(STACK_END_WHOLE), 0
	};
	const uint64_t large[] = { 7, first, end | 2 << FRAME_COPY_AT, 0, 0, 0 };
	const uint64_t full[] = { 7, first, 8192 | how, 12288 | how, 16384 | how, 0 };
	const uint64_t lost[] = { 7, first, end | 3 << FRAME_COPY_AT, 0, 0, 0 };
	const uint64_t plain[] = { 7, first, end, 0, 0, 0 };
	struct consumer *c = start(false);
	CHECK(is_shown_alike(c, lost, plain)); /* nobody copies */
	c->setup.names.stack_frames = all_frames;
	c->setup.names.copied_frames = copied_frames;
	CHECK(is_shown_alike(c, copy, whole));
	CHECK(is_shown_alike(c, large, full));
	CHECK(is_shown_alike(c, lost, plain));
	CHECK(!is_shown_alike(c, copy, large));
	consumer_free(c);
}

TEST_MAIN
