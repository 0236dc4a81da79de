/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggregation - clear, trunc and normalize
 *
 * They forget what their snapshot saw, which is what a printa() before them showed,
 * and nothing that came later.  Values that are added to are never set back in the
 * kernel: another CPU may add between our reading and our writing.  clear()
 * remembers what was seen and later snapshots subtract it.  min and max cannot be
 * subtracted; they are set to "nothing yet" unless they have moved on.  trunc()
 * deletes the keys that have not changed, and puts back what was added meanwhile;
 * a key that has changed stays with what was added.
 *
 * One thing is not seen: a firing that had found its key before we deleted it and adds to it
 * afterwards.  Between the two lie nanoseconds, unless its (virtual) CPU stands still there: one
 * of 300,000 firings in an emulated machine, none on a real one.  clear() has no such gap.
 */
#include <assert.h>
#include <string.h>

#include "consumer/internal.h"

/* --- what was seen ------------------------------------------------------------------------ */

/* An element's key -> its words in the snapshot. */
static struct hash *seen_index(const struct aggregation_state *a)
{
	struct hash *index = hash_new();
	const struct snapshot *s = a->snapshot;
	for (size_t i = 0; i < s->seen.count; i++)
		*hash_place(index, s->seen.items[i].key, element_key_size(a->layout)) =
			(void *)s->seen.items[i].words;
	return index;
}

struct keys {
	struct aggregation_state *a;
	const struct hash *seen;
	VECTOR(unsigned char *) unchanged, changed; /* of elements, key_size bytes each */
	struct arena *arena;
};

static struct error *keys_add(void *arg, const struct element *e)
{
	struct keys *k = arg;
	uint32_t key_size = k->a->layout->key_size;
	const int64_t *before = hash_get(k->seen, e->key, key_size);
	if (!before)
		return NULL;
	unsigned char *copy = arena_alloc(k->arena, key_size);
	memcpy(copy, e->key, key_size);
	if (memcmp(before, e->words, words_size(k->a)) == 0)
		vector_push(&k->unchanged, copy);
	else
		vector_push(&k->changed, copy);
	return NULL;
}

/* The elements in SEEN that the kernel still has. */
static struct error *keys_collect(struct consumer *c, struct aggregation_state *a,
				  const struct hash *seen, struct keys *ret)
{
	*ret = (struct keys) { .a = a, .seen = seen, .arena = arena_new() };
	return elements_visit(c, a, keys_add, ret);
}

static void keys_deinit(struct keys *k)
{
	vector_free(&k->unchanged);
	vector_free(&k->changed);
	arena_free(k->arena);
}

/* --- clear -------------------------------------------------------------------------------- */

static void baseline_set(struct aggregation_state *a, const void *key, const int64_t *words)
{
	if (!a->baseline)
		a->baseline = hash_new();
	void **place = hash_place(a->baseline, key, element_key_size(a->layout));
	if (!*place)
		*place = mem_alloc(words_size(a));
	memcpy(*place, words, words_size(a));
}

static void baseline_set_all(struct aggregation_state *a)
{
	const struct snapshot *s = a->snapshot;
	for (size_t i = 0; i < s->seen.count; i++)
		baseline_set(a, s->seen.items[i].key, s->seen.items[i].words);
}

static void baseline_forget(struct aggregation_state *a, const void *key)
{
	if (!baseline_of(a, key))
		return;
	void **place = hash_place(a->baseline, key, a->layout->key_size);
	free(take(*place));
}

/*
 * min and max only grow as they are stored: what is above what was seen came later.
 * The mark behind the number (there is one though it is 0) goes with it.
 */
static void extreme_zero(const struct aggregation_state *a, uint64_t *word, uint64_t seen)
{
	uint64_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
	while (now <= seen)
		if (__atomic_compare_exchange_n(word, &now, 0, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED)) {
			for (uint32_t i = 1; i < a->word_count; i++)
				__atomic_store_n(word + i, 0, __ATOMIC_RELAXED);
			return;
		}
}

static void keyless_zero(struct consumer *c, struct aggregation_state *a)
{
	const struct snapshot *s = a->snapshot;
	for (unsigned cpu = 0; cpu < s->seen.count; cpu++)
		extreme_zero(a, keyless_words(c, a->layout, cpu),
			     (uint64_t)s->seen.items[cpu].words[0]);
}

static struct error *keys_zero(struct consumer *c, struct aggregation_state *a)
{
	auto_free char *zeros = mem_zalloc(c->setup.program->maps[a->layout->map].value_size);
	struct hash *seen = seen_index(a);
	struct keys keys;
	struct error *err = keys_collect(c, a, seen, &keys);
	for (size_t i = 0; i < keys.unchanged.count && !err; i++)
		err = c->reader->update(c->setup.maps[a->layout->map], keys.unchanged.items[i],
					zeros, BPF_EXIST);
	keys_deinit(&keys);
	hash_free(seen);
	return err;
}

