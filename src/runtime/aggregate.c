/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Aggregation values (abi/state.h) */
#include "runtime/runtime.h"

#include "abi/llquantize.h"

/* Raise *WORD to X.  Competitors are only those that interrupt us on this CPU. */
long rt_aggregate_max(uint64_t *word, uint64_t x)
{
	uint64_t old = *(volatile uint64_t *)word;
	for (int i = 0; i < 16; i++) {
		if (old >= x)
			return 0;
		uint64_t seen = __sync_val_compare_and_swap(word, old, x);
		if (seen == old)
			return 0;
		old = seen;
	}
	COUNT(aggregation);
	return 0;
}

long rt_aggregate_stddev(uint64_t *words, int64_t x)
{
	__sync_fetch_and_add(&words[0], 1);
	__sync_fetch_and_add(&words[1], x);
	/* x * x as 128 bits, from 32-bit halves */
	uint64_t u = x < 0 ? -(uint64_t)x : x;
	uint64_t lo = u & 0xffffffff, hi = u >> 32;
	uint64_t middle = 2 * hi * lo; /* hi < 2^31 unless x is INT64_MIN, whose lo is 0 */
	uint64_t low = lo * lo + (middle << 32);
	uint64_t high = hi * hi + (middle >> 32) + (low < (middle << 32));
	uint64_t before = __sync_fetch_and_add(&words[2], low);
	high += before + low < before;
	__sync_fetch_and_add(&words[3], high);
	return 0;
}

static always_inline unsigned log2_floor(uint64_t x)
{
	unsigned n = 0;
	for (int shift = 32; shift; shift >>= 1)
		if (x >> shift) {
			x >>= shift;
			n += shift;
		}
	return n;
}

long rt_quantize_index(int64_t x)
{
	if (x == 0)
		return QUANTIZE_ZERO;
	if (x > 0)
		return QUANTIZE_ZERO + 1 + log2_floor(x);
	return QUANTIZE_ZERO - 1 - log2_floor(-(uint64_t)x);
}

long rt_lquantize_index(int64_t x, int64_t base, uint64_t step, uint64_t levels)
{
	if (x < base)
		return 0;
	uint64_t index = ((uint64_t)x - (uint64_t)base) / step;
	return index >= levels ? levels + 1 : index + 1;
}

/* The bucket of a magnitude, counted from the centre; at most 64 rounds. */
static always_inline uint64_t llquantize_distance(const struct llquantize *ll, uint64_t x)
{
	uint64_t from = llquantize_power(ll->factor, ll->low);
	if (x < from)
		return 0;
	uint64_t index = 1;
	for (unsigned m = ll->low; m <= ll->high && m < 64; m++) {
		uint64_t width = llquantize_width(ll, from);
		if (x / ll->factor < from) /* x < from * factor, without overflow */
			return index + (x - from) / width;
		index += llquantize_count(ll, from);
		from *= ll->factor;
	}
	return index;
}

long rt_llquantize_index(int64_t x, uint64_t packed)
{
	struct llquantize ll = {
		.factor = packed,
		.low = packed >> 16,
		.high = packed >> 32,
		.steps = packed >> 48,
	};
	if (ll.factor == 0 || ll.steps == 0)
		return 0;
	uint64_t side = llquantize_side(&ll);
	if (x >= 0)
		return side + llquantize_distance(&ll, x);
	return side - llquantize_distance(&ll, -(uint64_t)x);
}
