/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sources_test - two sources of the same clauses, each with its own layouts
 *
 * The first is like the kernel: areas are 2 CPUs, keys of 8 bytes followed by a shard.  The second
 * has 3 areas that are not CPUs; its aggregations share a map, so keys begin with a number, and
 * records have their fields at other offsets.
 */
#include <stdio.h>
#include <string.h>

#include "consumer/consumer.h"
#include "executor/source.h"
#include "test.h"

#define AREAS_MOST 3
#define KEY_MOST 24

/* A source in memory; each is the reader's self. */
struct memory {
	struct {
		uint64_t data[8];
		uint32_t size;
	} records[AREAS_MOST][8];
	unsigned counts[AREAS_MOST];
	struct {
		unsigned map;
		unsigned char key[KEY_MOST];
		uint64_t words[2];
		bool used;
	} elements[16];
	uint32_t key_sizes[2]; /* by map */
	uint64_t keyless[AREAS_MOST][8];
	uint64_t generations[2];
	struct area_counters counters[AREAS_MOST];
	struct control control;
	unsigned settled;
};
static struct memory memories[2];
static uint64_t clock_now;

static uint64_t now(void)
{
	return clock_now;
}

static struct error *drain(void *self, unsigned area, bytes_visit_fn *visit, void *arg)
{
	struct memory *m = self;
	struct error *err = NULL;
	for (unsigned i = 0; i < m->counts[area] && !err; i++)
		err = visit(arg, m->records[area][i].data, m->records[area][i].size);
	memset(m->records[area], 0xee, sizeof(m->records[area])); /* handed out no longer */
	m->counts[area] = 0;
	return err;
}

static struct error *visit(void *self, unsigned map, element_visit_fn *each, void *arg)
{
	struct memory *m = self;
	struct error *err = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(m->elements) && !err; i++)
		if (m->elements[i].used && m->elements[i].map == map)
			err = each(arg, m->elements[i].key, m->elements[i].words);
	return err;
}

/* The element of KEY, or a free one. */
static unsigned find(const struct memory *m, unsigned map, const void *key)
{
	unsigned empty = 0;
	for (unsigned i = 0; i < ARRAY_SIZE(m->elements); i++) {
		if (!m->elements[i].used)
			empty = i;
		else if (m->elements[i].map == map &&
			 memcmp(m->elements[i].key, key, m->key_sizes[map]) == 0)
			return i;
	}
	return empty;
}

static struct error *update(void *self, unsigned map, const void *key, const void *value)
{
	struct memory *m = self;
	memcpy(m->elements[find(m, map, key)].words, value, 8);
	return NULL;
}

static struct error *delete (void *self, unsigned map, const void *key)
{
	struct memory *m = self;
	m->elements[find(m, map, key)].used = false;
	return NULL;
}

static struct error *settle(void *self, bool *all)
{
	((struct memory *)self)->settled++;
	*all = true;
	return NULL;
}

static const struct source_reader reader = {
	.drain = drain, .visit = visit, .update = update, .remove = delete, .settle = settle
};

/* --- the programs ----------------------------------------------------------------------------- */

enum { KEYED, EXTREME, KEYLESS };

static const struct value_field number_at_0 = { .kind = VALUE_INTEGER, .size = 8 },
				number_at_8 = { .kind = VALUE_INTEGER, .offset = 8, .size = 8 },
				field_at_24 = { .kind = VALUE_INTEGER, .offset = 24, .size = 8 },
				field_at_32 = { .kind = VALUE_INTEGER, .offset = 32, .size = 8 };

#define AGGREGATION(what, ...)                                                                     \
	{                                                                                          \
		.name = #what, .function = AGGREGATE_##what, .key_count = 1, .value_size = 8,      \
		.has_generations = true, .areas_per_shard = 1, __VA_ARGS__                         \
	}
static const struct aggregation_layout by_cpu[] = {
	[KEYED] = AGGREGATION(SUM, .keys = &number_at_0, .key_size = 12, .shard_offset = 8),
	[EXTREME] = AGGREGATION(MAX, .keys = &number_at_0, .key_size = 12, .shard_offset = 8,
				.map = 1, .generation_offset = 8),
	[KEYLESS] = { .name = "n", .function = AGGREGATE_COUNT, .value_size = 8, .map = -1 },
};
static const struct aggregation_layout by_area[] = {
	[KEYED] = AGGREGATION(SUM, .keys = &number_at_8, .key_size = 20, .key_id = 1,
			      .shard_offset = 16, .generation_offset = 8),
	[EXTREME] = AGGREGATION(MAX, .keys = &number_at_8, .key_size = 20, .key_id = 2,
				.shard_offset = 16),
	[KEYLESS] = { .name = "n",
		      .function = AGGREGATE_COUNT,
		      .value_size = 8,
		      .map = -1,
		      .keyless_offset = 16 },
};
static const uint32_t numbers[] = { KEYED, EXTREME, KEYLESS };
#define CLEAR(number)                                                                              \
	{                                                                                          \
		.kind = ACTION_CLEAR, .flag = -1, .aggregations = &numbers[number],                \
		.aggregation_count = 1                                                             \
	}