/*
 * What a cleared aggregation shows until aggrate lets us read again: keys, and zeros.  A new
 * reading would show what came since the last one, right behind the clear().
 */
static void snapshot_zero(struct aggregation_state *a)
{
	struct snapshot *s = a->snapshot;
	int64_t *zeros = arena_alloc(s->arena, parts_size(a));
	for (size_t i = 0; i < s->tuples.count; i++)
		s->tuples.items[i].words = zeros;
	for (size_t i = 0; i < s->seen.count && aggregate_is_extreme(a->layout->function); i++)
		s->seen.items[i].words = zeros;
	tuples_weigh(a->layout, s->tuples.items, s->tuples.count);
}

struct error *consumer_clear(struct consumer *c, uint32_t aggregation)
{
	struct aggregation_state *a = &c->aggregations[aggregation];
	assert(a->forgets);
	bool is_extreme = aggregate_is_extreme(a->layout->function);
	struct error *err = snapshot_take(c, a);
	if (err)
		return err;
	bool exists = a->snapshot->tuples.count > 0;

	if (is_extreme && a->layout->map >= 0)
		err = keys_zero(c, a);
	else if (is_extreme)
		keyless_zero(c, a);
	else
		baseline_set_all(a);
	if (c->aggregation_rate && !err)
		snapshot_zero(a);
	else
		snapshot_drop(a);
	if (err)
		return error_wrap(err, "clearing @%s", a->layout->name);
	a->was_cleared = true;
	if (a->layout->map < 0 && exists)
		a->was_reset = true;
	return NULL;
}

/* --- trunc -------------------------------------------------------------------------------- */

static void keyless_trunc(struct consumer *c, struct aggregation_state *a)
{
	if (aggregate_is_extreme(a->layout->function)) {
		keyless_zero(c, a);
	} else {
		baseline_set_all(a);
		a->was_truncated = a->baseline != NULL;
	}
	a->was_reset = false;
}

static bool key_is_victim(struct consumer *c, const struct aggregation_state *a,
			  const unsigned char *key, unsigned char *reduced,
			  const struct hash *victims)
{
	if (!victims)
		return true;
	memcpy(reduced, key, a->layout->key_size);
	key_reduce(c, a->layout, reduced);
	return hash_get(victims, reduced, a->layout->key_size) != NULL;
}

/* Of VALUE, an element's words, leave what came after it was SEEN; false: nothing did. */
static bool value_since(const struct aggregation_state *a, int64_t *value, const int64_t *seen)
{
	if (memcmp(value, seen, words_size(a)) == 0)
		return false;
	if (!aggregate_is_extreme(a->layout->function))
		words_subtract(a->layout->function, value, seen, a->word_count);
	return true;
}

/* Delete KEY; what was added since it was SEEN goes back, together with what comes between. */
static struct error *key_delete(struct consumer *c, struct aggregation_state *a, const void *key,
				const int64_t *seen)
{
	int map = c->setup.maps[a->layout->map];
	uint32_t value_size = c->setup.program->maps[a->layout->map].value_size;
	auto_free int64_t *value = mem_zalloc(value_size);
	auto_free int64_t *more = mem_zalloc(value_size);
	if (!c->reader->withdraw(map, key, value) || !value_since(a, value, seen))
		return NULL;
	struct error *err;
	while ((err = c->reader->update(map, key, value, BPF_NOEXIST)) &&
	       c->reader->withdraw(map, key, more)) {
		error_free(err);
		words_add(a->layout->function, value, more, a->word_count);
	}
	return err;
}

/* Forget the keys that reduce to one of VICTIMS; NULL: all. */
static struct error *keys_delete(struct consumer *c, struct aggregation_state *a,
				 const struct hash *victims)
{
	auto_free unsigned char *reduced = mem_alloc(a->layout->key_size);
	struct hash *seen = seen_index(a);
	struct keys keys;
	struct error *err = keys_collect(c, a, seen, &keys);
	for (size_t i = 0; i < keys.unchanged.count && !err; i++) {
		unsigned char *key = keys.unchanged.items[i];
		if (!key_is_victim(c, a, key, reduced, victims))
			continue;
		err = key_delete(c, a, key, hash_get(seen, key, a->layout->key_size));
		baseline_forget(a, key);
	}
	bool is_extreme = aggregate_is_extreme(a->layout->function);
	for (size_t i = 0; i < keys.changed.count && !is_extreme && !err; i++) {
		unsigned char *key = keys.changed.items[i];
		if (key_is_victim(c, a, key, reduced, victims))
			baseline_set(a, key, hash_get(seen, key, a->layout->key_size));
	}
	keys_deinit(&keys);
	hash_free(seen);
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
	assert(a->forgets);
	struct error *err = snapshot_take(c, a);
	if (err)
		return err;
	size_t count = a->snapshot->tuples.count;
	uint64_t kept = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
	if (count == 0 || (n != 0 && kept >= count))
		return NULL;

	if (a->layout->map < 0)
		keyless_trunc(c, a);
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
