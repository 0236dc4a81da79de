/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot - the present tuples of one aggregation
 *
 *   sources: key and words of each element (a key's of a group of areas)
 *     subtract what clear() forgot -> the key as it is shown -> merge equal keys
 *
 * A snapshot is used until the round ends (or longer, by aggrate) or clear() and
 * trunc() change its values, so that several printa() of a round cost one
 * reading.  Rows point into the snapshot they were made from.  A key of 8 bytes
 * with its count costs 80 bytes here, rows included: a million take 95 MB with all
 * else, and a second or two until the last line is printed (6.18, 2 CPUs).
 */
#include <string.h>

#include "consumer/internal.h"

/* --- as executors have them ---------------------------------------------------------------- */

uint64_t *keyless_words(const struct aggregation_share *share, unsigned area)
{
	const struct record_source *s = &share->input->source;
	char *keyless = (char *)s->keyless + (size_t)area * s->program->keyless_size;
	return (uint64_t *)(void *)(keyless + share->layout->keyless_offset);
}

unsigned keyless_area(const struct element *e)
{
	struct key_shard shard;
	memcpy(&shard, e->key, sizeof(shard));
	return shard.group;
}

uint32_t element_key_size(const struct aggregation_layout *layout)
{
	return layout->map < 0 ? sizeof(struct key_shard) : layout->key_size;
}

const struct baseline *baseline_of(const struct aggregation_share *share, const void *key)
{
	return share->baseline ? hash_get(share->baseline, key, element_key_size(share->layout))
			       : NULL;
}

bool element_since(const struct aggregation_state *a, const struct element *e, int64_t *words)
{
	const struct baseline *baseline = baseline_of(e->share, e->key);
	memcpy(words, e->words, words_size(a));
	if (!baseline)
		return true;
	bool is_same = memcmp(words, baseline->words, words_size(a)) == 0;
	if (aggregate_is_additive(a->layout->function))
		words_subtract(a->layout->function, words, baseline->words, a->word_count);
	else if (is_same)
		memset(words, 0, words_size(a));
	return !is_same || !baseline->with_key;
}

/* WORDS must last as long as the element. */
static struct element keyless_element(const struct aggregation_state *a,
				      struct aggregation_share *share, const struct key_shard *area,
				      int64_t *words)
{
	const uint64_t *from = keyless_words(share, area->group);
	for (uint32_t i = 0; i < a->word_count; i++)
		words[i] = (int64_t)__atomic_load_n(&from[i], __ATOMIC_RELAXED);
	return (struct element) { share, (const unsigned char *)area, words };
}

/* The areas of SHARE one after another, until VISIT fails. */
static struct error *visit_areas(const struct aggregation_state *a, struct aggregation_share *share,
				 int64_t *words, element_fn *visit, void *arg)
{
	struct error *err = NULL;
	struct key_shard area = { 0 };
	for (; area.group < areas_of(share->input) && !err; area.group++) {
		struct element e = keyless_element(a, share, &area, words);
		err = visit(arg, &e);
	}
	return err;
}

struct keyless_change {
	const struct aggregation_state *a;
	bool found;
};

static struct error *look_for_change(void *arg, const struct element *e)
{
	struct keyless_change *change = arg;
	const struct aggregation_state *a = change->a;
	const struct baseline *baseline = a->was_truncated ? baseline_of(e->share, e->key) : NULL;
	for (uint32_t i = 0; i < a->word_count; i++)
		change->found |= e->words[i] != (baseline ? baseline->words[i] : 0);
	return NULL;
}

/* Was anything added, since trunc() if there was one? */
static bool keyless_exists(const struct consumer *c, const struct aggregation_state *a,
			   int64_t *words)
{
	struct keyless_change change = { a, a->was_reset };
	for (unsigned i = 0; i < c->setup.source_count && !change.found; i++)
		error_free(visit_areas(a, &a->shares[i], words, look_for_change, &change));
	return change.found;
}

static struct error *visit_keyless(struct consumer *c, struct aggregation_state *a,
				   element_fn *visit, void *arg)
{
	auto_free int64_t *words = mem_alloc(words_size(a));
	struct error *err = NULL;
	if (!keyless_exists(c, a, words))
		return NULL;
	for (unsigned i = 0; i < c->setup.source_count && !err; i++)
		err = visit_areas(a, &a->shares[i], words, visit, arg);
	return err;
}

struct visiting {
	struct aggregation_share *share;
	size_t count;
	uint32_t id; /* of the aggregation in a map of several; 0: it is alone */
	element_fn *visit;
	void *arg;
};

static struct error *visit_element(void *arg, const void *key, const void *value)
{
	struct visiting *v = arg;
	v->count++;
	if (v->id && memcmp(key, &v->id, sizeof(v->id)) != 0)
		return NULL;
	struct element e = { v->share, key, value };
	return v->visit(v->arg, &e);
}

struct error *elements_visit(struct aggregation_share *share, element_fn *visit, void *arg)
{
	const struct record_source *s = &share->input->source;
	struct visiting v = {
		.share = share, .id = share->layout->key_id, .visit = visit, .arg = arg
	};
	struct error *err =
		s->reader->visit(s->self, (unsigned)share->layout->map, visit_element, &v);
	share->elements = v.count;
	return err ? error_wrap(err, "reading @%s", share->layout->name) : NULL;
}

static struct error *visit_all(struct consumer *c, struct aggregation_state *a, element_fn *visit,
			       void *arg)
{
	struct error *err = NULL;
	if (a->layout->map < 0)
		return visit_keyless(c, a, visit, arg);
	for (unsigned i = 0; i < c->setup.source_count && !err; i++)
		err = elements_visit(&a->shares[i], visit, arg);
	return err;
}

/* --- the snapshot ----------------------------------------------------------------------------- */

/* Tuples by their keys: numbers from 1, 0: free.  A struct hash would keep the keys once more. */
struct place {
	uint32_t hash, number;
};

struct places {
	struct place *items;
	size_t capacity; /* a power of two */
};

#define PLACES_FIRST 64

struct taking {
	struct consumer *c;
	struct aggregation_state *a;
	struct snapshot *snapshot;
	struct places places;
	unsigned char *key; /* room for one */
	int64_t *words;	    /* the same */
	char *room;	    /* for the next tuples' words and keys */
	size_t room_left;
};

static struct place *place_free(const struct places *p, uint32_t hash)
{
	size_t at = hash & (p->capacity - 1);
	while (p->items[at].number)
		at = (at + 1) & (p->capacity - 1);
	return &p->items[at];
}

static void places_grow(struct places *p)
{
	struct places more = { .capacity = p->capacity ? 2 * p->capacity : PLACES_FIRST };
	more.items = mem_zalloc(more.capacity * sizeof(*more.items));
	for (size_t i = 0; i < p->capacity; i++)
		if (p->items[i].number)
			*place_free(&more, p->items[i].hash) = p->items[i];
	free(p->items);
	*p = more;
}

/* Where the tuple with KEY is, or is to be. */
static struct place *tuple_place(const struct taking *t, const unsigned char *key,
				 uint32_t key_size)
{
	const struct places *p = &t->places;
	uint64_t sum = hash_more(HASH_OF_NOTHING, key, key_size);
	uint32_t hash = (uint32_t)(sum ^ sum >> 29);
	for (size_t at = hash & (p->capacity - 1);; at = (at + 1) & (p->capacity - 1)) {
		struct place *found = &p->items[at];
		if (found->number && found->hash != hash)
			continue;
		found->hash = hash;
		if (!found->number ||
		    memcmp(t->snapshot->tuples.items[found->number - 1].key, key, key_size) == 0)
			return found;
	}
}

static void seen_add(struct taking *t, const struct element *e)
{
	struct snapshot *s = t->snapshot;
	uint32_t key_size = element_key_size(e->share->layout);
	int64_t *words = arena_alloc(s->arena, words_size(t->a) + key_size);
	memcpy(words, e->words, words_size(t->a));
	unsigned char *key = (unsigned char *)words + words_size(t->a);
	memcpy(key, e->key, key_size);
	vector_push(&s->seen, ((struct element) { e->share, key, words }));
}

#define TUPLES_AT_ONCE 64 /* the arena would round up each */

/* Zeros for the words and the key of a tuple. */
static void *tuple_room(struct taking *t, size_t size)
{
	if (t->room_left < size) {
		t->room_left = TUPLES_AT_ONCE * size;
		t->room = arena_alloc(t->snapshot->arena, t->room_left);
	}
	void *ret = t->room;
	t->room += size;
	t->room_left -= size;
	return ret;
}

static int64_t *tuple_new(struct taking *t, const unsigned char *key)
{
	struct snapshot *s = t->snapshot;
	uint32_t key_size = t->a->layout->key_size;
	size_t size = ALIGN_UP(parts_size(t->a) + key_size, sizeof(int64_t));
	struct tuple tuple = { .words = tuple_room(t, size) };
	tuple.key = (unsigned char *)tuple.words + parts_size(t->a);
	memcpy(tuple.key, key, key_size);
	vector_push(&s->tuples, tuple);
	return tuple.words;
}

/* The words of the tuple that the element is a part of. */
static int64_t *tuple_words(struct taking *t, const struct element *e)
{
	uint32_t key_size = t->a->layout->key_size;
	size_t count = t->snapshot->tuples.count;
	if (!t->a->reduces_keys)
		return tuple_new(t, e->key);
	if (key_size)
		key_shown(t->c, t->a, e->share, e->key, t->key);
	if (count * 4 >= t->places.capacity * 3)
		places_grow(&t->places);
	struct place *place = tuple_place(t, t->key, key_size);
	if (place->number)
		return t->snapshot->tuples.items[place->number - 1].words;
	place->number = (uint32_t)count + 1;
	return tuple_new(t, t->key);
}

/* Which part of its tuple is of the CPU that has added this; 0: none. */
static size_t element_part(const struct element *e)
{
	const struct aggregation_layout *layout = e->share->layout;
	struct key_shard shard = { 0 };
	if (e->share->input->source.area_words)
		return 0;
	if (layout->map < 0 || layout->shard_offset)
		memcpy(&shard, e->key + layout->shard_offset, sizeof(shard));
	return 1 + (size_t)shard.group;
}

/* Was something aggregated, though WORDS may be zero: sum(0), the least number as max()? */
static bool element_has_values(const struct aggregation_state *a, const struct element *e,
			       const int64_t *words)
{
	if (a->layout->map >= 0 && !baseline_of(e->share, e->key))
		return true;
	for (uint32_t i = 0; i < a->word_count; i++) /* without keys there is a mark */
		if (words[i])
			return true;
	return false;
}

static struct error *take_element(void *arg, const struct element *e)
{
	struct taking *t = arg;
	struct aggregation_state *a = t->a;
	enum aggregate function = a->layout->function;
	if (!element_since(a, e, t->words))
		return NULL;
	if (a->forgets)
		seen_add(t, e);

	int64_t *words = tuple_words(t, e);
	words_add(function, words, t->words, a->word_count);
	size_t part = element_part(e);
	if (part && part < a->parts && element_has_values(a, e, t->words)) {
		words += part * part_words(a);
		words_add(function, words, t->words, a->word_count);
		words[a->word_count] = true;
	}
	return NULL;
}

/* The form that a number is stored in (aggregate.def) back to the number. */
static void form_decode(const struct aggregation_state *a, unsigned part, int64_t *word)
{
	uint64_t encoded = (uint64_t)*word;
	bool is_absent = part ? !word[a->word_count] : encoded == 0 && a->was_cleared;
	if (is_absent)
		*word = 0;
	else if (aggregate_row(a->layout->function)->form == FORM_FROM_MOST)
		*word = (int64_t)((uint64_t)INT64_MAX - encoded);
	else
		*word = (int64_t)(encoded + (uint64_t)INT64_MIN);
}

static void tuples_finish(const struct aggregation_state *a, struct snapshot *s)
{
	bool is_plain = aggregate_row(a->layout->function)->form == FORM_PLAIN;
	for (size_t i = 0; i < s->tuples.count && !is_plain; i++)
		for (unsigned part = 0; part < a->parts; part++)
			form_decode(a, part, s->tuples.items[i].words + part * part_words(a));
	tuples_weigh(a->layout, s->tuples.items, s->tuples.count);
}

void snapshot_release(struct snapshot *s)
{
	if (!s || --s->holders)
		return;
	arena_free(s->arena);
	vector_free(&s->tuples);
	vector_free(&s->seen);
	free(s);
}

void snapshot_drop(struct aggregation_state *a)
{
	snapshot_release(a->snapshot);
	a->snapshot = NULL;
}

static struct error *snapshot_read(struct consumer *c, struct aggregation_state *a)
{
	snapshot_drop(a);
	struct error *err = generations_settle(c, a, false);
	if (err)
		return err;
	shown_forget(c);
	struct snapshot *s = mem_zalloc(sizeof(*s));
	*s = (struct snapshot) {
		.holders = 1, .round = c->round, .time = c->setup.now(), .arena = arena_new()
	};
	struct taking t = { .c = c,
			    .a = a,
			    .snapshot = s,
			    .key = mem_alloc(a->layout->key_size + 1),
			    .words = mem_alloc(words_size(a)) };
	err = visit_all(c, a, take_element, &t);
	free(t.places.items);
	free(t.key);
	free(t.words);
	if (err) {
		snapshot_release(s);
		return err;
	}
	tuples_finish(a, s);
	a->snapshot = s;
	return NULL;
}

struct error *snapshot_take(struct consumer *c, struct aggregation_state *a)
{
	const struct snapshot *s = a->snapshot;
	if (s && s->round == c->round)
		return NULL;
	if (s && c->aggregation_rate && c->setup.now() - s->time < c->aggregation_rate)
		return NULL;
	return snapshot_read(c, a);
}
