/* SPDX-License-Identifier: BSD-2-Clause */
/* histogram_test - the layouts of the three kinds of histograms */
#include "abi/llquantize.h"
#include "output/capture.h"
#include "test.h"

#define HEADER "           value  ------------- Distribution ------------- count    \n"

static struct aggregation_layout layout = { .name = "h", .map = -1 };
static const struct clause_layout clearing = FAKE_CLEARING(1);
static const struct program program = {
	.clauses = &clearing,
	.clause_count = 1,
	.aggregations = &layout,
	.aggregation_count = 1,
	.keyless_size = 16384,
	.area_count = 1,
	.cpu_count = 1,
};
static int64_t words[2048];

static void use(enum aggregate function, unsigned count)
{
	fake_reset();
	layout.function = function;
	layout.value_size = 8 * count;
	memset(words, 0, sizeof(words));
}

/* The output at the end of tracing, without its first newline and that of the row. */
static const char *shown(struct output_options options, bool cleared, uint64_t normal)
{
	static char text[16384];
	struct capture c = capture_new(&program, words, options);
	if (cleared)
		CHECK(!consumer_clear(c.consumer, 0));
	consumer_normalize(c.consumer, 0, normal);
	CHECK(!output_end(c.output, true));
	const char *all = capture_text(&c);
	CHECK(strncmp(all, "\n\n", 2) == 0);
	strcpy(text, all + 2);
	CHECK(strcmp(text + strlen(text) - 2, "\n\n") == 0);
	text[strlen(text) - 1] = '\0';
	capture_free(&c);
	return text;
}

static const char *plain(void)
{
	return shown((struct output_options) { 0 }, false, 1);
}

static void quantize(int64_t x, int64_t weight)
{
	int bucket = QUANTIZE_ZERO;
	uint64_t size = x < 0 ? -(uint64_t)x : (uint64_t)x;
	if (x)
		bucket += (x < 0 ? -1 : 1) * (64 - __builtin_clzll(size));
	words[bucket] += weight;
}

static void quantize_all(const int64_t *values, unsigned count)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	for (unsigned i = 0; i < count; i++)
		quantize(values[i], 1);
}

static const int64_t nine_values[] = { 0, 1, 3, 3, 5, 7, 9, 12, 100 };

TEST(quantize_positive)
{
	quantize_all(nine_values, 9);
	CHECK_STR(plain(),
		  HEADER "              -1 |                                         0        \n"
			 "               0 |@@@@                                     1        \n"
			 "               1 |@@@@                                     1        \n"
			 "               2 |@@@@@@@@@                                2        \n"
			 "               4 |@@@@@@@@@                                2        \n"
			 "               8 |@@@@@@@@@                                2        \n"
			 "              16 |                                         0        \n"
			 "              32 |                                         0        \n"
			 "              64 |@@@@                                     1        \n"
			 "             128 |                                         0        \n");
}

TEST(quantize_zoomed)
{
	quantize_all(nine_values, 9);
	CHECK_STR(shown((struct output_options) { .aggzoom = true }, false, 1),
		  HEADER "              -1 |                                         0        \n"
			 "               0 |@@@@@@@@@@@@@@@@@@@                      1        \n"
			 "               1 |@@@@@@@@@@@@@@@@@@@                      1        \n"
			 "               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        \n"
			 "               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        \n"
			 "               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   2        \n"
			 "              16 |                                         0        \n"
			 "              32 |                                         0        \n"
			 "              64 |@@@@@@@@@@@@@@@@@@@                      1        \n"
			 "             128 |                                         0        \n");
}

TEST(quantize_negative_values)
{
	quantize_all((const int64_t[]) { -3, -1, 0, 2 }, 4);
	CHECK_STR(plain(),
		  HEADER "              -4 |                                         0        \n"
			 "              -2 |@@@@@@@@@@                               1        \n"
			 "              -1 |@@@@@@@@@@                               1        \n"
			 "               0 |@@@@@@@@@@                               1        \n"
			 "               1 |                                         0        \n"
			 "               2 |@@@@@@@@@@                               1        \n"
			 "               4 |                                         0        \n");
}

TEST(quantize_mixed_weights)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	quantize(1, -5);
	quantize(4, 5);
	CHECK_STR(plain(),
		  HEADER "               0                     |                     0        \n"
			 "               1           @@@@@@@@@@|                     -5       \n"
			 "               2                     |                     0        \n"
			 "               4                     |@@@@@@@@@@           5        \n"
			 "               8                     |                     0        \n");
}

TEST(quantize_negative_weights)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	quantize(1, -5);
	CHECK_STR(plain(),
		  HEADER "               0                                         | 0        \n"
			 "               1 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -5       \n"
			 "               2                                         | 0        \n");
}

TEST(quantize_cleared)
{
	quantize_all(nine_values, 9);
	CHECK_STR(shown((struct output_options) { 0 }, true, 1),
		  HEADER "              -1 |                                         0        \n"
			 "               0 |                                         0        \n"
			 "               1 |                                         0        \n");
}

