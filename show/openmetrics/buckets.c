/* SPDX-License-Identifier: BSD-2-Clause */
/* The buckets that all series of a histogram have */
#include <string.h>

#include "show/openmetrics/metrics.h"
#include "show/value.h"

#define EMPTY_ABOVE 4	 /* the highest that has values */
#define FILLED_MOST 128	 /* no more are made between and above those that have values */
#define SECONDS_MOST 100 /* of times: the empty ones above the highest reach as far */

/* By their greatest values; the one without is the last. */
static bool bucket_is_below(const struct bucket *a, const struct bucket *b)
{
	return a->has_most && (!b->has_most || a->most < b->most);
}

/* The place of the first one that is not below B. */
static size_t bucket_find(const struct metric *m, const struct bucket *b)
{
	size_t low = 0, high = m->buckets.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (bucket_is_below(&m->buckets.items[middle].bounds, b))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool bucket_is_at(const struct metric *m, size_t place, const struct bucket *b)
{
	return place < m->buckets.count && !bucket_is_below(b, &m->buckets.items[place].bounds);
}

static void bucket_insert(struct metric *m, size_t place, const struct bucket *b)
{
	const struct metric_bucket new = { *b, m->buckets.count, false };
	vector_push(&m->buckets, new);
	memmove(&m->buckets.items[place + 1], &m->buckets.items[place],
		(m->buckets.count - 1 - place) * sizeof(new));
	m->buckets.items[place] = new;
}

/*
 * Buckets of quantize() that are highest go on until here.  One that appears when a late value
 * needs it has another rate() than those below it until the engine has seen it for a whole window,
 * and then quantiles are taken to be in it.
 */
static int64_t bucket_highest(const struct metric *m)
{
	bool is_time = m->unit && string_equal(m->unit->base, "seconds");
	return is_time && string_equal(m->function, "quantize")
		       ? (int64_t)(SECONDS_MOST * m->unit->parts)
		       : INT64_MIN;
}

/* Those between B and the next one; some above it if it is the highest. */
static void fill_after(struct metric *m, const struct bucket *b)
{
	struct bucket next, at = *b;
	for (unsigned i = 0; m->buckets.count < FILLED_MOST; i++) {
		size_t after = bucket_find(m, &at) + 1;
		bool is_highest =
			after >= m->buckets.count || !m->buckets.items[after].bounds.has_most;
		bool is_enough = i >= EMPTY_ABOVE && at.most >= bucket_highest(m);
		if ((is_highest && is_enough) || !bucket_next(m->function, &at, &next))
			return;
		size_t place = bucket_find(m, &next); /* of a foreign stream it may be anywhere */
		if (next.most >= m->limit || !bucket_is_below(&at, &next) ||
		    bucket_is_at(m, place, &next))
			return;
		bucket_insert(m, place, &next);
		at = next;
	}
}

/* An engine takes values to be anywhere above the bucket before: B's begin at its least. */
static void fill_before(struct metric *m, const struct bucket *b)
{
	const struct bucket before = { .most = b->least - 1, .has_most = true };
	if (!b->has_least || b->least == INT64_MIN || m->buckets.count >= BUCKETS_MOST)
		return;
	size_t place = bucket_find(m, &before);
	if (!bucket_is_at(m, place, &before))
		bucket_insert(m, place, &before);
}

void buckets_begin(struct metric *m, const struct show *show)
{
	struct json_object *p = value_member(show_aggregation(show, m->aggregation), "parameters");
	int64_t low, high, step;
	m->limit = INT64_MAX;
	if (!string_equal(m->function, "lquantize") ||
	    !value_signed(value_member(p, "low"), &low) ||
	    !value_signed(value_member(p, "high"), &high) ||
	    !value_signed(value_member(p, "step"), &step) || step <= 0 || high < low)
		return;
	m->limit = high;
	uint64_t rows = ((uint64_t)high - (uint64_t)low) / (uint64_t)step;
	for (uint64_t i = 0; i <= rows && rows < FILLED_MOST && low > INT64_MIN; i++) {
		int64_t least = (int64_t)((uint64_t)low + i * (uint64_t)step);
		const struct bucket before = { .least = i ? least - step : 0,
					       .most = least - 1,
					       .has_least = i,
					       .has_most = true };
		bucket_insert(m, m->buckets.count, &before);
	}
}

size_t bucket_number(struct metric *m, const struct bucket *b)
{
	size_t place = bucket_find(m, b);
	if (bucket_is_at(m, place, b) && m->buckets.items[place].has_values)
		return m->buckets.items[place].number;
	if (bucket_is_at(m, place, b))
		m->buckets.items[place].bounds = *b;
	else if (m->buckets.count < BUCKETS_MOST)
		bucket_insert(m, place, b);
	else /* its values are no greater than those of the next one */
		return m->buckets.items[MIN(place, m->buckets.count - 1)].number;
	m->buckets.items[place].has_values = true;
	size_t number = m->buckets.items[place].number;
	fill_before(m, b);
	fill_after(m, b);
	return number;
}