static const struct action_layout clear_all[] = { CLEAR(KEYED), CLEAR(EXTREME), CLEAR(KEYLESS) };
#define CLAUSES(room, where)                                                                       \
	{                                                                                          \
		{ .epid = 1,                                                                       \
		  .records = true,                                                                 \
		  .fixed_size = (room),                                                            \
		  .action_count = 1,                                                               \
		  .actions = &(const struct action_layout) { .kind = ACTION_TRACE,                 \
							     .flag = -1,                           \
							     .fields = &(where),                   \
							     .field_count = 1 } },                 \
			{ .epid = 2, .actions = clear_all, .action_count = 3 },                    \
	}
static const struct clause_layout by_cpu_clauses[] = CLAUSES(32, field_at_24),
				  by_area_clauses[] = CLAUSES(40, field_at_32);
static const struct map_layout by_cpu_maps[] = {
	{ .key_size = 12, .value_size = 8, .max_entries = 16 },
	{ .key_size = 12, .value_size = 8, .max_entries = 16 },
};
static const struct map_layout by_area_maps[] = {
	{ .key_size = 20, .value_size = 8, .max_entries = 16 },
};
static const struct program programs[2] = {
	{ .clauses = by_cpu_clauses,
	  .clause_count = 2,
	  .aggregations = by_cpu,
	  .aggregation_count = 3,
	  .maps = by_cpu_maps,
	  .map_count = 2,
	  .keyless_size = 64,
	  .area_count = 2,
	  .cpu_count = 2 },
	{ .clauses = by_area_clauses,
	  .clause_count = 2,
	  .aggregations = by_area,
	  .aggregation_count = 3,
	  .maps = by_area_maps,
	  .map_count = 1,
	  .keyless_size = 64,
	  .area_count = 3,
	  .cpu_count = 3 },
};

static const struct probe_names *name_of(void *arg, uint32_t id)
{
	static const struct probe_names names = { "p", "m", "f", "n" };
	return id == 1 ? &names : NULL;
}

static struct record_source source_of(unsigned n)
{
	struct memory *m = &memories[n];
	return (struct record_source) {
		.program = &programs[n],
		.reader = &reader,
		.self = m,
		.control = &m->control,
		.counters = m->counters,
		.keyless = m->keyless,
		.globals = m->generations,
		.area_words = n ? "in area" : NULL,
	};
}

static struct consumer *start(bool temporal)
{
	memset(memories, 0, sizeof(memories));
	for (unsigned n = 0; n < 2; n++) {
		memories[n].control.activity = ACTIVITY_ACTIVE;
		for (unsigned map = 0; map < programs[n].map_count; map++)
			memories[n].key_sizes[map] = programs[n].maps[map].key_size;
	}
	struct record_source sources[] = { source_of(0), source_of(1) };
	struct consumer_setup setup = { .sources = sources,
					.source_count = 2,
					.cpu_count = 2,
					.temporal = temporal,
					.per_cpu = true,
					.names = { .probe = name_of },
					.now = now };
	struct consumer *c = NULL;
	auto_error struct error *err = consumer_new(&setup, &c);
	CHECK_STR(err ? error_text(err) : "", "");
	return c;
}

/* --- records ---------------------------------------------------------------------------------- */

static void put(unsigned n, unsigned area, uint16_t cpu, uint64_t time, uint64_t value)
{
	struct memory *m = &memories[n];
	unsigned at = m->counts[area]++;
	struct record_header header = { .time = time, .probe = 1, .cpu = cpu };
	memset(m->records[area][at].data, 0, sizeof(m->records[area][at].data));
	memcpy(m->records[area][at].data, &header, sizeof(header));
	m->records[area][at].data[n ? 4 : 3] = value;
	m->records[area][at].size = programs[n].clauses[0].fixed_size;
}

static char seen[256];

