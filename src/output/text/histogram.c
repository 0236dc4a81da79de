/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * histogram - quantize, lquantize and llquantize
 *
 * The three differ in their labels and in which buckets they show; a histogram
 * is first brought into this form, a window of labelled buckets:
 *
 *            value  ------------- Distribution ------------- count
 *               -1 |                                         0         first
 *                0 |@@@@                                     1
 *                1 |                                         0         last
 */
#include <string.h>

#include "output/internal.h"

#define LABEL_WIDTH 16

struct histogram {
	const struct aggregation_value *value;
	const int64_t *counts;
	struct bucket *buckets;
	unsigned first, last; /* buckets to show */
	unsigned bucket_count;
	struct bars bars;
	/* llquantize */
	uint64_t *bounds, limit;
	unsigned centre;
};

/* --- which rows ------------------------------------------------------------------------------- */

/* From the first non-empty bucket to the last, and a neighbour on each side. */
static bool window_find(struct histogram *h)
{
	unsigned first = 0, last = h->bucket_count;
	while (first < h->bucket_count && !h->counts[first])
		first++;
	if (first == h->bucket_count)
		return false;
	while (!h->counts[last - 1])
		last--;
	h->first = first ? first - 1 : 0;
	h->last = MIN(last, h->bucket_count - 1);
	return true;
}

static void window_set(struct histogram *h, unsigned first, unsigned last)
{
	h->first = first;
	h->last = MIN(last, h->bucket_count - 1);
}

/* --- labels ------------------------------------------------------------------------------- */

static void label_text(struct writer *w, const char *before, int64_t number)
{
	char text[40];
	int len = snprintf(text, sizeof(text), "%s%lld", before, (long long)number);
	writer_pad_left(w, text, (size_t)len, LABEL_WIDTH);
}

/* llquantize's bounds may be 2^63 and more. */
static void label_bound(struct writer *w, const char *before, uint64_t bound)
{
	char text[40];
	int len = snprintf(text, sizeof(text), "%s%llu", before, (unsigned long long)bound);
	writer_pad_left(w, text, (size_t)len, LABEL_WIDTH);
}

static void label_quantize(struct writer *w, const struct histogram *h, unsigned bucket)
{
	const struct bucket *b = &h->buckets[bucket];
	if (!b->has_least)
		label_text(w, "< ", b->most + 1);
	else if (!b->has_most)
		label_text(w, ">= ", b->least);
	else
		writer_signed(w, b->label, LABEL_WIDTH);
}
#define label_lquantize label_quantize

static void label_centre(struct writer *w, const struct histogram *h)
{
	uint64_t bound = h->centre > 1 ? h->bounds[0] : h->limit;
	if (h->first >= h->centre)
		label_bound(w, "< ", bound);
	else if (bound == 1)
		writer_signed(w, 0, LABEL_WIDTH);
	else
		label_bound(w, "abs() < ", bound);
}

static void label_llquantize(struct writer *w, const struct histogram *h, unsigned bucket)
{
	bool is_negative = bucket < h->centre;
	unsigned distance = is_negative ? h->centre - bucket : bucket - h->centre;
	if (distance == 0)
		label_centre(w, h);
	else if (distance < h->centre)
		label_bound(w, is_negative ? "-" : "", h->bounds[distance - 1]);
	else
		label_bound(w, is_negative ? "<= -" : ">= ", h->limit);
}

/* --- which buckets ---------------------------------------------------------------------------- */

static void window_quantize(struct histogram *h)
{
	if (!window_find(h))
		window_set(h, QUANTIZE_ZERO - 1, QUANTIZE_ZERO + 1);
}

static void window_lquantize(struct histogram *h)
{
	if (!window_find(h))
		window_set(h, 0, 2);
}

static bool has_below(const struct histogram *h, unsigned end)
{
	for (unsigned i = 0; i < end; i++)
		if (h->counts[i])
			return true;
	return false;
}

/* Without negative values, the buckets for them are not there at all. */
static void window_llquantize(struct histogram *h)
{
	unsigned count;
	h->bounds = llquantize_bounds(&h->value->layout->ll, &count, &h->limit);
	h->centre = count + 1;
	if (!window_find(h))
		window_set(h, h->centre, h->centre + 2);
	else if (!has_below(h, h->centre))
		h->first = MAX(h->first, h->centre);
}

/* --- all kinds ------------------------------------------------------------------------------ */

#define label_none NULL
#define window_none NULL
static const struct {
	void (*label)(struct writer *w, const struct histogram *h, unsigned bucket);
	void (*window)(struct histogram *h);
} histogram_kinds[] = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  ...)                                                                             \
	{ label_##buckets, window_##buckets },
#include "abi/aggregate.def"
#undef AGGREGATE
};

static void histogram_row(struct output *o, const struct histogram *h, unsigned bucket)
{
	histogram_kinds[h->value->layout->function].label(o->out, h, bucket);
	writer_putc(o->out, ' ');
	bar_print(o->out, &h->bars, h->counts[bucket]);
	writer_printf(o->out, " %-*lld\n", COUNT_WIDTH,
		      (long long)count_normalized(h->counts[bucket], h->value->normal));
}

void percentiles_print(struct output *o, const struct aggregation_value *v, bool packed)
{
	const struct percentiles *list = &o->options.percentiles;
	if (!list->count)
		return;
	unsigned count;
	auto_free struct bucket *buckets = histogram_buckets(v, &count);
	static const char *const relations[] = {
		[PERCENTILE_VALUE] = "", [PERCENTILE_AT_MOST] = "<= ", [PERCENTILE_AT_LEAST] = ">= "
	};
	for (unsigned i = 0; i < list->count; i++) {
		char label[40];
		struct percentile p = histogram_percentile(buckets, count, list->items[i]);
		int len = snprintf(label, sizeof(label), "%sp%.15g", packed ? "  " : "",
				   list->items[i]);
		writer_pad_left(o->out, label, (size_t)len, packed ? 0 : LABEL_WIDTH);
		if (p.kind == PERCENTILE_UNKNOWN)
			writer_puts(o->out, " -");
		else
			writer_printf(o->out, " %s%lld", relations[p.kind], (long long)p.value);
		writer_puts(o->out, packed ? "" : "\n");
	}
}

void histogram_print(struct output *o, const struct aggregation_value *v)
{
	struct histogram h = { .value = v,
			       .counts = v->words,
			       .bars = bars_begin(o->out, LABEL_WIDTH + 3 + COUNT_WIDTH) };
	h.buckets = histogram_buckets(v, &h.bucket_count);
	histogram_kinds[v->layout->function].window(&h);
	for (unsigned i = h.first; i <= h.last; i++)
		bars_add(&h.bars, h.counts[i]);
	h.bars.zoom = o->options.aggzoom;

	bars_head(o->out, &h.bars, "value", LABEL_WIDTH);
	for (unsigned i = h.first; i <= h.last; i++)
		histogram_row(o, &h, i);
	free(h.bounds);
	free(h.buckets);
	percentiles_print(o, v, false);
}
