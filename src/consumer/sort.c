/* SPDX-License-Identifier: BSD-2-Clause */
/* sort - tuples become rows, in the order that the options ask for */
#include <string.h>

#include "consumer/internal.h"

/* A joined row. */
struct joined {
	const unsigned char *key;
	const struct tuple **tuples; /* one for each aggregation; NULL: missing */
};

/*
 * A row while it is sorted, and until it is asked for: as small as can be, as there may be
 * millions.
 */
struct sortable {
	union {
		const struct tuple *tuple;
		const struct joined *joined;
	};
	uint32_t at; /* the place of its aggregation in the list; of joined rows 0 */
};

struct sorting {
	struct consumer *c;
	const struct aggregation_order *order;
	const uint32_t *aggregations;
	unsigned count;
	bool join;
	unsigned width;		     /* values of a row */
	struct key_layout *layouts;  /* of the rows of each aggregation; of a join there is one */
	struct snapshot **snapshots; /* of the aggregations, held: the rows point into them */
	int *tie_at;		     /* of each aggregation: tuple_tie_at() */
	VECTOR(struct sortable) rows;
	struct arena *arena;
	struct aggregation_row row; /* the last one that was asked for, and its values */
	struct aggregation_value *values;
	const int64_t *zeros; /* of a missing value */
};

static const struct tuple *row_tuple(const struct sorting *s, const struct sortable *row,
				     unsigned i)
{
	return s->join ? row->joined->tuples[i] : row->tuple;
}

static const unsigned char *sortable_key(const struct sorting *s, const struct sortable *row)
{
	return s->join ? row->joined->key : row->tuple->key;
}

static int row_keys_compare(const struct sorting *s, const struct sortable *a,
			    const struct sortable *b)
{
	return keys_compare(s->c, &s->layouts[a->at], sortable_key(s, a), sortable_key(s, b),
			    s->order->key_position);
}

static int row_values_compare(const struct sorting *s, const struct sortable *a,
			      const struct sortable *b)
{
	unsigned first = s->order->value_position < s->width ? s->order->value_position : 0;
	for (unsigned i = 0; i < s->width; i++) {
		unsigned at = (first + i) % s->width;
		int order = tuple_values_compare(row_tuple(s, a, at), row_tuple(s, b, at),
						 s->tie_at[s->join ? at : a->at]);
		if (order)
			return order;
	}
	return 0;
}

static int rows_compare_ascending(const struct sorting *s, const struct sortable *a,
				  const struct sortable *b)
{
	if (a->at != b->at) /* the list is in the order of the program */
		return a->at < b->at ? -1 : 1;
	if (s->order->by_key) {
		int order = row_keys_compare(s, a, b);
		return order ? order : row_values_compare(s, a, b);
	}
	int order = row_values_compare(s, a, b);
	return order ? order : row_keys_compare(s, a, b);
}

static int rows_compare(const void *a, const void *b, void *arg)
{
	const struct sorting *s = arg;
	int order = rows_compare_ascending(s, a, b);
	return s->order->reverse ? -order : order;
}

/* The key of T as the rows have it. */
static const unsigned char *row_key(const struct sorting *s, const struct aggregation_state *a,
				    const struct tuple *t)
{
	const struct key_layout *to = &s->layouts[0];
	if (!s->join || to->fields == a->layout->keys)
		return t->key;
	struct key_layout from = key_layout_of(a->layout);
	unsigned char *key = arena_alloc(s->arena, to->size + 1);
	key_convert(s->c, &from, t->key, to, key);
	return key;
}

/* A row for each tuple of the aggregation AT of the list. */
static void rows_add(struct sorting *s, unsigned at)
{
	const struct snapshot *snapshot = s->snapshots[at];
	for (size_t i = 0; i < snapshot->tuples.count; i++)
		vector_push(&s->rows,
			    ((struct sortable) { .tuple = &snapshot->tuples.items[i], .at = at }));
}

/* The same for a join: KEYS finds the row that has the key already. */
static void rows_join(struct sorting *s, unsigned at, struct hash *keys)
{
	const struct aggregation_state *a = &s->c->aggregations[s->aggregations[at]];
	const struct snapshot *snapshot = s->snapshots[at];
	for (size_t i = 0; i < snapshot->tuples.count; i++) {
		const struct tuple *t = &snapshot->tuples.items[i];
		const unsigned char *key = row_key(s, a, t);
		void **place = hash_place(keys, key, s->layouts[0].size);
		struct joined *joined = *place;
		if (!joined) {
			*place = joined = ARENA_NEW(s->arena, struct joined);
			joined->key = key;
			joined->tuples = arena_alloc(s->arena, s->width * sizeof(*joined->tuples));
			vector_push(&s->rows, ((struct sortable) { .joined = joined }));
		}
		joined->tuples[at] = t;
	}
}

