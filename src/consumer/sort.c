/* SPDX-License-Identifier: BSD-2-Clause */
/* sort - tuples become rows, in the order that the options ask for */
#include <string.h>

#include "consumer/internal.h"

/* --- keys --------------------------------------------------------------------------------- */

static int numbers_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint64_t key_integer(const struct value_field *f, const unsigned char *bytes)
{
	uint64_t x = 0;
	memcpy(&x, bytes, MIN(f->size, 8));
	if (f->is_signed && f->size < 8) {
		unsigned shift = 64 - 8 * f->size;
		x = (uint64_t)((int64_t)(x << shift) >> shift);
	}
	return x;
}

static int integers_compare(const struct value_field *f, const unsigned char *a,
			    const unsigned char *b)
{
	uint64_t x = key_integer(f, a), y = key_integer(f, b);
	if (f->is_signed)
		return (int64_t)x < (int64_t)y ? -1 : (int64_t)x > (int64_t)y;
	return numbers_compare(x, y);
}

static int words_compare(const unsigned char *a, const unsigned char *b, uint32_t size)
{
	for (uint32_t at = 0; at + 8 <= size; at += 8) {
		uint64_t x, y;
		memcpy(&x, a + at, 8);
		memcpy(&y, b + at, 8);
		if (x != y)
			return numbers_compare(x, y);
	}
	return 0;
}

static const char *probe_text(const struct consumer *c, enum value_kind kind,
			      const unsigned char *bytes)
{
	uint32_t id;
	memcpy(&id, bytes, sizeof(id));
	const struct probe_names *names = consumer_probe(c, id);
	return names ? probe_name_part(names, kind) : "";
}

static int key_compare(const struct consumer *c, const struct value_field *f,
		       const unsigned char *a, const unsigned char *b)
{
	switch (f->kind) {
	case VALUE_INTEGER:
		return integers_compare(f, a, b);
	case VALUE_STRING:
	case VALUE_STRING_INLINE:
		return strncmp((const char *)a, (const char *)b, f->size);
	case VALUE_STRING_CONST:
		return 0;
	case VALUE_PROBE_PROVIDER:
	case VALUE_PROBE_MODULE:
	case VALUE_PROBE_FUNCTION:
	case VALUE_PROBE_NAME:
		return strcmp(probe_text(c, f->kind, a), probe_text(c, f->kind, b));
	case VALUE_STACK:
	case VALUE_USTACK:
		return words_compare(a, b, f->size);
	case VALUE_SYM:
	case VALUE_FUNC:
	case VALUE_MOD:
		return words_compare(a, b, 8);
	case VALUE_USYM:
	case VALUE_UFUNC:
	case VALUE_UMOD:
	case VALUE_UADDR:
		return words_compare(a, b, 16);
	case VALUE_BYTES:
	case VALUE_FLOAT:
		return memcmp(a, b, f->size);
	}
	return 0;
}

int keys_compare(const struct consumer *c, const struct aggregation_layout *layout,
		 const unsigned char *a, const unsigned char *b, unsigned first)
{
	unsigned count = layout->key_count;
	if (first >= count)
		first = 0;
	for (unsigned i = 0; i < count; i++) {
		const struct value_field *f = &layout->keys[(first + i) % count];
		int order = key_compare(c, f, a + f->offset, b + f->offset);
		if (order)
			return order;
	}
	return 0;
}

/* --- rows --------------------------------------------------------------------------------- */

struct sortable {
	const unsigned char *key;
	uint32_t first; /* the aggregation of the row, or of a joined row the first of the list */
	const struct tuple **tuples; /* as many as the row has values; NULL: missing */
};

struct sorting {
	struct consumer *c;
	const struct aggregation_order *order;
	unsigned width; /* values of a row */
	VECTOR(struct sortable) rows;
	struct arena *arena;
};

static int tuple_values_compare(const struct tuple *a, const struct tuple *b)
{
	static const struct tuple missing;
	a = a ? a : &missing;
	b = b ? b : &missing;
	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return a->tie < b->tie ? -1 : a->tie > b->tie;
}

static int row_values_compare(const struct sorting *s, const struct sortable *a,
			      const struct sortable *b)
{
	unsigned first = s->order->value_position < s->width ? s->order->value_position : 0;
	for (unsigned i = 0; i < s->width; i++) {
		unsigned at = (first + i) % s->width;
		int order = tuple_values_compare(a->tuples[at], b->tuples[at]);
		if (order)
			return order;
	}
	return 0;
}

