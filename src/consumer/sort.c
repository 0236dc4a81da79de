/* SPDX-License-Identifier: BSD-2-Clause */
/* sort - tuples become rows, in the order that the options ask for */
#include "consumer/internal.h"

struct sortable {
	const unsigned char *key;
	uint32_t at; /* the place of its aggregation in the list; of joined rows 0 */
	union {
		const struct tuple *tuple;   /* if the row has one value */
		const struct tuple **tuples; /* else as many as it has; NULL: missing */
	};
};

struct sorting {
	struct consumer *c;
	const struct aggregation_order *order;
	const uint32_t *aggregations;
	unsigned count;
	bool join;
	unsigned width;		    /* values of a row */
	struct key_layout *layouts; /* of the rows of each aggregation; of a join there is one */
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

static const struct tuple *row_tuple(const struct sorting *s, const struct sortable *row,
				     unsigned i)
{
	return s->width == 1 ? row->tuple : row->tuples[i];
}

static int row_values_compare(const struct sorting *s, const struct sortable *a,
			      const struct sortable *b)
{
	unsigned first = s->order->value_position < s->width ? s->order->value_position : 0;
	for (unsigned i = 0; i < s->width; i++) {
		unsigned at = (first + i) % s->width;
		int order = tuple_values_compare(row_tuple(s, a, at), row_tuple(s, b, at));
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
	const struct key_layout *layout = &s->layouts[a->at];
	if (s->order->by_key) {
		int order = keys_compare(s->c, layout, a->key, b->key, s->order->key_position);
		return order ? order : row_values_compare(s, a, b);
	}
	int order = row_values_compare(s, a, b);
	return order ? order : keys_compare(s->c, layout, a->key, b->key, s->order->key_position);
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
	const struct aggregation_state *a = &s->c->aggregations[s->aggregations[at]];
	const struct snapshot *snapshot = a->snapshot;
	for (size_t i = 0; i < snapshot->tuples.count; i++) {
		const struct tuple *t = &snapshot->tuples.items[i];
		struct sortable *row = vector_extend(&s->rows);
		*row = (struct sortable) { .key = t->key, .at = at, .tuple = t };
	}
}

/* The same for a join: KEYS finds the row that has the key already. */
static void rows_join(struct sorting *s, unsigned at, struct hash *keys)
{
	const struct aggregation_state *a = &s->c->aggregations[s->aggregations[at]];
	const struct snapshot *snapshot = a->snapshot;
	for (size_t i = 0; i < snapshot->tuples.count; i++) {
		const struct tuple *t = &snapshot->tuples.items[i];
		const unsigned char *key = row_key(s, a, t);
		void **place = hash_place(keys, key, s->layouts[0].size);
		if (!*place) {
			struct sortable *row = vector_extend(&s->rows);
			*row = (struct sortable) { .key = key };
			row->tuples = arena_alloc(s->arena, s->width * sizeof(*row->tuples));
			*place = (void *)(uintptr_t)s->rows.count;
		}
		s->rows.items[(uintptr_t)*place - 1].tuples[at] = t;
	}
}

static struct error *rows_collect(struct sorting *s)
{
	struct hash *keys = s->join ? hash_new() : NULL;
	struct error *err = NULL;
	for (unsigned i = 0; i < s->count && !err; i++) {
		err = snapshot_take(s->c, &s->c->aggregations[s->aggregations[i]]);
		if (!err && s->join)
			rows_join(s, i, keys);
		else if (!err)
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
	const int64_t *words = t ? t->words : arena_alloc(s->arena, parts_size(a));
	*ret = (struct aggregation_value) {
		.layout = a->layout,
		.words = words,
		.cpu_words = a->parts > 1 ? words + a->word_count : NULL,
		.normal = a->normal,
		.missing = !t,
	};
}

/* The public form of the row, with memory for its values. */
static void row_fill(struct sorting *s, const struct sortable *from,
		     struct aggregation_value *values, struct aggregation_row *ret)
{
	for (unsigned i = 0; i < s->width; i++)
		value_fill(s, s->join ? i : from->at, row_tuple(s, from, i), &values[i]);
	*ret = (struct aggregation_row) { .key = from->key,
					  .layout = &s->layouts[from->at],
					  .values = values,
					  .value_count = s->width };
}

/* The rows' targets must stay. */
static void snapshots_hold(const struct sorting *s, struct aggregation_rows *rows)
{
	rows->snapshots = arena_alloc(s->arena, (s->count + 1) * sizeof(*rows->snapshots));
	rows->snapshot_count = s->count;
	for (unsigned i = 0; i < s->count; i++) {
		rows->snapshots[i] = s->c->aggregations[s->aggregations[i]].snapshot;
		rows->snapshots[i]->holders++;
	}
}

struct error *consumer_rows(struct consumer *c, const uint32_t *aggregations, unsigned count,
			    bool join, const struct aggregation_order *order,
			    struct aggregation_rows *ret)
{
	join = join && count > 1;
	struct sorting s = { .c = c,
			     .order = order,
			     .aggregations = aggregations,
			     .count = count,
			     .join = join,
			     .width = join ? count : 1,
			     .arena = arena_new() };
	layouts_find(&s);
	struct error *err = rows_collect(&s);
	if (err) {
		vector_free(&s.rows);
		arena_free(s.arena);
		return err;
	}
	if (s.rows.count)
		qsort_r(s.rows.items, s.rows.count, sizeof(*s.rows.items), rows_compare, &s);
	struct aggregation_row *items = arena_alloc(s.arena, (s.rows.count + 1) * sizeof(*items));
	struct aggregation_value *values =
		arena_alloc(s.arena, (s.rows.count * s.width + 1) * sizeof(*values));
	for (size_t i = 0; i < s.rows.count; i++)
		row_fill(&s, &s.rows.items[i], values + i * s.width, &items[i]);
	*ret = (struct aggregation_rows) { items, s.rows.count, s.arena };
	snapshots_hold(&s, ret);
	vector_free(&s.rows);
	return NULL;
}

void aggregation_rows_free(struct aggregation_rows *rows)
{
	for (unsigned i = 0; i < rows->snapshot_count; i++)
		snapshot_release(rows->snapshots[i]);
	arena_free(rows->arena);
	*rows = (struct aggregation_rows) { 0 };
}
