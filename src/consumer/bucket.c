/* SPDX-License-Identifier: BSD-2-Clause */
/* bucket - the bounds and counts of histograms' buckets, and percentiles from them */
#include "abi/llquantize.h"
#include "consumer/internal.h"

uint64_t *llquantize_bounds(const struct llquantize *ll, unsigned *count, uint64_t *limit)
{
	uint64_t *bounds = mem_alloc(llquantize_side(ll) * sizeof(*bounds));
	uint64_t from = llquantize_power(ll->factor, ll->low);
	unsigned n = 0;
	for (unsigned m = ll->low; m <= ll->high && m < 64; m++, from *= ll->factor) {
		uint64_t width = llquantize_width(ll, from);
		uint64_t in_magnitude = llquantize_count(ll, from);
		for (uint64_t i = 0; i < in_magnitude; i++)
			bounds[n++] = MAX(llquantize_origin(ll, from) + i * width, from);
	}
	*count = n;
	*limit = from;
	return bounds;
}

/* --- bounds --------------------------------------------------------------------------------- */

static struct bucket bucket_between(int64_t least, int64_t most)
{
	return (struct bucket) {
		.least = least, .most = most, .label = least, .has_least = true, .has_most = true
	};
}

/* The mirror image of a positive one: its label is the bound next to 0. */
static struct bucket bucket_negative(int64_t least, int64_t most)
{
	struct bucket b = bucket_between(least, most);
	b.label = most;
	return b;
}

static struct bucket bucket_below(int64_t most)
{
	return (struct bucket) { .most = most, .label = most, .has_most = true };
}

static struct bucket bucket_above(int64_t least)
{
	return (struct bucket) { .least = least, .label = least, .has_least = true };
}

/* abi/state.h: bucket 65 + k holds 2^k <= x < 2^(k+1), 63 - k the same of -x. */
static struct bucket quantize_bucket(unsigned i)
{
	if (i == QUANTIZE_ZERO)
		return bucket_between(0, 0);
	unsigned k = i > QUANTIZE_ZERO ? i - QUANTIZE_ZERO - 1 : QUANTIZE_ZERO - 1 - i;
	uint64_t least = (uint64_t)1 << k, most = 2 * least - 1;
	if (i > QUANTIZE_ZERO)
		return bucket_between((int64_t)least, (int64_t)most);
	return bucket_negative(k < 63 ? -(int64_t)most : INT64_MIN, (int64_t)(0 - least));
}

static struct bucket lquantize_bucket(const struct aggregation_layout *a, unsigned i)
{
	int64_t from = a->base + ((int64_t)i - 1) * a->step;
	if (i == 0)
		return bucket_below(a->base - 1);
	return i <= a->levels ? bucket_between(from, from + a->step - 1) : bucket_above(from);
}

/* Bounds may be almost 2^64, numbers may not: SIZE and -SIZE, or the nearest numbers. */
static int64_t positive(uint64_t size)
{
	return (int64_t)MIN(size, (uint64_t)INT64_MAX);
}

static int64_t negative(uint64_t size)
{
	return size > INT64_MAX ? INT64_MIN : -(int64_t)size;
}

static void buckets_llquantize(const struct aggregation_layout *a, struct bucket *ret)
{
	const struct llquantize *ll = &a->ll;
	unsigned count;
	uint64_t limit;
	auto_free uint64_t *bounds = llquantize_bounds(ll, &count, &limit);
	struct bucket *centre = ret + count + 1;
	uint64_t inner = count ? bounds[0] : limit;
	*centre = bucket_between(negative(inner - 1), positive(inner - 1));
	centre->is_centre = true;
	centre->label = 0;
	for (unsigned i = 1; i <= count; i++) {
		uint64_t first = bounds[i - 1], last = (i < count ? bounds[i] : limit) - 1;
		centre[i] = bucket_between(positive(first), positive(last));
		centre[-(int)i] = bucket_negative(negative(last), negative(first));
	}
	centre[count + 1] = bucket_above(positive(limit));
	centre[-(int)count - 1] = bucket_below(negative(limit));
}

static void buckets_quantize(const struct aggregation_layout *a, struct bucket *buckets)
{
	for (unsigned i = 0; i < QUANTIZE_BUCKETS; i++)
		buckets[i] = quantize_bucket(i);
}

static void buckets_lquantize(const struct aggregation_layout *a, struct bucket *buckets)
{
	for (unsigned i = 0; i < a->levels + 2; i++)
		buckets[i] = lquantize_bucket(a, i);
}

#define buckets_none NULL

struct bucket *histogram_buckets(const struct aggregation_value *v, unsigned *count)
{
	static void (*const fill[])(const struct aggregation_layout *a, struct bucket *buckets) = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  ...)                                                                             \
	buckets_##buckets,
#include "abi/aggregate.def"
#undef AGGREGATE
	};
	*count = (unsigned)aggregation_words(v->layout);
	struct bucket *buckets = mem_alloc((*count + 1) * sizeof(*buckets));
	fill[v->layout->function](v->layout, buckets);
	for (unsigned i = 0; i < *count; i++)
		buckets[i].count = v->words[i];
	return buckets;
}

/* --- percentiles ------------------------------------------------------------------------------ */

/* The value at SHARE (0 to 1) of the way through B, which has both bounds. */
static int64_t bucket_at(const struct bucket *b, long double share)
{
	long double width = (long double)b->most - b->least + 1;
	long double way = width * share;
	if (way >= width - 1)
		return b->most;
	return (int64_t)((uint64_t)b->least + (uint64_t)way);
}

/* IS_LAST: where the greatest value is in B is unknown. */
static struct percentile percentile_in(const struct bucket *b, long double share, bool is_last)
{
	if (!b->has_most)
		return (struct percentile) { PERCENTILE_AT_LEAST, b->least };
	bool is_exact = b->has_least && b->least == b->most;
	if (!b->has_least || (is_last && !is_exact))
		return (struct percentile) { PERCENTILE_AT_MOST, b->most };
	return (struct percentile) { PERCENTILE_VALUE, bucket_at(b, share) };
}

struct percentile histogram_percentile(const struct bucket *buckets, unsigned count, double percent)
{
	struct percentile p = { PERCENTILE_UNKNOWN, 0 };
	long double total = 0, before = 0;
	unsigned last = 0;
	for (unsigned i = 0; i < count; i++) {
		if (buckets[i].count < 0)
			return p;
		total += buckets[i].count;
		last = buckets[i].count ? i : last;
	}
	long double wanted = total * percent / 100;
	for (unsigned i = 0; i < count; i++) {
		if (!buckets[i].count)
			continue;
		struct bucket b = buckets[i];
		long double after = before + b.count;
		if (b.is_centre && before == 0) /* nothing is negative, so this is not either */
			b.least = 0;
		p = percentile_in(&b, MAX(wanted - before, 0) / b.count, i == last);
		if (after >= wanted)
			break;
		before = after;
	}
	return p;
}