static int rows_compare_ascending(const struct sorting *s, const struct sortable *a,
				  const struct sortable *b)
{
	if (a->first != b->first)
		return numbers_compare(a->first, b->first);
	const struct aggregation_layout *layout = s->c->aggregations[a->first].layout;
	if (s->order->by_key) {
		int order = keys_compare(s->c, layout, a->key, b->key, s->order->key_position);
		return order ? order : row_values_compare(s, a, b);
	}
	int order = row_values_compare(s, a, b);
	return order ? order : keys_compare(s->c, layout, a->key, b->key, 0);
}

static int rows_compare(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	int order = rows_compare_ascending(s, a, b);
	return s->order->reverse ? -order : order;
}

/* Add the tuples of A as the values number AT; KEYS (of a join) finds rows by key. */
static void rows_add(struct sorting *s, const struct aggregation_state *a, uint32_t first,
		     unsigned at, struct hash *keys)
{
	for (size_t i = 0; i < a->tuples.count; i++) {
		const struct tuple *t = &a->tuples.items[i];
		void **place = keys ? hash_place(keys, t->key, a->layout->key_size) : NULL;
		if (place && *place) {
			s->rows.items[(uintptr_t)*place - 1].tuples[at] = t;
			continue;
		}
		struct sortable *row = vector_extend(&s->rows);
		*row = (struct sortable) { .key = t->key, .first = first };
		row->tuples = arena_alloc(s->arena, s->width * sizeof(*row->tuples));
		row->tuples[at] = t;
		if (place)
			*place = (void *)(uintptr_t)s->rows.count;
	}
}

static struct error *rows_collect(struct sorting *s, const uint32_t *aggregations, unsigned count,
				  bool join)
{
	struct hash *keys = join ? hash_new() : NULL;
	struct error *err = NULL;
	for (unsigned i = 0; i < count && !err; i++) {
		struct aggregation_state *a = &s->c->aggregations[aggregations[i]];
		err = snapshot_take(s->c, a);
		if (!err)
			rows_add(s, a, join ? aggregations[0] : aggregations[i], join ? i : 0,
				 keys);
	}
	hash_free(keys);
	return err;
}

static void value_fill(struct sorting *s, uint32_t aggregation, const struct tuple *t,
		       struct aggregation_value *ret)
{
	const struct aggregation_state *a = &s->c->aggregations[aggregation];
	int64_t *words = arena_alloc(s->arena, a->word_count * sizeof(*words));
	if (t)
		memcpy(words, t->words, a->word_count * sizeof(*words));
	*ret = (struct aggregation_value) {
		.layout = a->layout, .words = words, .normal = a->normal, .missing = !t
	};
}

/* The row as others see it; it does not depend on the snapshots any more. */
static void row_fill(struct sorting *s, const uint32_t *aggregations, bool join,
		     const struct sortable *from, struct aggregation_row *ret)
{
	uint32_t key_size = s->c->aggregations[from->first].layout->key_size;
	unsigned char *key = arena_alloc(s->arena, key_size + 1);
	memcpy(key, from->key, key_size);
	struct aggregation_value *values = arena_alloc(s->arena, s->width * sizeof(*values));
	for (unsigned i = 0; i < s->width; i++)
		value_fill(s, join ? aggregations[i] : from->first, from->tuples[i], &values[i]);
	*ret = (struct aggregation_row) { .key = key, .values = values, .value_count = s->width };
}

struct error *consumer_rows(struct consumer *c, const uint32_t *aggregations, unsigned count,
			    bool join, const struct aggregation_order *order,
			    struct aggregation_rows *ret)
{
	join = join && count > 1;
	struct sorting s = {
		.c = c, .order = order, .width = join ? count : 1, .arena = arena_new()
	};
	struct error *err = rows_collect(&s, aggregations, count, join);
	if (err) {
		vector_free(&s.rows);
		arena_free(s.arena);
		return err;
	}
	if (s.rows.count)
		qsort_r(s.rows.items, s.rows.count, sizeof(*s.rows.items), rows_compare, &s);
	struct aggregation_row *items = arena_alloc(s.arena, (s.rows.count + 1) * sizeof(*items));
	for (size_t i = 0; i < s.rows.count; i++)
		row_fill(&s, aggregations, join, &s.rows.items[i], &items[i]);
	*ret = (struct aggregation_rows) { items, s.rows.count, s.arena };
	vector_free(&s.rows);
	return NULL;
}

void aggregation_rows_free(struct aggregation_rows *rows)
{
	arena_free(rows->arena);
	*rows = (struct aggregation_rows) { 0 };
}
