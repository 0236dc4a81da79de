/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot - the tuples of one aggregation as they are now
 *
 *   kernel: key, words of each CPU
 *     merge CPUs -> subtract what clear() forgot -> reduce the key -> merge equal keys
 *
 * A snapshot is used until the round ends (or longer, if aggrate says so) or
 * clear() and trunc() change what it would show, so that several printa() of a
 * round cost one reading.  Rows point into the snapshot they were made from.  A
 * key of 8 bytes with its count costs 230 bytes here, rows included: a million
 * take 225 MB, and a second or two until the last line is printed (6.18, 2 CPUs).
 */
#include <string.h>

#include "consumer/internal.h"

/* --- as the kernel has them ---------------------------------------------------------------- */

uint64_t *keyless_words(const struct consumer *c, const struct aggregation_layout *layout,
			unsigned cpu)
{
	char *area = (char *)c->setup.keyless + (size_t)cpu * c->setup.program->keyless_size;
	return (uint64_t *)(void *)(area + layout->keyless_offset);
}

bool kernel_value_exists(const struct aggregation_state *a, const int64_t *words)
{
	if (a->was_reset)
		return true;
	const int64_t *baseline = a->was_truncated ? hash_get(a->baseline, "", 0) : NULL;
	for (uint32_t i = 0; i < a->word_count; i++)
		if (words[i] != (baseline ? baseline[i] : 0))
			return true;
	return false;
}

static struct error *visit_keyless(struct consumer *c, struct aggregation_state *a,
				   kernel_tuple_fn *visit, void *arg)
{
	auto_free int64_t *sum = mem_zalloc(parts_size(a));
	auto_free int64_t *one = mem_zalloc(a->word_count * sizeof(*one));
	for (unsigned cpu = 0; cpu < c->setup.program->cpu_count; cpu++) {
		const uint64_t *from = keyless_words(c, a->layout, cpu);
		int64_t *words = a->parts > 1 ? sum + (size_t)(1 + cpu) * a->word_count : one;
		for (uint32_t i = 0; i < a->word_count; i++)
			words[i] = (int64_t)__atomic_load_n(&from[i], __ATOMIC_RELAXED);
		words_add(a->layout->function, sum, words, a->word_count);
	}
	return kernel_value_exists(a, sum) ? visit(arg, "", sum) : NULL;
}

struct merge {
	struct aggregation_state *a;
	unsigned cpu_count;
	int64_t *sum;
	kernel_tuple_fn *visit;
	void *arg;
};

static struct error *merge_cpus(void *arg, const void *key, const void *value)
{
	struct merge *m = arg;
	const int64_t *words = value;
	uint32_t id = m->a->layout->key_id;
	if (id && memcmp(key, &id, sizeof(id)) != 0) /* of another aggregation in the same map */
		return NULL;
	uint32_t count = m->a->word_count;
	memcpy(m->sum, words, count * sizeof(*words));
	if (m->a->parts > 1)
		memcpy(m->sum + count, words, (size_t)m->cpu_count * count * sizeof(*words));
	for (unsigned cpu = 1; cpu < m->cpu_count; cpu++)
		words_add(m->a->layout->function, m->sum, words + (size_t)cpu * count, count);
	return m->visit(m->arg, key, m->sum);
}

struct error *kernel_tuples_visit(struct consumer *c, struct aggregation_state *a,
				  kernel_tuple_fn *visit, void *arg)
{
	if (a->layout->map < 0)
		return visit_keyless(c, a, visit, arg);

	const struct map_layout *map = &c->setup.program->maps[a->layout->map];
	auto_free int64_t *sum = mem_zalloc(parts_size(a));
	struct merge m = {
		.a = a,
		.cpu_count = map->per_cpu ? c->setup.program->cpu_count : 1,
		.sum = sum,
		.visit = visit,
		.arg = arg,
	};
	struct error *err =
		c->reader->visit(c->setup.maps[a->layout->map], map->key_size,
				 map->value_size * m.cpu_count, map->max_entries, merge_cpus, &m);
	return err ? error_wrap(err, "reading @%s", a->layout->name) : NULL;
}

/* --- keys that print alike -------------------------------------------------------------------- */

/* The first number we met for NAME (of a kind of key, and a process). */
static uint64_t canonical_number(struct consumer *c, enum value_kind kind, uint32_t tgid,
				 const char *name, uint64_t number)
{
	auto_strbuf struct strbuf key = { 0 };
	strbuf_putc(&key, (char)kind);
	strbuf_add(&key, &tgid, sizeof(tgid));
	strbuf_puts(&key, name);
	uint64_t **place = (uint64_t **)hash_place(c->canonical, key.text, key.len);
	if (!*place) {
		*place = ARENA_NEW(c->arena, uint64_t);
		**place = number;
	}
	return **place;
}

static void probe_reduce(struct consumer *c, enum value_kind kind, unsigned char *bytes)
{
	uint32_t id;
	memcpy(&id, bytes, sizeof(id));
	const struct probe_names *names = consumer_probe(c, id);
	if (!names)
		return;
	id = (uint32_t)canonical_number(c, kind, 0, probe_name_part(names, kind), id);
	memcpy(bytes, &id, sizeof(id));
}

