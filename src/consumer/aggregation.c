/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggregation - clear, trunc and normalize
 *
 * Values that are added to are never set back in the kernel: another CPU may
 * add between our reading and our writing.  clear() remembers what it saw and
 * later snapshots subtract it.  min and max cannot be subtracted; they are set
 * to "nothing yet".  trunc() deletes keys, which the kernel then makes anew
 * from zeros, so their baseline goes too.
 */
#include <string.h>

#include "consumer/internal.h"

struct keys {
	struct aggregation_state *a;
	VECTOR(unsigned char *) list; /* of key_size bytes each */
	struct arena *arena;
};

static struct error *keys_add(void *arg, const void *key, const int64_t *words)
{
	struct keys *k = arg;
	unsigned char *copy = arena_alloc(k->arena, k->a->layout->key_size + 1);
	memcpy(copy, key, k->a->layout->key_size);
	vector_push(&k->list, copy);
	return NULL;
}

/* All keys that the kernel has now. */
static struct error *keys_collect(struct consumer *c, struct aggregation_state *a, struct keys *ret)
{
	*ret = (struct keys) { .a = a, .arena = arena_new() };
	return kernel_tuples_visit(c, a, keys_add, ret);
}

static void keys_deinit(struct keys *k)
{
	vector_free(&k->list);
	arena_free(k->arena);
}

/* --- clear -------------------------------------------------------------------------------- */

static struct error *baseline_set(void *arg, const void *key, const int64_t *words)
{
	struct aggregation_state *a = arg;
	if (!a->baseline)
		a->baseline = hash_new();
	void **place = hash_place(a->baseline, key, a->layout->key_size);
	size_t size = parts_size(a);
	if (!*place)
		*place = mem_alloc(size);
	memcpy(*place, words, size);
	return NULL;
}

static void baseline_forget(struct aggregation_state *a, const void *key)
{
	if (!a->baseline || !hash_get(a->baseline, key, a->layout->key_size))
		return;
	void **place = hash_place(a->baseline, key, a->layout->key_size);
	free(take(*place));
}

static void keyless_zero(struct consumer *c, struct aggregation_state *a)
{
	for (unsigned cpu = 0; cpu < c->setup.program->cpu_count; cpu++) {
		uint64_t *words = keyless_words(c, a->layout, cpu);
		for (uint32_t i = 0; i < a->word_count; i++)
			__atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
	}
}

static struct error *keys_zero(struct consumer *c, struct aggregation_state *a)
{
	const struct map_layout *map = &c->setup.program->maps[a->layout->map];
	size_t size = (size_t)map->value_size * (map->per_cpu ? c->setup.program->cpu_count : 1);
	auto_free char *zeros = mem_zalloc(size);
	struct keys keys;
	struct error *err = keys_collect(c, a, &keys);
	for (size_t i = 0; i < keys.list.count && !err; i++)
		err = c->reader->update(c->setup.maps[a->layout->map], keys.list.items[i], zeros,
					BPF_EXIST);
	keys_deinit(&keys);
	return err;
}

struct error *consumer_clear(struct consumer *c, uint32_t aggregation)
{
	struct aggregation_state *a = &c->aggregations[aggregation];
	bool is_extreme = aggregate_is_extreme(a->layout->function);
	struct error *err = snapshot_take(c, a);
	if (err)
		return err;
	bool exists = a->snapshot->tuples.count > 0;
	snapshot_drop(a);

	if (is_extreme && a->layout->map >= 0)
		err = keys_zero(c, a);
	else if (is_extreme)
		keyless_zero(c, a);
	else
		err = kernel_tuples_visit(c, a, baseline_set, a);
	if (err)
		return error_wrap(err, "clearing @%s", a->layout->name);
	a->was_cleared = true;
	if (a->layout->map < 0 && exists)
		a->was_reset = true;
	return NULL;
}

/* --- trunc -------------------------------------------------------------------------------- */

static struct error *keyless_trunc(struct consumer *c, struct aggregation_state *a)
{
	struct error *err = NULL;
	if (aggregate_is_extreme(a->layout->function)) {
		keyless_zero(c, a);
	} else {
		err = kernel_tuples_visit(c, a, baseline_set, a);
		a->was_truncated = a->baseline != NULL;
	}
	a->was_reset = false;
	return err;
}

/* Delete the keys that reduce to one of VICTIMS; NULL: all. */
static struct error *keys_delete(struct consumer *c, struct aggregation_state *a,
				 const struct hash *victims)
{
	uint32_t key_size = a->layout->key_size;
	auto_free unsigned char *reduced = mem_alloc(key_size);
	struct keys keys;
	struct error *err = keys_collect(c, a, &keys);
	for (size_t i = 0; i < keys.list.count && !err; i++) {
		memcpy(reduced, keys.list.items[i], key_size);
		key_reduce(c, a->layout, reduced);
		if (victims && !hash_get(victims, reduced, key_size))
			continue;
		c->reader->delete (c->setup.maps[a->layout->map], keys.list.items[i]);
		baseline_forget(a, keys.list.items[i]);
	}
	keys_deinit(&keys);
	return err;
}

struct ranking {
	const struct consumer *c;
	struct key_layout layout;
};

static int tuple_compare(const void *x, const void *y, void *arg)
{
	const struct ranking *ranking = arg;
	const struct tuple *a = x, *b = y;
	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	if (a->tie != b->tie)
		return a->tie < b->tie ? -1 : 1;
	return keys_compare(ranking->c, &ranking->layout, a->key, b->key, 0);
}

/* Tuples in [from, to) of the ascending order go. */
static struct error *ranks_delete(struct consumer *c, struct aggregation_state *a, size_t from,
				  size_t to)
{
	struct ranking ranking = { c, key_layout_of(a->layout) };
	struct tuple *tuples = a->snapshot->tuples.items;
	qsort_r(tuples, a->snapshot->tuples.count, sizeof(*tuples), tuple_compare, &ranking);
	struct hash *victims = hash_new();
	for (size_t i = from; i < to; i++)
		*hash_place(victims, tuples[i].key, a->layout->key_size) = a;
	struct error *err = keys_delete(c, a, victims);
	hash_free(victims);
	return err;
}

struct error *consumer_trunc(struct consumer *c, uint32_t aggregation, int64_t n)
{
	struct aggregation_state *a = &c->aggregations[aggregation];
	struct error *err = snapshot_take(c, a);
	if (err)
		return err;
	size_t count = a->snapshot->tuples.count;
	uint64_t kept = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
	if (count == 0 || (n != 0 && kept >= count))
		return NULL;

	if (a->layout->map < 0)
		err = keyless_trunc(c, a);
	else if (n == 0)
		err = keys_delete(c, a, NULL);
	else if (n > 0)
		err = ranks_delete(c, a, 0, count - kept);
	else
		err = ranks_delete(c, a, kept, count);
	snapshot_drop(a);
	return err ? error_wrap(err, "truncating @%s", a->layout->name) : NULL;
}

/* --- how it is shown -------------------------------------------------------------------------- */

void consumer_normalize(struct consumer *c, uint32_t aggregation, uint64_t normal)
{
	if (normal)
		c->aggregations[aggregation].normal = normal;
}

void consumer_mark_printed(struct consumer *c, uint32_t aggregation)
{
	c->aggregations[aggregation].printed = true;
}

bool consumer_was_printed(const struct consumer *c, uint32_t aggregation)
{
	return c->aggregations[aggregation].printed;
}
