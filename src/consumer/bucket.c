/* SPDX-License-Identifier: BSD-2-Clause */
/* bucket - what the buckets of histograms hold, and percentiles from them */
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
			bounds[n++] = from + i * width;
	}
	*count = n;
	*limit = from;
	return bounds;
}

/* --- bounds --------------------------------------------------------------------------------- */

static struct bucket bucket_of(int64_t least, int64_t most)
{
	return (struct bucket) {
		.least = least, .most = most, .has_least = true, .has_most = true
	};
}

static struct bucket bucket_below(int64_t most)
{
	return (struct bucket) { .most = most, .has_most = true };
}

static struct bucket bucket_above(int64_t least)
{
	return (struct bucket) { .least = least, .has_least = true };
}

/* abi/state.h: bucket 65 + k holds 2^k <= x < 2^(k+1), 63 - k the same of -x. */
static struct bucket quantize_bucket(unsigned i)
{
	if (i == QUANTIZE_ZERO)
		return bucket_of(0, 0);
	unsigned k = i > QUANTIZE_ZERO ? i - QUANTIZE_ZERO - 1 : QUANTIZE_ZERO - 1 - i;
	uint64_t least = (uint64_t)1 << k, most = 2 * least - 1;
	if (i > QUANTIZE_ZERO)
		return bucket_of((int64_t)least, (int64_t)most);
	return bucket_of(k < 63 ? -(int64_t)most : INT64_MIN, (int64_t)(0 - least));
}

static struct bucket lquantize_bucket(const struct aggregation_layout *a, unsigned i)
{
	int64_t from = a->base + ((int64_t)i - 1) * a->step;
	if (i == 0)
		return bucket_below(a->base - 1);
	return i <= a->levels ? bucket_of(from, from + a->step - 1) : bucket_above(from);
}

/* Bounds may be almost 2^64, numbers are not: SIZE and -SIZE, or what is next to it. */
static int64_t positive(uint64_t size)
{
	return (int64_t)MIN(size, (uint64_t)INT64_MAX);
}

static int64_t negative(uint64_t size)
{
	return size > INT64_MAX ? INT64_MIN : -(int64_t)size;
}

static void llquantize_buckets_fill(const struct llquantize *ll, struct bucket *ret)
{
	unsigned count;
	uint64_t limit;
	auto_free uint64_t *bounds = llquantize_bounds(ll, &count, &limit);
	struct bucket *centre = ret + count + 1;
	uint64_t inner = count ? bounds[0] : limit;
	*centre = bucket_of(negative(inner - 1), positive(inner - 1));
	centre->is_centre = true;
	for (unsigned i = 1; i <= count; i++) {
		uint64_t first = bounds[i - 1], last = (i < count ? bounds[i] : limit) - 1;
		centre[i] = bucket_of(positive(first), positive(last));
		centre[-(int)i] = bucket_of(negative(last), negative(first));
	}
	centre[count + 1] = bucket_above(positive(limit));
	centre[-(int)count - 1] = bucket_below(negative(limit));
}

struct bucket *histogram_buckets(const struct aggregation_value *v, unsigned *count)
{
	const struct aggregation_layout *a = v->layout;
	*count = (unsigned)aggregation_words(a);
	struct bucket *buckets = mem_alloc((*count + 1) * sizeof(*buckets));
	for (unsigned i = 0; i < *count; i++) {
		if (a->function == AGGREGATE_QUANTIZE)
			buckets[i] = quantize_bucket(i);
		else if (a->function == AGGREGATE_LQUANTIZE)
			buckets[i] = lquantize_bucket(a, i);
	}
	if (a->function == AGGREGATE_LLQUANTIZE)
		llquantize_buckets_fill(&a->ll, buckets);
	for (unsigned i = 0; i < *count; i++)
		buckets[i].count = v->words[i];
	return buckets;
}

/* --- percentiles ------------------------------------------------------------------------------ */

/* The value at SHARE (0 to 1) of the way through B. */
static int64_t bucket_at(const struct bucket *b, long double share)
{
	if (!b->has_least)
		return b->most;
	if (!b->has_most)
		return b->least;
	long double width = (long double)b->most - b->least + 1;
	long double way = width * share;
	if (way >= width - 1)
		return b->most;
	return (int64_t)((uint64_t)b->least + (uint64_t)way);
}

bool histogram_percentile(const struct bucket *buckets, unsigned count, double percent,
			  int64_t *ret)
{
	long double total = 0, before = 0;
	for (unsigned i = 0; i < count; i++) {
		if (buckets[i].count < 0)
			return false;
		total += buckets[i].count;
	}
	long double wanted = total * percent / 100;
	for (unsigned i = 0; i < count; i++) {
		if (!buckets[i].count)
			continue;
		struct bucket b = buckets[i];
		long double after = before + b.count;
		if (b.is_centre && before == 0) /* nothing is negative, so this is not either */
			b.least = 0;
		*ret = bucket_at(&b, MAX(wanted - before, 0) / b.count);
		if (after >= wanted)
			return true;
		before = after;
	}
	return total > 0;
}
