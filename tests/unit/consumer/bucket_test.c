/* SPDX-License-Identifier: BSD-2-Clause */
/* bucket_test - bounds of buckets contain the values that the run-time library adds; percentiles */
#include "abi/llquantize.h"
#include "consumer/consumer.h"
#include "test.h"

static int64_t words[1024];
static struct aggregation_layout layout;
static struct bucket *buckets;
static unsigned count;

static void make(enum aggregate function)
{
	free(buckets);
	layout.function = function;
	struct aggregation_value v = { .layout = &layout, .words = words, .normal = 1 };
	buckets = histogram_buckets(&v, &count);
}

static void use(enum aggregate function)
{
	memset(words, 0, sizeof(words));
	make(function);
}

/* Each bucket begins where the one before ends. */
static bool has_no_gaps(void)
{
	for (unsigned i = 1; i < count; i++)
		if (buckets[i].has_least && buckets[i - 1].has_most &&
		    buckets[i].least != buckets[i - 1].most + 1)
			return false;
	return true;
}

TEST(quantize_bounds)
{
	use(AGGREGATE_QUANTIZE);
	CHECK(count == QUANTIZE_BUCKETS && has_no_gaps());
	CHECK(buckets[QUANTIZE_ZERO].least == 0 && buckets[QUANTIZE_ZERO].most == 0);
	CHECK(buckets[QUANTIZE_ZERO + 3].least == 4 && buckets[QUANTIZE_ZERO + 3].most == 7);
	CHECK(buckets[QUANTIZE_ZERO - 2].least == -3 && buckets[QUANTIZE_ZERO - 2].most == -2);
	CHECK(buckets[0].least == INT64_MIN && buckets[0].most == INT64_MIN);
	CHECK(buckets[127].most == INT64_MAX);
}

TEST(lquantize_bounds)
{
	layout = (struct aggregation_layout) { .base = -5, .step = 10, .levels = 3 };
	use(AGGREGATE_LQUANTIZE);
	CHECK(count == 5 && has_no_gaps());
	CHECK(!buckets[0].has_least && buckets[0].most == -6);
	CHECK(buckets[1].least == -5 && buckets[1].most == 4);
	CHECK(!buckets[4].has_most && buckets[4].least == 25);
}

TEST(llquantize_bounds_both_sides)
{
	layout = (struct aggregation_layout) { .ll = { 10, 1, 2, 10 } };
	use(AGGREGATE_LLQUANTIZE);
	unsigned centre = count / 2;
	CHECK(count == llquantize_buckets(&layout.ll) && has_no_gaps());
	CHECK(buckets[centre].least == -9 && buckets[centre].most == 9);
	CHECK(buckets[centre + 1].least == 10 && buckets[centre + 1].most == 19);
	CHECK(buckets[centre - 1].least == -19 && buckets[centre - 1].most == -10);
	CHECK(!buckets[count - 1].has_most && buckets[count - 1].least == 1000);
	CHECK(!buckets[0].has_least && buckets[0].most == -1000);
}

/* Magnitudes may end beyond the greatest number. */
TEST(llquantize_bounds_beyond_all_numbers)
{
	const int64_t e18 = 1000000000000000000;
	layout = (struct aggregation_layout) { .ll = { 10, 17, 18, 1 } };
	use(AGGREGATE_LLQUANTIZE);
	CHECK_INT(count, 7);
	CHECK(buckets[4].least == e18 / 10 && buckets[4].most == e18 - 1);
	CHECK(buckets[5].least == e18 && buckets[5].most == INT64_MAX);
	CHECK(buckets[1].least == INT64_MIN && buckets[1].most == -e18);
	CHECK(buckets[6].least == INT64_MAX && buckets[0].most == INT64_MIN);
	layout = (struct aggregation_layout) { .ll = { 2, 61, 62, 1 } };
	use(AGGREGATE_LLQUANTIZE);
	CHECK_INT(count, 7);
	CHECK(buckets[5].least == (int64_t)1 << 62 && buckets[5].most == INT64_MAX);
	CHECK(buckets[1].least == -INT64_MAX && buckets[1].most == -((int64_t)1 << 62));
	CHECK(buckets[0].most == INT64_MIN); /* -2^63 is not less than -2^63 */
	layout = (struct aggregation_layout) { .ll = { 10, 18, 18, 20 } };
	use(AGGREGATE_LLQUANTIZE);
	unsigned centre = count / 2;
	CHECK(buckets[centre + 17].least == 9 * e18 && buckets[centre + 17].most == INT64_MAX);
	CHECK(buckets[centre + 18].least == INT64_MAX);
}

