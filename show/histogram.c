/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/histogram.h"

#include "show/value.h"

struct histograms {
	VECTOR(struct histogram) list;
};

struct histograms *histograms_new(void)
{
	return mem_zalloc(sizeof(struct histograms));
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

void histograms_free(struct histograms *h)
{
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

static void window_begin(struct histogram *h, uint64_t run, struct json_object *line)
{
	uint64_t printing = line_printing(line), time;
	if (h->is_open && h->printing == printing && h->run == run)
		return;
	window_end(h);
	h->is_cleared |= h->run != run;
	h->run = run;
	h->is_open = true;
	h->printing = printing;
	h->time = value_unsigned(value_member(line, "time"), &time) ? time : 0;
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

bool bucket_read(struct json_object *v, struct bucket *ret)
{
	*ret = (struct bucket) { 0 };
	ret->has_least = value_signed(value_member(v, "least"), &ret->least);
	ret->has_most = value_signed(value_member(v, "most"), &ret->most);
	return value_unsigned(value_member(v, "count"), &ret->now);
}

static void bucket_add(struct histogram *h, struct json_object *v)
{
	struct bucket bucket;
	if (!bucket_read(v, &bucket))
		return;
	uint64_t count = bucket.now;
	bucket.now = 0;
	count_add(&bucket_place(h, &bucket)->now, count);
}

static void row_add(struct histograms *list, const struct show *show, struct json_object *line,
		    struct json_object *value)
{
	struct json_object *buckets = value_member(value, "buckets");
	if (!buckets || value_member(value, "missing"))
		return;
	struct histogram *h = histogram_named(list, value_word(value_member(value, "name")),
					      value_word(value_member(value, "function")));
	window_begin(h, show->runs, line);
	h->has_keys |= value_count(value_member(line, "key")) > 0;
	for (size_t i = 0; i < value_count(buckets); i++)
		bucket_add(h, json_object_array_get_idx(buckets, i));
}

void histograms_add_line(struct histograms *h, const struct show *show, const char *type,
			 struct json_object *line)
{
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

bool bucket_next(const char *function, const struct bucket *b, struct bucket *ret)
{
	int64_t least, size, most;
	if (!b->has_most || __builtin_add_overflow(b->most, 1, &least))
		return false;
	if (string_equal(function, "quantize"))
		size = least > 0 ? least : 0;
	else if (string_equal(function, "lquantize") && b->has_least)
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
		if (bucket_next(h->function, &h->buckets.items[i], &next) && next.most < highest)
			bucket_place(h, &next);
	}
}

/* --- fewer windows --------------------------------------------------------------------------- */

/* LATER, whose cells are sorted by bucket, becomes a part of W. */
static void window_join(struct window *w, struct window *later)
{
	struct window both = { .time = later->time, .values = w->values };
	count_add(&both.values, later->values);
	for (size_t i = 0, k = 0; i < w->cells.count || k < later->cells.count;) {
		const struct cell *a = i < w->cells.count ? &w->cells.items[i] : NULL;
		const struct cell *b = k < later->cells.count ? &later->cells.items[k] : NULL;
		bool takes_a = a && (!b || a->bucket <= b->bucket);
		bool takes_b = b && (!a || b->bucket <= a->bucket);
		struct cell sum = { takes_a ? a->bucket : b->bucket, takes_a ? a->count : 0 };
		if (takes_b)
			count_add(&sum.count, b->count);
		vector_push(&both.cells, sum);
		i += takes_a;
		k += takes_b;
	}
	vector_free(&w->cells);
	vector_free(&later->cells);
	*w = both;
}

static void windows_halve(struct histogram *h)
{
	size_t count = h->windows.count;
	for (size_t i = 0; i < count; i += 2) {
		struct window *w = &h->windows.items[i];
		if (i + 1 < count)
			window_join(w, w + 1);
		h->windows.items[i / 2] = *w;
	}
	h->windows.count = (count + 1) / 2;
}

static size_t cells_count(const struct histogram *h)
{
	size_t ret = 0;
	for (size_t i = 0; i < h->windows.count; i++)
		ret += h->windows.items[i].cells.count;
	return ret;
}

void histogram_join(struct histogram *h, struct show *show, size_t windows, size_t cells)
{
	size_t each = 1;
	while (h->windows.count > 1 && (h->windows.count > windows || cells_count(h) > cells)) {
		windows_halve(h);
		each *= 2;
	}
	if (each > 1)
		show_note(show, "a column of the heat map of @%s is %zu printings", h->name, each);
}

/* --- what is drawn --------------------------------------------------------------------------- */

void histogram_note(const struct histogram *h, struct show *show)
{
	if (h->has_keys)
		show_note(show, "the histograms of all keys of @%s are added", h->name);
}

struct histogram *histograms_find(struct histograms *list, const char *name)
{
	for (size_t i = 0; i < list->list.count; i++) {
		struct histogram *h = &list->list.items[i];
		if (!string_equal(h->name, name))
			continue;
		window_end(h);
		buckets_fill(h);
		return h;
	}
	return NULL;
}

struct error *histograms_choose(struct histograms *h, struct show *show, struct histogram **ret)
{
	if (!h->list.count)
		return error_new(show->wanted ? "@%s is no histogram that was printed"
					      : "no aggregation is a histogram: quantize(), "
						"lquantize() or llquantize()",
				 show->wanted);
	for (size_t i = 1; i < h->list.count; i++)
		show_note(show, "@%s is a histogram, too (-x show=@%s draws it)",
			  h->list.items[i].name, h->list.items[i].name);
	*ret = histograms_find(h, h->list.items[0].name);
	histogram_note(*ret, show);
	return NULL;
}

void histograms_begin(struct show *show)
{
	show->state = histograms_new();
}

void histograms_line(struct show *show, const char *type, struct json_object *line)
{
	histograms_add_line(show->state, show, type, line);
}
