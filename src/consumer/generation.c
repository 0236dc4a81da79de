/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * generation - deletes the elements that trunc() removed, without losing additions under way
 *
 * A firing looks up its element and adds to it.  If we deleted the element in between, the number
 * would be lost, or added to another key that got its memory.  So first no firing may find it:
 *
 *   generation_begin   the number that firings write to their keys is raised; values added from
 *                      then on go to new elements
 *   firings settle     firings that had read the old number have ended (a grace period, 10 ms)
 *   elements_settle    elements of old generations no longer change: those that were
 *                      removed are deleted, and of the others one is left for each key and group
 *                      of CPUs, with the sum of their values
 *
 * Until then elements of all generations are read, and those that have not changed since their
 * removal are skipped (element_since()).  We wait for firings once a second at most, unless the
 * map is getting full.
 */
#include <string.h>

#include "consumer/internal.h"

#define SETTLE_EVERY 1000000000ull /* ns */

static uint64_t *generation_of(const struct aggregation_share *share)
{
	char *globals = share->input->source.globals;
	return (uint64_t *)(void *)(globals + share->layout->generation_offset);
}

void generation_begin(struct consumer *c, struct aggregation_state *a)
{
	for (unsigned i = 0; i < c->setup.source_count; i++) {
		struct aggregation_share *share = &a->shares[i];
		__atomic_add_fetch(generation_of(share), 1, __ATOMIC_SEQ_CST);
		if (!share->has_retired)
			share->retired_at = c->setup.now();
		share->has_retired = true;
	}
}

static bool is_running(const struct record_source *s)
{
	return !s->control ||
	       __atomic_load_n(&s->control->activity, __ATOMIC_RELAXED) == ACTIVITY_ACTIVE;
}

static uint64_t drops_now(const struct input *input)
{
	const struct area_counters *counters = input->source.counters;
	uint64_t sum = 0;
	for (unsigned area = 0; counters && area < areas_of(input); area++)
		sum += __atomic_load_n(&counters[area].aggregation, __ATOMIC_RELAXED);
	return sum;
}

/* The executor may have made it smaller than max_entries: then drops show that it is full. */
static bool is_getting_full(const struct aggregation_share *share)
{
	const struct program *p = share->input->source.program;
	return share->elements > p->maps[share->layout->map].max_entries / 2 ||
	       drops_now(share->input) != share->drops_before;
}

/* The first of the old elements of a key and a group, which stays. */
struct survivor {
	unsigned char *key; /* of the one that stays */
	int64_t *words;	    /* of all together */
	bool is_changed;    /* the element has others yet */
};

struct settling {
	const struct aggregation_state *a;
	struct aggregation_share *share;
	uint16_t generation;   /* the one that firings add to */
	struct hash *baseline; /* of the elements of that */
	struct hash *places;   /* key without generation -> struct survivor */
	VECTOR(struct survivor *) survivors;
	VECTOR(unsigned char *) gone; /* keys of elements to be deleted */
	unsigned char *key;	      /* room for one */
	int64_t *words;		      /* the same */
	struct arena *arena;
};

static struct key_shard *shard_of(const struct aggregation_layout *layout, unsigned char *key)
{
	return (struct key_shard *)(void *)(key + layout->shard_offset);
}

static unsigned char *key_copy(struct settling *s, const unsigned char *key)
{
	unsigned char *copy = arena_alloc(s->arena, s->share->layout->key_size);
	return memcpy(copy, key, s->share->layout->key_size);
}

static void baseline_keep(struct settling *s, const unsigned char *key)
{
	uint32_t key_size = s->share->layout->key_size;
	if (baseline_of(s->share, key))
		*hash_place(s->baseline, key, key_size) =
			take(*hash_place(s->share->baseline, key, key_size));
}

/* Add E to the element that stays for its key and group; E is deleted unless it is that element. */
static void survivor_add(struct settling *s, const struct element *e)
{
	const struct aggregation_layout *layout = s->share->layout;
	shard_of(layout, s->key)->generation = 0;
	struct survivor **place =
		(struct survivor **)hash_place(s->places, s->key, layout->key_size);
	if (*place) {
		words_add(layout->function, (*place)->words, s->words, s->a->word_count);
		(*place)->is_changed = true;
		vector_push(&s->gone, key_copy(s, e->key));
		return;
	}
	*place = ARENA_NEW(s->arena, struct survivor);
	**place = (struct survivor) { .key = key_copy(s, e->key),
				      .words = arena_alloc(s->arena, words_size(s->a)),
				      .is_changed = baseline_of(s->share, e->key) != NULL };
	memcpy((*place)->words, s->words, words_size(s->a));
	vector_push(&s->survivors, *place);
}

static struct error *settle_element(void *arg, const struct element *e)
{
	struct settling *s = arg;
	memcpy(s->key, e->key, s->share->layout->key_size);
	if (shard_of(s->share->layout, s->key)->generation == s->generation)
		baseline_keep(s, e->key);
	else if (element_since(s->a, e, s->words))
		survivor_add(s, e);
	else
		vector_push(&s->gone, key_copy(s, e->key));
	return NULL;
}

/* The map as it was read.  A survivor has one element, so there is memory for its words. */
static struct error *settle_map(const struct settling *s)
{
	const struct record_source *source = &s->share->input->source;
	unsigned map = (unsigned)s->share->layout->map;
	struct error *err = NULL;
	for (size_t i = 0; i < s->survivors.count && !err; i++) {
		const struct survivor *one = s->survivors.items[i];
		if (one->is_changed)
			err = source->reader->update(source->self, map, one->key, one->words);
	}
	for (size_t i = 0; i < s->gone.count && !err; i++)
		err = source->reader->remove(source->self, map, s->gone.items[i]);
	return err;
}

static struct error *elements_settle(const struct aggregation_state *a,
				     struct aggregation_share *share)
{
	struct settling s = {
		.a = a,
		.share = share,
		.generation = (uint16_t)*generation_of(share),
		.baseline = hash_new(),
		.places = hash_new(),
		.key = mem_alloc(share->layout->key_size),
		.words = mem_zalloc(share->layout->value_size),
		.arena = arena_new(),
	};
	struct error *err = elements_visit(share, settle_element, &s);
	baseline_free(share);
	share->baseline = s.baseline;
	if (!err)
		err = settle_map(&s);
	share->has_retired = false;
	hash_free(s.places);
	vector_free(&s.survivors);
	vector_free(&s.gone);
	free(s.key);
	free(s.words);
	arena_free(s.arena);
	return err;
}

static struct error *share_settle(struct consumer *c, const struct aggregation_state *a,
				  struct aggregation_share *share, bool if_full)
{
	const struct record_source *source = &share->input->source;
	if (!share->has_retired || !is_running(source))
		return NULL;
	bool is_due = !if_full && c->setup.now() - share->retired_at >= SETTLE_EVERY;
	if (!is_due && !is_getting_full(share))
		return NULL;
	share->retired_at = c->setup.now();
	share->drops_before = drops_now(share->input);
	bool all = false;
	struct error *err = source->reader->settle(source->self, &all);
	if (err || !all)
		return err;
	return elements_settle(a, share);
}

struct error *generations_settle(struct consumer *c, struct aggregation_state *a, bool if_full)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < c->setup.source_count && !err; i++)
		err = share_settle(c, a, &a->shares[i], if_full);
	return err;
}
