/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * generation - elements that trunc() forgot go, without losing what is just being added to them
 *
 * A firing looks its element up and adds to it.  If we deleted the element in between, the number
 * would be lost, or land in another key's that got its memory.  So first nobody must find it:
 *
 *   generation_begin   the number that firings put into their keys is raised; what they add from
 *                      then on goes to new elements
 *   programs settle    firings that had read the old number have ended (a grace period, 10 ms)
 *   elements_settle    nobody changes elements of old generations any more: those that were
 *                      forgotten are deleted, and of the others one is left for each key and group
 *                      of CPUs, which has what they had together
 *
 * Until then elements of all generations are read, and those that have not changed since they were
 * forgotten are passed over (element_since()).  We wait for firings once a second at most, unless
 * the map is getting full.
 */
#include <string.h>

#include "consumer/internal.h"

#define SETTLE_EVERY 1000000000ull /* ns */
#define LOOKS_MOST 20		   /* at a CPU, in a row */

static uint64_t *generation_of(const struct consumer *c, const struct aggregation_layout *layout)
{
	return (uint64_t *)(void *)((char *)c->setup.globals + layout->generation_offset);
}

void generation_begin(struct consumer *c, struct aggregation_state *a)
{
	__atomic_add_fetch(generation_of(c, a->layout), 1, __ATOMIC_SEQ_CST);
	if (!a->has_retired)
		a->retired_at = c->reader->now();
	a->has_retired = true;
}

static bool is_seen_idle(const struct consumer *c, const struct cpu_counters *cpu)
{
	for (int looks = 0; looks < LOOKS_MOST; looks++) {
		if (!__atomic_load_n(&cpu->running, __ATOMIC_SEQ_CST))
			return true;
		c->reader->pause();
	}
	return false;
}

/*
 * Programs that may sleep are not covered by a grace period; they count themselves, and stay on
 * their CPU.  So it is enough to see each CPU without one: of many, hardly ever are all at once.
 */
static bool sleepers_ended(const struct consumer *c)
{
	const struct cpu_counters *counters = c->setup.counters;
	for (unsigned cpu = 0; counters && cpu < c->setup.program->cpu_count; cpu++)
		if (!is_seen_idle(c, &counters[cpu]))
			return false;
	return true;
}

static bool is_running(const struct consumer *c)
{
	return !c->setup.control ||
	       __atomic_load_n(&c->setup.control->activity, __ATOMIC_RELAXED) == ACTIVITY_ACTIVE;
}

static uint64_t drops_now(const struct consumer *c)
{
	const struct cpu_counters *counters = c->setup.counters;
	uint64_t sum = 0;
	for (unsigned cpu = 0; counters && cpu < c->setup.program->cpu_count; cpu++)
		sum += __atomic_load_n(&counters[cpu].aggregation, __ATOMIC_RELAXED);
	return sum;
}

/* The loader may have given less than max_entries: then drops tell. */
static bool is_getting_full(const struct consumer *c, const struct aggregation_state *a)
{
	return a->elements > c->setup.program->maps[a->layout->map].max_entries / 2 ||
	       drops_now(c) != a->drops_before;
}

/* What is left of the old elements of a key and a group. */
struct survivor {
	unsigned char *key; /* of the one that stays */
	int64_t *words;	    /* of all together */
	bool is_changed;    /* the element has others yet */
};

struct settling {
	struct aggregation_state *a;
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
	unsigned char *copy = arena_alloc(s->arena, s->a->layout->key_size);
	return memcpy(copy, key, s->a->layout->key_size);
}

static void baseline_keep(struct settling *s, const unsigned char *key)
{
	uint32_t key_size = s->a->layout->key_size;
	if (baseline_of(s->a, key))
		*hash_place(s->baseline, key, key_size) =
			take(*hash_place(s->a->baseline, key, key_size));
}

/* Add what is left of E to that of its key and group; E goes unless it is the first. */
static void survivor_add(struct settling *s, const struct element *e)
{
	const struct aggregation_layout *layout = s->a->layout;
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
				      .is_changed = baseline_of(s->a, e->key) != NULL };
	memcpy((*place)->words, s->words, words_size(s->a));
	vector_push(&s->survivors, *place);
}

static struct error *settle_element(void *arg, const struct element *e)
{
	struct settling *s = arg;
	memcpy(s->key, e->key, s->a->layout->key_size);
	if (shard_of(s->a->layout, s->key)->generation == s->generation)
		baseline_keep(s, e->key);
	else if (element_since(s->a, e, s->words))
		survivor_add(s, e);
	else
		vector_push(&s->gone, key_copy(s, e->key));
	return NULL;
}

/* The map as it was found to be.  A survivor has one element, so there is room for its words. */
static struct error *settle_map(struct consumer *c, const struct settling *s)
{
	int map = c->setup.maps[s->a->layout->map];
	struct error *err = NULL;
	for (size_t i = 0; i < s->survivors.count && !err; i++) {
		const struct survivor *one = s->survivors.items[i];
		if (one->is_changed)
			err = c->reader->update(map, one->key, one->words, BPF_EXIST);
	}
	for (size_t i = 0; i < s->gone.count && !err; i++)
		err = c->reader->remove(map, s->gone.items[i]);
	return err;
}

static struct error *elements_settle(struct consumer *c, struct aggregation_state *a)
{
	struct settling s = {
		.a = a,
		.generation = (uint16_t)*generation_of(c, a->layout),
		.baseline = hash_new(),
		.places = hash_new(),
		.key = mem_alloc(a->layout->key_size),
		.words = mem_zalloc(a->layout->value_size),
		.arena = arena_new(),
	};
	struct error *err = elements_visit(c, a, settle_element, &s);
	baseline_free(a);
	a->baseline = s.baseline;
	if (!err)
		err = settle_map(c, &s);
	a->has_retired = false;
	hash_free(s.places);
	vector_free(&s.survivors);
	vector_free(&s.gone);
	free(s.key);
	free(s.words);
	arena_free(s.arena);
	return err;
}

struct error *generations_settle(struct consumer *c, struct aggregation_state *a, bool if_full)
{
	if (!a->has_retired || !is_running(c))
		return NULL;
	bool is_due = !if_full && c->reader->now() - a->retired_at >= SETTLE_EVERY;
	if (!is_due && !is_getting_full(c, a))
		return NULL;
	a->retired_at = c->reader->now();
	a->drops_before = drops_now(c);
	struct error *err = c->reader->settle();
	if (err || !sleepers_ended(c))
		return err;
	return elements_settle(c, a);
}