static struct error *note(void *arg, const struct record *r)
{
	uint64_t value = 0;
	if (!r->problem)
		memcpy(&value, (const char *)r->header + r->clause->actions[0].fields[0].offset, 8);
	sprintf(seen + strlen(seen), "%d:%llu ", r->cpu, (unsigned long long)value);
	return NULL;
}

static const char *flushed(struct consumer *c)
{
	seen[0] = '\0';
	CHECK(!consumer_flush(c, note, NULL));
	return seen;
}

TEST(records_come_by_time_source_area_arrival)
{
	struct consumer *c = start(true);
	put(1, 2, 1, 50, 7);
	put(1, 0, 1, 50, 5);
	put(1, 0, 0, 50, 6);
	put(0, 1, 1, 50, 4);
	put(0, 0, 0, 50, 3);
	put(1, 1, 0, 10, 1);
	put(0, 1, 1, 20, 2);
	put(1, 1, 0, 60, 8);
	CHECK_STR(flushed(c), "0:1 1:2 0:3 1:4 1:5 0:6 1:7 0:8 ");
	consumer_free(c);
}

TEST(without_temporal_source_by_source)
{
	struct consumer *c = start(false);
	put(1, 1, 0, 10, 1);
	put(0, 1, 1, 20, 2);
	put(0, 0, 0, 30, 3);
	CHECK_STR(flushed(c), "0:3 1:2 0:1 ");
	consumer_free(c);
}

/* Area 2 of the second source is not CPU 2, which there is not. */
TEST(cpus_are_checked_areas_are_named)
{
	struct consumer *c = start(true);
	put(1, 2, 2, 10, 1);
	CHECK_STR(flushed(c), "2:0 ");
	put(1, 2, 1, 10, 9);
	memories[1].records[2][0].size = 32; /* enough for the first source's clause */
	CHECK_STR(flushed(c), "2:0 ");
	consumer_free(c);
}

/* --- aggregations ----------------------------------------------------------------------------- */

static void add(unsigned n, unsigned aggregation, uint64_t number, uint16_t area, uint64_t value)
{
	struct memory *m = &memories[n];
	const struct aggregation_layout *a = &programs[n].aggregations[aggregation];
	struct key_shard shard = { area, (uint16_t)m->generations[a->generation_offset / 8] };
	unsigned char key[KEY_MOST] = { 0 };
	memcpy(key, &a->key_id, a->key_id ? 4 : 0);
	memcpy(key + a->keys[0].offset, &number, 8);
	memcpy(key + a->shard_offset, &shard, sizeof(shard));
	unsigned at = find(m, (unsigned)a->map, key);
	if (!m->elements[at].used) {
		memcpy(m->elements[at].key, key, sizeof(key));
		memset(m->elements[at].words, 0, sizeof(m->elements[at].words));
		m->elements[at].map = (unsigned)a->map;
		m->elements[at].used = true;
	}
	if (a->function == AGGREGATE_SUM)
		m->elements[at].words[0] += value;
	else
		m->elements[at].words[0] = value - (uint64_t)INT64_MIN;
}

static unsigned used(unsigned n)
{
	unsigned count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(memories[n].elements); i++)
		count += memories[n].elements[i].used;
	return count;
}

/* "KEY=VALUE (CPU 0's, CPU 1's) " */
static const char *text_of(struct consumer *c, uint32_t aggregation)
{
	static char text[256];
	struct aggregation_order order = { .by_key = true };
	struct aggregation_rows rows;
	text[0] = '\0';
	CHECK(!consumer_flush(c, note, NULL)); /* another round, another reading */
	CHECK(!consumer_rows(c, &aggregation, 1, false, &order, &rows));
	for (size_t i = 0; i < rows.count; i++) {
		const struct aggregation_row *row = aggregation_row_at(&rows, i);
		uint64_t number = 0;
		if (row->layout->count)
			memcpy(&number, row->key + row->layout->fields[0].offset, 8);
		struct aggregation_value own[2];
		for (unsigned cpu = 0; cpu < 2; cpu++)
			aggregation_of_cpu(&row->values[0], cpu, &own[cpu]);
		sprintf(text + strlen(text), "%llu=%lld (%lld, %lld) ", (unsigned long long)number,
			(long long)aggregation_result(&row->values[0]), (long long)own[0].words[0],
			(long long)own[1].words[0]);
	}
	aggregation_rows_free(&rows);
	return text;
}