static struct error *rows_collect(struct sorting *s)
{
	struct hash *keys = s->join ? hash_new() : NULL;
	struct error *err = NULL;
	for (unsigned i = 0; i < s->count && !err; i++) {
		struct aggregation_state *a = &s->c->aggregations[s->aggregations[i]];
		err = snapshot_take(s->c, a);
		if (err)
			break;
		s->snapshots[i] = a->snapshot;
		a->snapshot->holders++;
		s->tie_at[i] = tuple_tie_at(a->layout);
		if (s->join)
			rows_join(s, i, keys);
		else
			rows_add(s, i);
	}
	hash_free(keys);
	return err;
}

static void layouts_find(struct sorting *s)
{
	const struct program *p = s->c->program;
	s->layouts = arena_alloc(s->arena, (s->count + 1) * sizeof(*s->layouts));
	for (unsigned i = 0; i < s->count && !s->join; i++)
		s->layouts[i] = key_layout_of(&p->aggregations[s->aggregations[i]]);
	if (s->join)
		s->layouts[0] = keys_join(p, s->aggregations, s->count, s->arena);
}

static void value_fill(struct sorting *s, unsigned at, const struct tuple *t,
		       struct aggregation_value *ret)
{
	const struct aggregation_state *a = &s->c->aggregations[s->aggregations[at]];
	const int64_t *words = t ? t->words : s->zeros;
	*ret = (struct aggregation_value) {
		.layout = a->layout,
		.words = words,
		.cpu_words = a->parts > 1 ? words + a->word_count : NULL,
		.normal = a->normal,
		.missing = !t,
	};
}

const struct aggregation_row *aggregation_row_at(const struct aggregation_rows *rows, size_t i)
{
	struct sorting *s = rows->sorted;
	const struct sortable *from = &s->rows.items[i];
	for (unsigned j = 0; j < s->width; j++)
		value_fill(s, s->join ? j : from->at, row_tuple(s, from, j), &s->values[j]);
	s->row = (struct aggregation_row) { .key = sortable_key(s, from),
					    .layout = &s->layouts[from->at],
					    .values = s->values,
					    .value_count = s->width };
	return &s->row;
}

size_t aggregation_rows_alike(const struct aggregation_rows *rows, size_t at)
{
	const struct sorting *s = rows->sorted;
	size_t end = at + 1;
	while (end < rows->count && s->rows.items[end].at == s->rows.items[at].at)
		end++;
	return end - at;
}

static struct sorting *sorting_new(struct consumer *c, const uint32_t *aggregations, unsigned count,
				   bool join, const struct aggregation_order *order)
{
	struct arena *arena = arena_new();
	struct sorting *s = ARENA_NEW(arena, struct sorting);
	size_t most = 0;
	uint32_t *list = arena_alloc(arena, (count + 1) * sizeof(*list));
	memcpy(list, aggregations, count * sizeof(*list));
	*s = (struct sorting) { .c = c,
				.order = order,
				.aggregations = list,
				.count = count,
				.join = join && count > 1,
				.arena = arena };
	s->width = s->join ? count : 1;
	s->snapshots = arena_alloc(arena, (count + 1) * sizeof(*s->snapshots));
	s->tie_at = arena_alloc(arena, (count + 1) * sizeof(*s->tie_at));
	s->values = arena_alloc(arena, s->width * sizeof(*s->values));
	for (unsigned i = 0; i < count; i++)
		most = MAX(most, parts_size(&c->aggregations[aggregations[i]]));
	s->zeros = arena_alloc(arena, most + 1);
	layouts_find(s);
	return s;
}

static void sorting_free(struct sorting *s)
{
	for (unsigned i = 0; i < s->count; i++)
		snapshot_release(s->snapshots[i]); /* NULL is fine */
	vector_free(&s->rows);
	arena_free(s->arena);
}

struct error *consumer_rows(struct consumer *c, const uint32_t *aggregations, unsigned count,
			    bool join, const struct aggregation_order *order,
			    struct aggregation_rows *ret)
{
	struct sorting *s = sorting_new(c, aggregations, count, join, order);
	struct error *err = rows_collect(s);
	if (err) {
		sorting_free(s);
		return err;
	}
	if (s->rows.count)
		qsort_r(s->rows.items, s->rows.count, sizeof(*s->rows.items), rows_compare, s);
	*ret = (struct aggregation_rows) { s->rows.count, s };
	return NULL;
}

void aggregation_rows_free(struct aggregation_rows *rows)
{
	if (rows->sorted)
		sorting_free(rows->sorted);
	*rows = (struct aggregation_rows) { 0 };
}
