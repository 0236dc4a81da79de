/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake - rings and maps in memory, for tests of consumer and output
 *
 * A ring is a list of records; a map is a list of entries that contain the elements of all CPUs
 * (FAKE_CPUS) for a key and generation; FAKE_KEY() makes their keys different.
 */
#ifndef TESTS_UNIT_CONSUMER_FAKE_H
#define TESTS_UNIT_CONSUMER_FAKE_H

#include <stdlib.h>
#include <string.h>

#include "consumer/consumer.h"
#include "executor/source.h"

#define FAKE_CPUS 2
#define FAKE_MAPS 4
/* Of an aggregation's layout, with keys of SIZE bytes, a multiple of 4 */
#define FAKE_KEY(size)                                                                             \
	.key_size = (size) + 4, .shard_offset = (size), .areas_per_shard = 1,                      \
	.has_generations = true

struct fake_ring {
	struct {
		uint64_t data[64];
		uint32_t size;
	} records[64];
	unsigned count;
};

struct fake_entry {
	unsigned char key[64];
	uint16_t generation;
	uint64_t words[FAKE_CPUS * 256];
	bool used[FAKE_CPUS];
};

struct fake_map {
	uint32_t key_size;    /* without what FAKE_KEY() adds */
	uint32_t value_bytes; /* of all CPUs */
	struct fake_entry entries[32];
};

static struct fake_ring fake_rings[FAKE_CPUS]; /* areas above have no buffers */
static struct fake_map fake_maps[FAKE_MAPS];
/* A clause that clears aggregations, the first so many as it is said to have actions. */
static const uint32_t fake_numbers[] = { 0, 1, 2, 3, 4, 5 };
#define FAKE_CLEAR(number)                                                                         \
	{                                                                                          \
		.kind = ACTION_CLEAR, .aggregations = &fake_numbers[number],                       \
		.aggregation_count = 1                                                             \
	}
static const struct action_layout fake_clears[] = { FAKE_CLEAR(0), FAKE_CLEAR(1), FAKE_CLEAR(2),
						    FAKE_CLEAR(3), FAKE_CLEAR(4), FAKE_CLEAR(5) };
#define FAKE_CLEARING(count)                                                                       \
	{                                                                                          \
		.actions = fake_clears, .action_count = (count), .flag_words = 1                   \
	}
static uint64_t fake_clock;
static uint64_t fake_generation; /* what firings put into keys now */
static uint64_t *fake_late;	 /* a firing that has found it adds 1 before it ends */
static struct area_counters fake_counters[FAKE_CPUS];
static bool fake_per_cpu; /* consumers keep each CPU's part */

static uint64_t fake_now(void)
{
	return fake_clock;
}

static struct error *fake_drain(void *self, unsigned area, bytes_visit_fn *visit, void *arg)
{
	struct error *err = NULL;
	if (area >= FAKE_CPUS)
		return NULL;
	struct fake_ring *ring = &fake_rings[area];
	for (unsigned i = 0; i < ring->count && !err; i++)
		err = visit(arg, ring->records[i].data, ring->records[i].size);
	ring->count = 0;
	return err;
}

static uint64_t *fake_words(unsigned map, struct fake_entry *e, uint32_t cpu)
{
	return e->words + (size_t)cpu * fake_maps[map].value_bytes / FAKE_CPUS / sizeof(uint64_t);
}

static bool fake_is_used(const struct fake_entry *e)
{
	return e->used[0] || e->used[1];
}

static struct error *fake_visit(void *self, unsigned map, element_visit_fn *visit, void *arg)
{
	struct fake_map *m = &fake_maps[map];
	struct error *err = NULL;
	for (uint32_t i = 0; i < 32 * FAKE_CPUS && !err; i++) {
		struct fake_entry *e = &m->entries[i / FAKE_CPUS];
		struct key_shard shard = { i % FAKE_CPUS, e->generation };
		unsigned char key[sizeof(e->key) + sizeof(shard)];
		memcpy(key, e->key, m->key_size);
		memcpy(key + m->key_size, &shard, sizeof(shard));
		if (e->used[shard.group])
			err = visit(arg, key, fake_words(map, e, shard.group));
	}
	return err;
}

static struct fake_entry *fake_find(unsigned map, const void *key, uint16_t generation)
{
	struct fake_map *m = &fake_maps[map];
	for (unsigned i = 0; i < 32; i++) {
		struct fake_entry *e = &m->entries[i];
		if (fake_is_used(e) && e->generation == generation &&
		    memcmp(e->key, key, m->key_size) == 0)
			return e;
	}
	return NULL;
}

