/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake - rings and maps in memory, for tests of consumer and output
 *
 * A ring is a list of records; a map is a list of entries whose value holds one
 * part per CPU (FAKE_CPUS) or, if it is not per CPU, one.
 */
#ifndef TESTS_UNIT_CONSUMER_FAKE_H
#define TESTS_UNIT_CONSUMER_FAKE_H

#include <stdlib.h>
#include <string.h>

#include "consumer/consumer.h"
#include "consumer/reader.h"

#define FAKE_CPUS 2
#define FAKE_MAPS 4

struct ring {
	struct {
		uint64_t data[64];
		uint32_t size;
	} records[64];
	unsigned count;
};

struct fake_entry {
	unsigned char key[64];
	uint64_t words[FAKE_CPUS * 256];
	bool used;
};

struct fake_map {
	uint32_t key_size, value_bytes;
	struct fake_entry entries[32];
};

static struct ring fake_rings[FAKE_CPUS];
static struct ring *const fake_ring_list[FAKE_CPUS] = { &fake_rings[0], &fake_rings[1] };
static struct fake_map fake_maps[FAKE_MAPS];
static const int fake_map_list[FAKE_MAPS] = { 0, 1, 2, 3 };
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
static bool fake_per_cpu; /* consumers keep each CPU's part */

static uint64_t fake_now(void)
{
	return fake_clock;
}

static struct error *fake_drain(struct ring *ring, ring_visit_fn *visit, void *arg, uint64_t *count)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < ring->count && !err; i++) {
		err = visit(arg, ring->records[i].data, ring->records[i].size);
		(*count)++;
	}
	ring->count = 0;
	return err;
}

static struct error *fake_visit(int map, uint32_t key_size, uint32_t value_bytes,
				uint32_t max_entries, map_visit_fn *visit, void *arg)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < 32 && !err; i++)
		if (fake_maps[map].entries[i].used)
			err = visit(arg, fake_maps[map].entries[i].key,
				    fake_maps[map].entries[i].words);
	return err;
}

/* The entry of KEY, made when absent. */
static struct fake_entry *fake_entry(int map, const void *key)
{
	struct fake_map *m = &fake_maps[map];
	struct fake_entry *spare = NULL;
	for (unsigned i = 0; i < 32; i++) {
		struct fake_entry *e = &m->entries[i];
		if (e->used && memcmp(e->key, key, m->key_size) == 0)
			return e;
		if (!e->used && !spare)
			spare = e;
	}
	memset(spare, 0, sizeof(*spare));
	memcpy(spare->key, key, m->key_size);
	spare->used = true;
	return spare;
}

static struct error *fake_update(int map, const void *key, const void *value, uint64_t flags)
{
	memcpy(fake_entry(map, key)->words, value, fake_maps[map].value_bytes);
	return NULL;
}

/* What a CPU adds to an element after it was read and before it is deleted. */
static uint64_t fake_late;

static bool fake_withdraw(int map, const void *key, void *value)
{
	struct fake_entry *e = fake_entry(map, key);
	e->words[FAKE_CPUS - 1] += fake_late;
	fake_late = 0;
	memcpy(value, e->words, fake_maps[map].value_bytes);
	e->used = false;
	return true;
}

static const struct consumer_reader fake_reader = {
	.now = fake_now,
	.drain = fake_drain,
	.visit = fake_visit,
	.update = fake_update,
	.withdraw = fake_withdraw,
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
	fake_clock = 0;
	fake_per_cpu = false;
}

static inline struct consumer *fake_consumer(const struct program *p, void *keyless, bool temporal)
{
	struct consumer_setup setup = {
		.program = p,
		.rings = fake_ring_list,
		.maps = fake_map_list,
		.keyless = keyless,
		.temporal = temporal,
		.per_cpu = fake_per_cpu,
		.names = { .probe = fake_probe },
		.reader = &fake_reader,
	};
	struct consumer *c = NULL;
	struct error *err = consumer_new(&setup, &c);
	if (err) {
		printf("%s\n", error_text(err));
		error_free(err);
	}
	return c;
}

static inline void fake_record(unsigned cpu, const void *data, uint32_t size)
{
	struct ring *ring = &fake_rings[cpu];
	memcpy(ring->records[ring->count].data, data, size);
	ring->records[ring->count++].size = size;
}

#endif