TEST(quantize_normalized_at_the_edges)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	quantize(INT64_MIN, 9);
	CHECK_STR(shown((struct output_options) { 0 }, false, 4), HEADER
		  "-9223372036854775808 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
		  "-4611686018427387904 |                                         0        \n");
}

static void use_lquantize(void)
{
	layout.base = 0;
	layout.step = 10;
	layout.levels = 5;
	use(AGGREGATE_LQUANTIZE, 7);
}

TEST(lquantize_examples)
{
	use_lquantize();
	const int64_t counts[] = { 1, 2, 2, 1, 0, 1, 2 };
	memcpy(words, counts, sizeof(counts));
	CHECK_STR(plain(),
		  HEADER "             < 0 |@@@@                                     1        \n"
			 "               0 |@@@@@@@@@                                2        \n"
			 "              10 |@@@@@@@@@                                2        \n"
			 "              20 |@@@@                                     1        \n"
			 "              30 |                                         0        \n"
			 "              40 |@@@@                                     1        \n"
			 "           >= 50 |@@@@@@@@@                                2        \n");
	use_lquantize();
	words[2] = 2;
	CHECK_STR(plain(),
		  HEADER "               0 |                                         0        \n"
			 "              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
			 "              20 |                                         0        \n");
	CHECK_STR(shown((struct output_options) { 0 }, true, 1),
		  HEADER "             < 0 |                                         0        \n"
			 "               0 |                                         0        \n"
			 "              10 |                                         0        \n");
}

TEST(lquantize_at_its_edges)
{
	use_lquantize();
	words[0] = 3; /* nothing is printed before the first bucket */
	CHECK_STR(plain(),
		  HEADER "             < 0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n"
			 "               0 |                                         0        \n");
	use_lquantize();
	words[6] = 3; /* nor after the last */
	CHECK_STR(plain(),
		  HEADER "              40 |                                         0        \n"
			 "           >= 50 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n");
	layout.base = -7;
	layout.step = 3;
	layout.levels = 1; /* one bucket between both */
	use(AGGREGATE_LQUANTIZE, 3);
	words[0] = -1;
	words[1] = 2;
	words[2] = -1;
	CHECK_STR(plain(),
		  HEADER "            < -7                @@@@@|                     -1       \n"
			 "              -7                     |@@@@@@@@@@           2        \n"
			 "           >= -4                @@@@@|                     -1       \n");
	CHECK_STR(shown((struct output_options) { 0 }, true, 1),
		  HEADER "            < -7 |                                         0        \n"
			 "              -7 |                                         0        \n"
			 "           >= -4 |                                         0        \n");
}

TEST(bars_are_zoomed_by_the_greatest_of_either_sign)
{
	use_lquantize();
	words[1] = -1;
	words[2] = 4;
	CHECK_STR(shown((struct output_options) { .aggzoom = true }, false, 1),
		  HEADER "             < 0                     |                     0        \n"
			 "               0                @@@@@|                     -1       \n"
			 "              10                     |@@@@@@@@@@@@@@@@@@@  4        \n"
			 "              20                     |                     0        \n");
	use_lquantize();
	words[1] = -1;
	CHECK_STR(shown((struct output_options) { .aggzoom = true }, false, 1),
		  HEADER "             < 0                                         | 0        \n"
			 "               0   @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -1       \n"
			 "              10                                         | 0        \n");
}

/* A bar is rounded to the nearest column: 1 of 80 is half a column, which counts as one. */
TEST(bars_are_rounded)
{
	use_lquantize();
	words[1] = 1;
	words[2] = 79;
	CHECK_STR(plain(),
		  HEADER "             < 0 |                                         0        \n"
			 "               0 |@                                        1        \n"
			 "              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 79       \n"
			 "              20 |                                         0        \n");
	words[2] = 80;
	CHECK(strstr(plain(),
		     "               0 |                                         1        \n"));
}

static void use_llquantize(uint16_t factor, uint16_t low, uint16_t high, uint16_t steps)
{
	layout.ll = (struct llquantize) { factor, low, high, steps };
	use(AGGREGATE_LLQUANTIZE, (unsigned)llquantize_buckets(&layout.ll));
}

/* The bucket whose lower bound is BOUND, on the positive side. */
static int64_t *bucket(uint64_t bound)
{
	unsigned count, i = 0;
	uint64_t limit;
	uint64_t *bounds = llquantize_bounds(&layout.ll, &count, &limit);
	while (i < count && bounds[i] != bound)
		i++;
	free(bounds);
	return &words[count + 1 + i + 1];
}

