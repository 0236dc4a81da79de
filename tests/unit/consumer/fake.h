/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fake - rings and maps in memory, for tests of consumer and output
 *
 * A ring is a list of records; a map is a list of entries that hold the elements of
 * all CPUs (FAKE_CPUS) for a key; their keys are told apart by what FAKE_KEY() adds.
 */
#ifndef TESTS_UNIT_CONSUMER_FAKE_H
#define TESTS_UNIT_CONSUMER_FAKE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/consumer.h"
#include "consumer/reader.h"

#define FAKE_CPUS 2
#define FAKE_MAPS 4
/* Of an aggregation's layout, with keys of SIZE bytes, a multiple of 4 */
#define FAKE_KEY(size) .key_size = (size) + 4, .shard_offset = (size), .cpus_per_shard = 1

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
	bool used[FAKE_CPUS];
};

struct fake_map {
	uint32_t key_size;    /* without what FAKE_KEY() adds */
	uint32_t value_bytes; /* of all CPUs */
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

static uint64_t *fake_words(int map, struct fake_entry *e, uint32_t cpu)
{
	return e->words + (size_t)cpu * fake_maps[map].value_bytes / FAKE_CPUS / sizeof(uint64_t);
}

static bool fake_is_used(const struct fake_entry *e)
{
	return e->used[0] || e->used[1];
}

static struct error *fake_visit(int map, uint32_t key_size, uint32_t value_bytes,
				uint32_t max_entries, map_visit_fn *visit, void *arg)
{
	struct fake_map *m = &fake_maps[map];
	struct error *err = NULL;
	for (uint32_t i = 0; i < 32 * FAKE_CPUS && !err; i++) {
		struct fake_entry *e = &m->entries[i / FAKE_CPUS];
		struct key_shard shard = { i % FAKE_CPUS };
		unsigned char key[sizeof(e->key) + sizeof(shard)];
		memcpy(key, e->key, m->key_size);
		memcpy(key + m->key_size, &shard, sizeof(shard));
		if (e->used[shard.group])
			err = visit(arg, key, fake_words(map, e, shard.group));
	}
	return err;
}

static struct fake_entry *fake_find(int map, const void *key)
{
	struct fake_map *m = &fake_maps[map];
	for (unsigned i = 0; i < 32; i++)
		if (fake_is_used(&m->entries[i]) &&
		    memcmp(m->entries[i].key, key, m->key_size) == 0)
			return &m->entries[i];
	return NULL;
}

/* The entry of KEY, with elements of all CPUs, made when absent. */
static struct fake_entry *fake_entry(int map, const void *key)
{
	struct fake_entry *e = fake_find(map, key);
	if (!e) {
		e = fake_maps[map].entries;
		while (fake_is_used(e))
			e++;
		memset(e, 0, sizeof(*e));
		memcpy(e->key, key, fake_maps[map].key_size);
	}
	e->used[0] = e->used[1] = true;
	return e;
}

/* The CPU whose element of the map has KEY. */
static uint32_t fake_group(int map, const void *key)
{
	struct key_shard shard;
	memcpy(&shard, (const char *)key + fake_maps[map].key_size, sizeof(shard));
	return shard.group;
}

static struct error *fake_update(int map, const void *key, const void *value, uint64_t flags)
{
	struct fake_entry *e = fake_find(map, key);
	uint32_t cpu = fake_group(map, key);
	if (flags != BPF_ANY && (e && e->used[cpu]) == (flags == BPF_NOEXIST))
		return error_sys(flags == BPF_NOEXIST ? EEXIST : ENOENT, "an element");
	if (!e) {
		e = fake_entry(map, key);
		e->used[!cpu] = false;
	}
	e->used[cpu] = true;
	memcpy(fake_words(map, e, cpu), value, fake_maps[map].value_bytes / FAKE_CPUS);
	return NULL;
}

/* What the last CPU adds to an element after it was read and before it is deleted. */
static uint64_t fake_late;

static bool fake_withdraw(int map, const void *key, void *value)
{
	struct fake_entry *e = fake_find(map, key);
	uint32_t cpu = fake_group(map, key);
	if (!e || !e->used[cpu])
		return false;
	uint64_t *words = fake_words(map, e, cpu);
	if (cpu == FAKE_CPUS - 1) {
		words[0] += fake_late;
		fake_late = 0;
	}
	memcpy(value, words, fake_maps[map].value_bytes / FAKE_CPUS);
	memset(words, 0, fake_maps[map].value_bytes / FAKE_CPUS);
	e->used[cpu] = false;
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
