/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Aggregation values (abi/state.h) */
#include "abi/llquantize.h"
#include "runtime/runtime.h"

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

/* x * x as 128 bits, from 32-bit halves: the low one of them; *HIGH is the other. */
static always_inline uint64_t square(int64_t x, uint64_t *high)
{
	uint64_t u = x < 0 ? -(uint64_t)x : x;
	uint64_t lo = u & 0xffffffff, hi = u >> 32;
	uint64_t middle = 2 * hi * lo; /* hi < 2^31 unless x is INT64_MIN, whose lo is 0 */
	uint64_t low = lo * lo + (middle << 32);
	*high = hi * hi + (middle >> 32) + (low < (middle << 32));
	return low;
}

static always_inline void word_add(uint64_t *word, uint64_t n, int is_shared)
{
	if (is_shared)
		ADD_SHARED(word, n);
	else
		ADD_OWN(word, n);
}

static always_inline long stddev_add(uint64_t *words, int64_t x, int is_shared)
{
	uint64_t high, low = square(x, &high);
	word_add(&words[0], 1, is_shared);
	word_add(&words[1], x, is_shared);
	uint64_t before =
		is_shared ? __sync_fetch_and_add(&words[2], low) : FETCH_OWN(&words[2], low);
	high += before + low < before;
	word_add(&words[3], high, is_shared);
	return 0;
}

long rt_aggregate_stddev(uint64_t *words, int64_t x)
{
	return stddev_add(words, x, 0);
}

/* The same in the form that marks shared words. */
long rt_aggregate_stddev_shared(uint64_t *words, int64_t x)
{
	return stddev_add(words, x, 1);
}

#ifdef __bpf__
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
#else
#define log2_floor(x) (63 - (unsigned)__builtin_clzll(x))
#endif

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

/* One magnitude of llquantize(); the verifier checks this body once. */
struct magnitude {
	struct llquantize ll;
	uint64_t x, from, index;
	uint64_t found;
};

static long llquantize_magnitude(uint32_t round, struct magnitude *m)
{
	uint64_t factor = m->ll.factor, steps = m->ll.steps;
	if (!factor || !steps)
		return 1;
	uint64_t width = m->from * factor / steps;
	if (!width)
		width = 1;
	uint64_t origin = llquantize_origin(&m->ll, m->from);
	if (m->x / factor < m->from) { /* x < from * factor, without overflow */
		m->index += (m->x - origin) / width;
		m->found = 1;
		return 1;
	}
	m->index += (m->from * factor - origin - 1) / width + 1; /* llquantize_count() */
	m->from *= factor;
	return 0;
}

/*
 * FROM: factor^low; SIDE: llquantize_side(), the overflow bucket included.
 * At most 64 rounds: factor^(high+1) fits 64 bits.
 */
long rt_llquantize_index(int64_t x, uint64_t packed, uint64_t from, uint64_t side)
{
	struct magnitude m = {
		.ll = { packed, packed >> 16, packed >> 32, packed >> 48 },
		.x = x < 0 ? -(uint64_t)x : (uint64_t)x,
		.from = from,
		.index = 1,
	};
	if (m.x < from)
		return side;
	uint32_t rounds = m.ll.high - m.ll.low + 1;
	port_loop(rounds < 64 ? rounds : 64, llquantize_magnitude, &m, 0);
	uint64_t distance = m.found && m.index < side ? m.index : side;
	return x < 0 ? side - distance : side + distance;
}