static uint64_t address_reduce(struct consumer *c, enum value_kind kind, uint32_t tgid,
			       uint64_t address)
{
	const struct consumer_names *names = &c->setup.names;
	if (kind != VALUE_MOD && kind != VALUE_UMOD)
		return names->symbol_start ? names->symbol_start(names->arg, tgid, address)
					   : address;
	const char *module =
		names->module_name ? names->module_name(names->arg, tgid, address) : NULL;
	return module ? canonical_number(c, kind, tgid, module, address) : address;
}

static void symbol_reduce(struct consumer *c, enum value_kind kind, unsigned char *bytes)
{
	uint64_t words[2] = { 0 };
	bool is_user = value_kind_is_user(kind);
	size_t size = value_symbol_size(kind);
	memcpy(words, bytes, size);
	uint32_t tgid = is_user ? (uint32_t)words[0] : 0;
	words[is_user] = address_reduce(c, kind, tgid, words[is_user]);
	memcpy(bytes, words, size);
}

void key_reduce(struct consumer *c, const struct aggregation_layout *layout, unsigned char *key)
{
	for (unsigned i = 0; i < layout->key_count; i++) {
		const struct value_field *f = &layout->keys[i];
		unsigned char *bytes = key + f->offset;
		switch (f->kind) {
		case VALUE_PROBE_PROVIDER:
		case VALUE_PROBE_MODULE:
		case VALUE_PROBE_FUNCTION:
		case VALUE_PROBE_NAME:
			probe_reduce(c, f->kind, bytes);
			break;
		case VALUE_SYM:
		case VALUE_MOD:
		case VALUE_USYM:
		case VALUE_UMOD:
			symbol_reduce(c, f->kind, bytes);
			break;
		default:
			break;
		}
	}
}

/* --- the snapshot ----------------------------------------------------------------------------- */

struct taking {
	struct consumer *c;
	struct aggregation_state *a;
	struct snapshot *snapshot;
	struct hash *places; /* reduced key -> number of its tuple, from 1; NULL: no key reduces */
};

/* WORDS as they came; TUPLE holds them already unless they were changed, or will be. */
static void seen_add(struct taking *t, const struct tuple *tuple, const void *key,
		     const int64_t *words, bool changed)
{
	struct snapshot *s = t->snapshot;
	struct seen seen = { tuple->key, tuple->words };
	if (changed || t->places || aggregate_is_extreme(t->a->layout->function)) {
		uint32_t key_size = t->a->layout->key_size;
		size_t size = parts_size(t->a);
		int64_t *copy = arena_alloc(s->arena, size + key_size + 1);
		memcpy(copy, words, size);
		seen = (struct seen) { memcpy((unsigned char *)copy + size, key, key_size), copy };
	}
	vector_push(&s->seen, seen);
}

static struct error *take_tuple(void *arg, const void *key, const int64_t *words)
{
	struct taking *t = arg;
	struct aggregation_state *a = t->a;
	struct snapshot *s = t->snapshot;
	uint32_t key_size = a->layout->key_size;
	struct tuple tuple = { .words = arena_alloc(s->arena, parts_size(a) + key_size + 1) };
	tuple.key = (unsigned char *)tuple.words + parts_size(a);
	memcpy(tuple.key, key, key_size);
	memcpy(tuple.words, words, parts_size(a));
	const int64_t *baseline = a->baseline ? hash_get(a->baseline, key, key_size) : NULL;
	if (baseline)
		parts_subtract(a, tuple.words, baseline);
	if (a->forgets)
		seen_add(t, &tuple, key, words, baseline != NULL);

	if (t->places) {
		key_reduce(t->c, a->layout, tuple.key);
		void **place = hash_place(t->places, tuple.key, key_size);
		if (*place) {
			parts_add(a, s->tuples.items[(uintptr_t)*place - 1].words, tuple.words);
			return NULL;
		}
		*place = (void *)(uintptr_t)(s->tuples.count + 1);
	}
	vector_push(&s->tuples, tuple);
	return NULL;
}

/* The encodings of abi/state.h back to numbers. */
static void extreme_decode(const struct aggregation_state *a, unsigned part, int64_t *word)
{
	uint64_t encoded = (uint64_t)*word;
	if (encoded == 0 && (a->was_cleared || part > 0))
		*word = 0;
	else if (a->layout->function == AGGREGATE_MIN)
		*word = (int64_t)((uint64_t)INT64_MAX - encoded);
	else
		*word = (int64_t)(encoded + (uint64_t)INT64_MIN);
}

static void tuples_finish(const struct aggregation_state *a, struct snapshot *s)
{
	bool is_extreme = aggregate_is_extreme(a->layout->function);
	for (size_t i = 0; i < s->tuples.count && is_extreme; i++)
		for (unsigned part = 0; part < a->parts; part++)
			extreme_decode(a, part,
				       s->tuples.items[i].words + (size_t)part * a->word_count);
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
	struct snapshot *s = mem_zalloc(sizeof(*s));
	*s = (struct snapshot) {
		.holders = 1, .round = c->round, .time = c->reader->now(), .arena = arena_new()
	};
	struct taking t = { c, a, s, a->reduces_keys ? hash_new() : NULL };
	struct error *err = kernel_tuples_visit(c, a, take_tuple, &t);
	hash_free(t.places);
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
	if (s && c->aggregation_rate && c->reader->now() - s->time < c->aggregation_rate)
		return NULL;
	return snapshot_read(c, a);
}
