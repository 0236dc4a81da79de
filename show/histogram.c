/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/histogram.h"

#include "show/value.h"

struct histograms {
	VECTOR(struct histogram) list;
};

void histograms_begin(struct show *s)
{
	s->state = mem_zalloc(sizeof(struct histograms));
}

static void histogram_deinit(struct histogram *h)
{
	for (size_t i = 0; i < h->windows.count; i++)
		vector_free(&h->windows.items[i].cells);
	vector_free(&h->windows);
	vector_free(&h->buckets);
	hash_free(h->index);
	free(h->name);
	free(h->function);
}

void histograms_free(struct show *s)
{
	struct histograms *h = s->state;
	for (size_t i = 0; i < h->list.count; i++)
		histogram_deinit(&h->list.items[i]);
	vector_free(&h->list);
	free(h);
}

static struct histogram *histogram_named(struct histograms *h, const char *name,
					 const char *function)
{
	for (size_t i = 0; i < h->list.count; i++)
		if (string_equal(h->list.items[i].name, name))
			return &h->list.items[i];
	struct histogram *ret = vector_extend(&h->list);
	*ret = (struct histogram) { .name = mem_strdup(name),
				    .function = mem_strdup(function),
				    .index = hash_new() };
	return ret;
}

/* --- windows --------------------------------------------------------------------------------- */

/* The printing is complete. */
static void window_end(struct histogram *h)
{
	if (!h->is_open)
		return;
	struct window w = { .time = h->time };
	for (size_t i = 0; i < h->buckets.count; i++) {
		struct bucket *b = &h->buckets.items[i];
		uint64_t count = b->now > b->before ? b->now - b->before : 0;
		if (count)
			vector_push(&w.cells, (struct cell) { i, count });
		count_add(&w.values, count);
		b->before = b->now;
		b->now = 0;
	}
	vector_push(&h->windows, w);
	h->is_open = false;
}

static void window_begin(struct histogram *h, uint64_t run, uint64_t time)
{
	if (h->is_open && h->time == time && h->run == run)
		return;
	window_end(h);
	h->is_cleared |= h->run != run;
	h->run = run;
	h->is_open = true;
	h->time = time;
	for (size_t i = 0; h->is_cleared && i < h->buckets.count; i++)
		h->buckets.items[i].before = 0;
	h->is_cleared = false;
}

/* --- lines ----------------------------------------------------------------------------------- */

static struct bucket *bucket_place(struct histogram *h, const struct bucket *bounds)
{
	int64_t key[] = { bounds->least, bounds->most, bounds->has_least, bounds->has_most };
	void **place = hash_place(h->index, key, sizeof(key));
	if (!*place) {
		vector_push(&h->buckets, *bounds);
		*place = (void *)(uintptr_t)h->buckets.count;
	}
	return &h->buckets.items[(uintptr_t)*place - 1];
}

static void bucket_add(struct histogram *h, struct json_object *bucket)
{
	struct bucket bounds = { 0 };
	uint64_t count;
	bounds.has_least = value_signed(value_member(bucket, "least"), &bounds.least);
	bounds.has_most = value_signed(value_member(bucket, "most"), &bounds.most);
	if (!value_unsigned(value_member(bucket, "count"), &count))
		return;
	count_add(&bucket_place(h, &bounds)->now, count);
}

static void row_add(struct histograms *list, const struct show *show, struct json_object *line,
		    struct json_object *value)
{
	struct json_object *buckets = value_member(value, "buckets");
	uint64_t time;
	if (!buckets || value_member(value, "missing"))
		return;
	struct histogram *h = histogram_named(list, value_word(value_member(value, "name")),
					      value_word(value_member(value, "function")));
	window_begin(h, show->runs, value_unsigned(value_member(line, "time"), &time) ? time : 0);
	h->has_keys |= value_count(value_member(line, "key")) > 0;
	for (size_t i = 0; i < value_count(buckets); i++)
		bucket_add(h, json_object_array_get_idx(buckets, i));
}

void histograms_line(struct show *show, const char *type, struct json_object *line)
{
	struct histograms *h = show->state;
	struct json_object *values = value_member(line, "values");
	if (string_equal(type, "record"))
		for (size_t i = 0; i < h->list.count; i++)
			h->list.items[i].is_cleared |= record_clears(line, h->list.items[i].name);
	if (!string_equal(type, "aggregation"))
		return;
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		if (show_is_wanted(show, value_word(value_member(value, "name"))))
			row_add(h, show, line, value);
	}
}

/* --- rows that have no values ---------------------------------------------------------------- */

#define ROWS_MOST 1000

/* The bucket after B, as far as the function's steps are known.  False: they are not. */
static bool bucket_next(const struct histogram *h, const struct bucket *b, struct bucket *ret)
{
	int64_t least, size, most;
	if (!b->has_most || __builtin_add_overflow(b->most, 1, &least))
		return false;
	if (string_equal(h->function, "quantize"))
		size = least > 0 ? least : 0;
	else if (string_equal(h->function, "lquantize") && b->has_least)
		size = least - b->least;
	else
		size = 0;
	if (size <= 0 || __builtin_add_overflow(least, size - 1, &most))
		return false;
	*ret = (struct bucket) {
		.least = least, .most = most, .has_least = true, .has_most = true
	};
	return true;
}

/* The stream has only buckets with values: those between them are rows, too. */
static void buckets_fill(struct histogram *h)
{
	int64_t highest = INT64_MIN;
	for (size_t i = 0; i < h->buckets.count; i++)
		if (h->buckets.items[i].has_least)
			highest = MAX(highest, h->buckets.items[i].least);
	for (size_t i = 0; i < h->buckets.count && h->buckets.count < ROWS_MOST; i++) {
		struct bucket next;
		if (bucket_next(h, &h->buckets.items[i], &next) && next.most < highest)
			bucket_place(h, &next);
	}
}

struct error *histograms_choose(struct show *show, const struct histogram **ret)
{
	struct histograms *h = show->state;
	if (!h->list.count)
		return error_new(show->wanted ? "@%s is no histogram that was printed"
					      : "no aggregation is a histogram: quantize(), "
						"lquantize() or llquantize()",
				 show->wanted);
	for (size_t i = 1; i < h->list.count; i++)
		show_note(show, "@%s is a histogram, too (-x show=@%s draws it)",
			  h->list.items[i].name, h->list.items[i].name);
	struct histogram *first = &h->list.items[0];
	window_end(first);
	buckets_fill(first);
	if (first->has_keys)
		show_note(show, "the histograms of all keys of @%s are added", first->name);
	*ret = first;
	return NULL;
}