TEST(equal_keys_of_other_layouts_are_one)
{
	struct consumer *c = start(true);
	add(0, KEYED, 7, 0, 1);
	add(0, KEYED, 7, 1, 10);
	add(1, KEYED, 7, 0, 100);
	add(1, KEYED, 7, 2, 1000);
	add(1, KEYED, 8, 1, 5);
	add(1, EXTREME, 9, 1, 3);
	add(0, EXTREME, 9, 1, 2);
	CHECK_STR(text_of(c, KEYED), "7=1111 (1, 10) 8=5 (0, 0) ");
	CHECK_STR(text_of(c, EXTREME), "9=3 (0, 2) ");
	consumer_free(c);
}

TEST(values_without_keys_are_added_up)
{
	struct consumer *c = start(true);
	CHECK_STR(text_of(c, KEYLESS), "");
	memories[1].keyless[2][2] = 5; /* that one's begins 16 bytes in */
	CHECK_STR(text_of(c, KEYLESS), "0=5 (0, 0) ");
	memories[0].keyless[1][0] = 2;
	CHECK_STR(text_of(c, KEYLESS), "0=7 (0, 2) ");
	CHECK(!consumer_clear(c, KEYLESS));
	memories[1].keyless[0][2]++;
	CHECK_STR(text_of(c, KEYLESS), "0=1 (0, 0) ");
	CHECK(!consumer_trunc(c, KEYLESS, 0));
	CHECK_STR(text_of(c, KEYLESS), "");
	memories[1].keyless[1][2]++;
	CHECK_STR(text_of(c, KEYLESS), "0=1 (0, 0) ");
	consumer_free(c);
}

/* clear() and trunc() act on both sources, and each source's elements are deleted separately. */
TEST(clear_and_trunc_reach_every_source)
{
	struct consumer *c = start(true);
	add(0, KEYED, 1, 0, 1);
	add(1, KEYED, 1, 0, 2);
	add(1, KEYED, 2, 1, 9);
	add(1, EXTREME, 2, 1, 9); /* in the same map */
	CHECK_STR(text_of(c, KEYED), "1=3 (1, 0) 2=9 (0, 0) ");
	CHECK(!consumer_clear(c, KEYED));
	add(1, KEYED, 1, 0, 4);
	CHECK_STR(text_of(c, KEYED), "1=4 (0, 0) 2=0 (0, 0) ");
	CHECK(!consumer_trunc(c, KEYED, 1));
	CHECK_STR(text_of(c, KEYED), "1=4 (0, 0) ");
	clock_now += 2000000000;
	CHECK_STR(text_of(c, KEYED), "1=4 (0, 0) ");
	CHECK_INT(memories[0].settled + memories[1].settled, 2);
	CHECK_INT(used(0), 1);
	CHECK_INT(used(1), 2);
	CHECK_STR(text_of(c, EXTREME), "2=9 (0, 0) ");
	add(1, KEYED, 2, 1, 6);
	CHECK_STR(text_of(c, KEYED), "1=4 (0, 0) 2=6 (0, 0) ");
	consumer_free(c);
}

/* --- drops, and sources that do not fit ------------------------------------------------------- */

static void note_drop(void *arg, const struct drop *drop)
{
	char *text = drop_text(drop);
	sprintf(seen + strlen(seen), "%s|", text);
	free(text);
}

TEST(drops_name_the_area_in_their_sources_words)
{
	struct consumer *c = start(true);
	memories[0].counters[1].principal = 2;
	memories[1].counters[1].principal = 3;
	memories[1].counters[2].dynamic = 4;
	memories[0].counters[0].dynamic = 1;
	seen[0] = '\0';
	consumer_drops(c, 0, note_drop, NULL);
	CHECK_STR(seen, "2 drops on CPU 1|3 drops in area 1|5 dynamic variable drops|");
	consumer_free(c);
}

TEST(sources_of_other_clauses_are_refused)
{
	struct aggregation_layout other[3];
	struct program p = programs[1];
	memcpy(other, by_area, sizeof(other));
	other[KEYLESS].function = AGGREGATE_SUM;
	p.aggregations = other;
	struct record_source sources[] = { source_of(0), source_of(1) };
	sources[1].program = &p;
	struct consumer_setup setup = { .sources = sources, .source_count = 2 };
	struct consumer *c = NULL;
	struct error *err = consumer_new(&setup, &c);
	CHECK(err && strstr(error_text(err), "other clauses"));
	error_free(err);
	p = programs[1];
	p.clause_count = 1;
	err = consumer_new(&setup, &c);
	CHECK(err && strstr(error_text(err), "other clauses"));
	error_free(err);
}

TEST_MAIN
