/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/aggregate.c and abi/llquantize.h: every bound of every bucket, by slow and plain versions
 */
#include "host.h"

#include "abi/llquantize.h"
#include "runtime/aggregate.c"

typedef __int128 wide;

/* X and its neighbours, within 64 bits. */
#define FOR_NEAR(x, center)                                                                        \
	for (wide x = (center)-1; x <= (wide)(center) + 1; x++)                                    \
		if (x >= INT64_MIN && x <= INT64_MAX)

/* The label of the row that X counts in: 0, or the power of two below or at it. */
static long plain_quantize(int64_t x)
{
	wide size = x < 0 ? -(wide)x : x, label = 1;
	long i = 0;
	for (; label <= size; label *= 2)
		i++;
	return QUANTIZE_ZERO + (x < 0 ? -i : i);
}

TEST(quantize)
{
	for (unsigned k = 0; k < 64; k++)
		for (int sign = -1; sign <= 1; sign++)
			FOR_NEAR(x, sign * ((wide)1 << k))
	CHECK_INT(rt_quantize_index((int64_t)x), plain_quantize((int64_t)x));
	CHECK_INT(rt_quantize_index(INT64_MIN), 0);
	CHECK_INT(rt_quantize_index(INT64_MAX), QUANTIZE_BUCKETS - 1);
}

TEST(lquantize)
{
	const int64_t bases[] = { 0, 1, -1, -5, 100, INT32_MIN, INT32_MAX - 100000 };
	const uint64_t steps[] = { 1, 2, 7, 1000, 65535 };
	const uint64_t levels[] = { 1, 2, 5, 1000 };
	for (unsigned i = 0; i < 7 * 5 * 4; i++) {
		int64_t base = bases[i % 7];
		uint64_t step = steps[i / 7 % 5], count = levels[i / 35];
		for (uint64_t level = 0; level <= count; level++) {
			int64_t from = base + (int64_t)(level * step);
			CHECK_INT(rt_lquantize_index(from - 1, base, step, count), level);
			CHECK_INT(rt_lquantize_index(from, base, step, count), level + 1);
		}
		CHECK_INT(rt_lquantize_index(INT64_MIN, base, step, count), 0);
		CHECK_INT(rt_lquantize_index(INT64_MAX, base, step, count), count + 1);
		/* neither half of 32 bits is sufficient */
		CHECK_INT(rt_lquantize_index(base + ((int64_t)1 << 32), base, step, count),
			  count + 1);
		CHECK_INT(rt_lquantize_index(base - ((int64_t)1 << 32), base, step, count), 0);
	}
}

/* Where the buckets of one side begin, the overflow bucket last; how many these are. */
static unsigned plain_bounds(const struct llquantize *ll, wide *bounds)
{
	unsigned n = 0;
	wide from = 1;
	for (unsigned m = 0; m <= ll->high; m++, from *= ll->factor) {
		if (m < ll->low)
			continue;
		wide width = from * ll->factor / ll->steps;
		width = width ? width : 1;
		bool from_zero = ll->steps < ll->factor; /* the bounds are multiples of the width */
		for (wide x = from; x < from * ll->factor;
		     x = from_zero ? (x / width + 1) * width : x + width)
			bounds[n++] = x;
	}
	bounds[n++] = from;
	return n;
}

static long llquantize_index(const struct llquantize *ll, wide x)
{
	uint64_t packed = (uint64_t)ll->factor | (uint64_t)ll->low << 16 |
			  (uint64_t)ll->high << 32 | (uint64_t)ll->steps << 48;
	return rt_llquantize_index((int64_t)x, packed, llquantize_power(ll->factor, ll->low),
				   llquantize_side(ll));
}

static void check_llquantize(const struct llquantize *ll)
{
	static wide bounds[4096];
	long side = plain_bounds(ll, bounds);
	CHECK_INT(llquantize_side(ll), side);
	CHECK_INT(llquantize_buckets(ll), 2 * side + 1);
	for (long i = 0; i < side; i++)
		FOR_NEAR(x, bounds[i])
		{
			long bucket = 0;
			while (bucket < side && bounds[bucket] <= x)
				bucket++;
			CHECK_INT(llquantize_index(ll, x), side + bucket);
			CHECK_INT(llquantize_index(ll, -x), side - bucket);
		}
	CHECK_INT(llquantize_index(ll, 0), side);
	wide size = -(wide)INT64_MIN;
	long last = bounds[side - 1] <= size ? side : side - 1;
	while (bounds[last - 1] > size)
		last--;
	CHECK_INT(llquantize_index(ll, INT64_MIN), side - last);
}

TEST(llquantize)
{
	static const struct llquantize list[] = {
		{ 10, 0, 6, 20 },  { 10, 1, 2, 10 },  { 10, 0, 2, 5 },	 { 10, 0, 18, 1 },
		{ 10, 18, 18, 2 }, { 10, 3, 18, 1 },  { 2, 0, 62, 2 },	 { 2, 0, 62, 1 },
		{ 2, 10, 20, 64 }, { 2, 5, 5, 1 },    { 3, 0, 38, 3 },	 { 6, 3, 5, 48 },
		{ 16, 0, 14, 16 }, { 100, 0, 8, 20 }, { 1000, 2, 5, 8 }, { 65535, 0, 2, 1 },
		{ 4, 0, 30, 64 },
	};
	for (unsigned i = 0; i < sizeof(list) / sizeof(*list); i++) {
		check_llquantize(&list[i]);
		if (test_failed_now) {
			printf("of %u %u %u %u\n", list[i].factor, list[i].low, list[i].high,
			       list[i].steps);
			return;
		}
	}
}

TEST(squares_of_128_bits)
{
	uint64_t words[4] = { 0 }, shared[4] = { 0 };
	unsigned __int128 squares = 0;
	uint64_t sum = 0;
	for (uint64_t i = 1; i <= 5000; i++) {
		int64_t x = (int64_t)((uint64_t)test_random() << 40 ^ test_random() << 17 ^
				      test_random());
		x = i % 100 == 0 ? INT64_MIN : i % 77 == 0 ? INT64_MAX : x >> test_random() % 64;
		rt_aggregate_stddev(words, x);
		rt_aggregate_stddev_shared(shared, x);
		sum += (uint64_t)x;
		squares += (unsigned __int128)((wide)x * x);
		CHECK_INT(words[0], i);
		CHECK(words[1] == sum);
		CHECK(words[2] == (uint64_t)squares && words[3] == (uint64_t)(squares >> 64));
		CHECK(!memcmp(shared, words, sizeof(words)));
	}
}

TEST(the_greatest_stays)
{
	uint64_t word = 0;
	rt_aggregate_max(&word, 5);
	rt_aggregate_max(&word, 3);
	CHECK_INT(word, 5);
	rt_aggregate_max(&word, UINT64_MAX);
	rt_aggregate_max(&word, 1);
	CHECK(word == UINT64_MAX);
}

TEST_MAIN
