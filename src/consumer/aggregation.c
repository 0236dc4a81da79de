/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggregation - clear, trunc and normalize
 *
 * clear() and trunc() remove the values of their snapshot, which are those that an earlier
 * printa() printed, and no later values.  Values that firings add to are never reset: another CPU
 * may add between our reading and our writing.  The values of the snapshot are kept, and later
 * snapshots subtract them; after trunc() they skip the key as well, until more is added.
 *
 * min and max cannot be subtracted.  With keys, values after clear() are added to new elements, as
 * after trunc() (generation.c); without keys, an area's word is set to "nothing yet" unless it has
 * changed.  In both cases, a value between the reading and the clear() that does not exceed the
 * value read is removed with it.
 */
#include <assert.h>
#include <string.h>

#include "consumer/internal.h"

/* --- clear -------------------------------------------------------------------------------- */

static void baseline_set(const struct aggregation_state *a, const struct element *seen,
			 bool with_key)
{
	struct aggregation_share *share = seen->share;
	if (!share->baseline)
		share->baseline = hash_new();
	void **place = hash_place(share->baseline, seen->key, element_key_size(share->layout));
	struct baseline *b = *place;
	if (!b)
		*place = b = mem_alloc(sizeof(*b) + words_size(a));
	b->with_key = with_key;
	memcpy(b->words, seen->words, words_size(a));
}

static void baseline_set_all(struct aggregation_state *a)
{
	const struct snapshot *s = a->snapshot;
	for (size_t i = 0; i < s->seen.count; i++)
		baseline_set(a, &s->seen.items[i], false);
}

static void baseline_free_one(void *arg, const void *key, size_t key_len, void *value)
{
	free(value);
}

void baseline_free(struct aggregation_share *share)
{
	if (share->baseline)
		hash_visit(share->baseline, baseline_free_one, NULL);
	hash_free(share->baseline);
	share->baseline = NULL;
}

/*
 * The stored form of min and max only grows: a value above the one read came later.  The mark
 * after the number (set even if the number is 0) is removed with it.
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

static void keyless_zero(struct aggregation_state *a)
{
	const struct snapshot *s = a->snapshot;
	for (size_t i = 0; i < s->seen.count; i++) {
		const struct element *e = &s->seen.items[i];
		extreme_zero(a, keyless_words(e->share, keyless_area(e)), (uint64_t)e->words[0]);
	}
}

/*
 * The values printed for a cleared aggregation until aggrate allows a new reading: keys, and
 * zeros.  A new reading directly after clear() would print the values since the last reading.
 */
static void snapshot_zero(struct aggregation_state *a)
{
	struct snapshot *s = a->snapshot;
	int64_t *zeros = arena_alloc(s->arena, parts_size(a));
	for (size_t i = 0; i < s->tuples.count; i++)
		s->tuples.items[i].words = zeros;
	if (!aggregate_is_additive(a->layout->function) && a->layout->map < 0)
		for (size_t i = 0; i < s->seen.count; i++) /* its words are set back */
			s->seen.items[i].words = zeros;
	tuples_weigh(a->layout, s->tuples.items, s->tuples.count);
}

struct error *consumer_clear(struct consumer *c, uint32_t aggregation)
{
	struct aggregation_state *a = &c->aggregations[aggregation];
	assert(a->forgets);
	bool is_extreme = !aggregate_is_additive(a->layout->function);
	struct error *err = snapshot_take(c, a);
	if (err)
		return err;
	bool exists = a->snapshot->tuples.count > 0;

	if (is_extreme && a->layout->map < 0)
		keyless_zero(a);
	else
		baseline_set_all(a);
	if ((is_extreme || a->layout->is_walked) && a->layout->map >= 0)
		generation_begin(c, a);
	if (c->aggregation_rate)
		snapshot_zero(a);
	else
		snapshot_drop(a);
	a->was_cleared = true;
	if (a->layout->map < 0 && exists)
		a->was_reset = true;
	return NULL;
}

/* --- trunc -------------------------------------------------------------------------------- */

static bool has_baseline(const struct consumer *c, const struct aggregation_state *a)
{
	for (unsigned i = 0; i < c->setup.source_count; i++)
		if (a->shares[i].baseline)
			return true;
	return false;
}

static void keyless_trunc(struct consumer *c, struct aggregation_state *a)
{
	if (!aggregate_is_additive(a->layout->function)) {
		keyless_zero(a);
	} else {
		baseline_set_all(a);
		a->was_truncated = has_baseline(c, a);
	}
	a->was_reset = false;
}

/* SHOWN: memory for a key. */
static bool is_victim(struct consumer *c, const struct aggregation_state *a,
		      const struct element *e, unsigned char *shown, const struct hash *victims)
{
	if (!victims)
		return true;
	key_shown(c, a, e->share, e->key, shown);
	return hash_get(victims, shown, a->layout->key_size) != NULL;
}

/* Forget the keys that are shown as one of VICTIMS; NULL: all. */
static void keys_forget(struct consumer *c, struct aggregation_state *a, const struct hash *victims)
{
	auto_free unsigned char *shown = mem_alloc(a->layout->key_size);
	const struct snapshot *s = a->snapshot;
	for (size_t i = 0; i < s->seen.count; i++)
		if (is_victim(c, a, &s->seen.items[i], shown, victims))
			baseline_set(a, &s->seen.items[i], true);
	generation_begin(c, a);
}

struct ranking {
	const struct consumer *c;
	struct key_layout layout;
	int tie_at;
};

static int tuple_compare(const void *x, const void *y, void *arg)
{
	const struct ranking *ranking = arg;
	const struct tuple *a = x, *b = y;
	int order = tuple_values_compare(a, b, ranking->tie_at);
	return order ? order : keys_compare(ranking->c, &ranking->layout, a->key, b->key, 0);
}

/* Tuples in [from, to) of the ascending order go. */
static void ranks_forget(struct consumer *c, struct aggregation_state *a, size_t from, size_t to)
{
	struct ranking ranking = { c, key_layout_of(a->layout), tuple_tie_at(a->layout) };
	struct tuple *tuples = a->snapshot->tuples.items;
	qsort_r(tuples, a->snapshot->tuples.count, sizeof(*tuples), tuple_compare, &ranking);
	struct hash *victims = hash_new();
	for (size_t i = from; i < to; i++)
		*hash_place(victims, tuples[i].key, a->layout->key_size) = a;
	keys_forget(c, a, victims);
	hash_free(victims);
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
		keys_forget(c, a, NULL);
	else if (n > 0)
		ranks_forget(c, a, 0, count - kept);
	else
		ranks_forget(c, a, kept, count);
	snapshot_drop(a);
	if (a->layout->map >= 0)
		err = generations_settle(c, a, true);
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