static const char spec_llquantize[] =
	HEADER "            < 10 |@@@@@@@@                                 1        \n"
	       "              10 |                                         0        \n"
	       "              20 |                                         0        \n"
	       "              30 |                                         0        \n"
	       "              40 |                                         0        \n"
	       "              50 |                                         0        \n"
	       "              60 |                                         0        \n"
	       "              70 |                                         0        \n"
	       "              80 |                                         0        \n"
	       "              90 |                                         0        \n"
	       "             100 |@@@@@@@@                                 1        \n"
	       "             200 |@@@@@@@@@@@@@@@@                         2        \n"
	       "             300 |                                         0        \n"
	       "             400 |                                         0        \n"
	       "             500 |                                         0        \n"
	       "             600 |                                         0        \n"
	       "             700 |                                         0        \n"
	       "             800 |                                         0        \n"
	       "             900 |@@@@@@@@                                 1        \n"
	       "         >= 1000 |                                         0        \n";

TEST(llquantize_positive)
{
	use_llquantize(10, 1, 2, 10);
	words[llquantize_side(&layout.ll)] = 1;
	*bucket(100) = 1;
	*bucket(200) = 2;
	*bucket(900) = 1;
	CHECK_STR(plain(), spec_llquantize);
}

TEST(llquantize_with_steps_below_one)
{
	use_llquantize(10, 0, 2, 20);
	words[llquantize_side(&layout.ll)] = 1;
	*bucket(1) = *bucket(5) = *bucket(15) = 1;
	*bucket(10) = 2;
	words[2 * llquantize_side(&layout.ll)] = 2;
	const char *text = plain();
	CHECK(strstr(text, HEADER
		     "             < 1 |@@@@@                                    1        \n"
		     "               1 |@@@@@                                    1        \n"
		     "               2 |                                         0        \n") ==
	      text);
	CHECK(strstr(text,
		     "              10 |@@@@@@@@@@                               2        \n"
		     "              15 |@@@@@                                    1        \n"
		     "              20 |                                         0        \n"
		     "              25 |                                         0        \n"
		     "              30 |                                         0        \n"));
	CHECK(strstr(text,
		     "             950 |                                         0        \n"
		     "         >= 1000 |@@@@@@@@@@                               2        \n"));
}

/* One bucket only, in each of the places there are. */
TEST(llquantize_of_one_bucket)
{
	static const struct {
		uint16_t low;
		int at; /* from the centre; 1000: the last */
		const char *rows;
	} cases[] = {
		{ 0, 0,
		  "             < 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n"
		  "               1 |                                         0        \n" },
		{ 1, 0,
		  "            < 10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n"
		  "              10 |                                         0        \n" },
		{ 0, 1,
		  "             < 1 |                                         0        \n"
		  "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n"
		  "               2 |                                         0        \n" },
		{ 0, -1,
		  "              -2 |                                         0        \n"
		  "              -1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n"
		  "               0 |                                         0        \n" },
		{ 1, -1,
		  "             -20 |                                         0        \n"
		  "             -10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n"
		  "      abs() < 10 |                                         0        \n" },
		{ 0, 1000,
		  "              90 |                                         0        \n"
		  "          >= 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n" },
		{ 0, -1000,
		  "         <= -100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n"
		  "             -90 |                                         0        \n" },
	};
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		use_llquantize(10, cases[i].low, 1, 10);
		int side = (int)llquantize_side(&layout.ll), at = cases[i].at;
		words[side + (at > side ? side : at < -side ? -side : at)] = 7;
		auto_free char *wanted = mem_printf("%s%s", HEADER, cases[i].rows);
		CHECK_STR(plain(), wanted);
	}
}

/* A single magnitude that is one bucket; negative weights; the values -N to N in addition. */
TEST(llquantize_of_the_smallest_kind)
{
	use_llquantize(2, 0, 0, 2);
	CHECK_INT(llquantize_side(&layout.ll), 2);
	words[2] = -4;
	CHECK_STR(plain(),
		  HEADER "             < 1 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -4       \n"
			 "               1                                         | 0        \n");
	words[0] = words[1] = words[3] = words[4] = 4;
	CHECK_STR(shown((struct output_options) { 0 }, false, 2),
		  HEADER "           <= -2                     |@@@@                 2        \n"
			 "              -1                     |@@@@                 2        \n"
			 "               0                 @@@@|                     -2       \n"
			 "               1                     |@@@@                 2        \n"
			 "            >= 2                     |@@@@                 2        \n");
}

TEST(llquantize_with_negative_values)
{
	use_llquantize(2, 0, 1, 4);
	/* bounds 1, 2, 3: magnitude 0 has [1, 2), magnitude 1 has [2, 3) and [3, 4) */
	int64_t *centre = words + llquantize_side(&layout.ll);
	centre[-1] = 1;
	centre[-4] = 1;
	centre[0] = 2;
	CHECK_STR(plain(),
		  HEADER "           <= -4 |@@@@@@@@@@                               1        \n"
			 "              -3 |                                         0        \n"
			 "              -2 |                                         0        \n"
			 "              -1 |@@@@@@@@@@                               1        \n"
			 "               0 |@@@@@@@@@@@@@@@@@@@@                     2        \n"
			 "               1 |                                         0        \n");
	CHECK_STR(shown((struct output_options) { 0 }, true, 1),
		  HEADER "             < 1 |                                         0        \n"
			 "               1 |                                         0        \n"
			 "               2 |                                         0        \n");
}

TEST_MAIN