static int64_t percentile(double percent, enum percentile_kind kind)
{
	struct percentile p = histogram_percentile(buckets, count, percent);
	CHECK_INT(p.kind, kind);
	return p.value;
}

TEST(percentiles_stay_inside_their_bucket)
{
	memset(words, 0, sizeof(words));
	words[QUANTIZE_ZERO + 1 + 4] = 90;  /* 16 ... 31 */
	words[QUANTIZE_ZERO + 1 + 10] = 10; /* 1024 ... 2047 */
	make(AGGREGATE_QUANTIZE);
	CHECK(percentile(0, PERCENTILE_VALUE) == 16);
	CHECK(percentile(45, PERCENTILE_VALUE) == 24); /* half of the first bucket's values */
	CHECK(percentile(90, PERCENTILE_VALUE) == 31);
	words[QUANTIZE_ZERO + 1 + 12] = 1;
	make(AGGREGATE_QUANTIZE);
	CHECK(percentile(95, PERCENTILE_VALUE) == 1633);
}

/* 0 ... 99: of 64 ... 127 only the bounds are known. */
TEST(percentiles_are_never_above_the_maximum)
{
	memset(words, 0, sizeof(words));
	words[QUANTIZE_ZERO] = 1;
	for (int i = 0; i < 6; i++)
		words[QUANTIZE_ZERO + 1 + i] = 1 << i;
	words[QUANTIZE_ZERO + 1 + 6] = 36;
	make(AGGREGATE_QUANTIZE);
	CHECK(percentile(50, PERCENTILE_VALUE) == 50);
	CHECK(percentile(64, PERCENTILE_VALUE) == 63);
	CHECK(percentile(65, PERCENTILE_AT_MOST) == 127);
	CHECK(percentile(99, PERCENTILE_AT_MOST) == 127);
	layout = (struct aggregation_layout) { .base = 0, .step = 1, .levels = 3 };
	memset(words, 0, sizeof(words));
	words[2] = 1;
	make(AGGREGATE_LQUANTIZE);
	CHECK(percentile(99, PERCENTILE_VALUE) == 1); /* the bucket has one number */
}

TEST(percentiles_of_open_buckets_are_their_bound)
{
	layout = (struct aggregation_layout) { .base = 0, .step = 10, .levels = 3 };
	memset(words, 0, sizeof(words));
	words[0] = 1;
	words[4] = 1;
	make(AGGREGATE_LQUANTIZE);
	CHECK(percentile(50, PERCENTILE_AT_MOST) == -1);
	CHECK(percentile(51, PERCENTILE_AT_LEAST) == 30);
}

TEST(percentiles_of_the_centre)
{
	layout = (struct aggregation_layout) { .ll = { 10, 1, 2, 10 } };
	memset(words, 0, sizeof(words));
	unsigned centre = (unsigned)llquantize_buckets(&layout.ll) / 2;
	words[centre] = 4;
	make(AGGREGATE_LLQUANTIZE);
	CHECK(percentile(50, PERCENTILE_AT_MOST) == 9);
	words[centre - 1] = 4;
	make(AGGREGATE_LLQUANTIZE);
	CHECK(percentile(50, PERCENTILE_VALUE) == -10);
	CHECK(percentile(75, PERCENTILE_AT_MOST) == 9);
}

TEST(percentiles_need_values_that_count_up)
{
	use(AGGREGATE_QUANTIZE);
	percentile(50, PERCENTILE_UNKNOWN);
	words[70] = 3;
	words[71] = -1;
	make(AGGREGATE_QUANTIZE);
	percentile(50, PERCENTILE_UNKNOWN);
	free(buckets);
	buckets = NULL;
}

TEST_MAIN