/* The entry of KEY that firings find now, with an element of CPU, made when absent. */
static inline struct fake_entry *fake_entry_of(unsigned map, const void *key, unsigned cpu)
{
	struct fake_entry *e = fake_find(map, key, (uint16_t)fake_generation);
	if (!e) {
		e = fake_maps[map].entries;
		while (fake_is_used(e))
			e++;
		memset(e, 0, sizeof(*e));
		e->generation = (uint16_t)fake_generation;
		memcpy(e->key, key, fake_maps[map].key_size);
	}
	e->used[cpu] = true;
	return e;
}

/* The same, of all CPUs. */
static inline struct fake_entry *fake_entry(unsigned map, const void *key)
{
	fake_entry_of(map, key, 1);
	return fake_entry_of(map, key, 0);
}

/* The entry of an element that must be there, and its CPU. */
static struct fake_entry *fake_element(unsigned map, const void *key, uint32_t *cpu)
{
	struct key_shard shard;
	memcpy(&shard, (const char *)key + fake_maps[map].key_size, sizeof(shard));
	struct fake_entry *e = fake_find(map, key, shard.generation);
	*cpu = shard.group;
	return e && e->used[*cpu] ? e : NULL;
}

static unsigned fake_updated; /* how many elements were written */

static struct error *fake_update(void *self, unsigned map, const void *key, const void *value)
{
	uint32_t cpu;
	struct fake_entry *e = fake_element(map, key, &cpu);
	if (!e)
		return error_new("nothing to update");
	memcpy(fake_words(map, e, cpu), value, fake_maps[map].value_bytes / FAKE_CPUS);
	fake_updated++;
	return NULL;
}

static struct error *fake_remove(void *self, unsigned map, const void *key)
{
	uint32_t cpu;
	struct fake_entry *e = fake_element(map, key, &cpu);
	if (!e)
		return error_new("nothing to delete");
	e->used[cpu] = false;
	return NULL;
}

static unsigned fake_settled; /* how often firings were waited for */
static bool fake_goes_on;     /* some never end */

static struct error *fake_settle(void *self, bool *all)
{
	fake_settled++;
	if (fake_late)
		++*fake_late;
	fake_late = NULL;
	*all = !fake_goes_on;
	return NULL;
}

static const struct source_reader fake_reader = {
	.drain = fake_drain,
	.visit = fake_visit,
	.update = fake_update,
	.remove = fake_remove,
	.settle = fake_settle,
};

static const struct probe_names fake_probes[] = {
	{ "dtrace", "", "", "BEGIN" },
	{ "syscall", "vmlinux", "read", "entry" },
	{ "syscall", "vmlinux", "read", "return" },
	{ "fbt", "vmlinux", "vfs_read", "entry" },
	{ "fbt", "vmlinux", "vfs_read", "return" },
	{ "sdt", "shop", "a_function_whose_name_is_long", "sale-entry" },
	{ "sdt", "shop", "a_function_whose_name_is_long", "sale-return" },
	{ "sdt", "shop", "door", "reentry" },
};

static inline const struct probe_names *fake_probe(void *arg, uint32_t id)
{
	return id >= 1 && id <= 8 ? &fake_probes[id - 1] : NULL;
}

static inline void fake_reset(void)
{
	memset(fake_rings, 0, sizeof(fake_rings));
	memset(fake_maps, 0, sizeof(fake_maps));
	memset(fake_counters, 0, sizeof(fake_counters));
	fake_clock = fake_generation = fake_settled = fake_updated = 0;
	fake_late = NULL;
	fake_per_cpu = fake_goes_on = false;
}

/* A consumer of SOURCE, whose reader is the fake one. */
static inline struct consumer *fake_consumer_of(struct record_source *source, bool temporal)
{
	source->reader = &fake_reader;
	struct consumer_setup setup = {
		.sources = source,
		.source_count = 1,
		.cpu_count = source->program->cpu_count,
		.temporal = temporal,
		.per_cpu = fake_per_cpu,
		.names = { .probe = fake_probe },
		.now = fake_now,
	};
	struct consumer *c = NULL;
	struct error *err = consumer_new(&setup, &c);
	if (err) {
		printf("%s\n", error_text(err));
		error_free(err);
	}
	return c;
}

static inline struct consumer *fake_consumer(const struct program *p, void *keyless, bool temporal)
{
	struct record_source source = {
		.program = p,
		.keyless = keyless,
		.globals = &fake_generation,
		.counters = fake_counters,
	};
	return fake_consumer_of(&source, temporal);
}

static inline void fake_record(unsigned cpu, const void *data, uint32_t size)
{
	struct fake_ring *ring = &fake_rings[cpu];
	struct record_header *header = (void *)ring->records[ring->count].data;
	memcpy(header, data, size);
	header->cpu = (uint16_t)cpu;
	ring->records[ring->count++].size = size;
}

#endif
