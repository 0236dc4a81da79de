/* SPDX-License-Identifier: BSD-2-Clause */
/* packed_test - agghist, aggpack, aggpercpu, aggpercentiles (spec/language-output.md 5.1, 5.6) */
#include "output/capture.h"
#include "test.h"

static const struct value_field text_key = { .kind = VALUE_STRING, .size = 16 };
static struct aggregation_layout layout = {
	.name = "a", .keys = &text_key, .key_count = 1, .key_size = 16
};
static struct map_layout map = { .key_size = 16, .max_entries = 32, .per_cpu = true };
static const struct program program = {
	.aggregations = &layout,
	.aggregation_count = 1,
	.maps = &map,
	.map_count = 1,
	.cpu_count = FAKE_CPUS,
};

static void use(enum aggregate function, unsigned words)
{
	fake_reset();
	layout.function = function;
	layout.value_size = map.value_size = 8 * words;
	fake_maps[0].key_size = 16;
	fake_maps[0].value_bytes = layout.value_size * FAKE_CPUS;
}

/* The words of KEY's value on CPU. */
static uint64_t *value(const char *key, unsigned cpu)
{
	char bytes[16] = { 0 };
	strcpy(bytes, key);
	return fake_entry(0, bytes)->words + cpu * layout.value_size / 8;
}

static const char *shown(struct output_options options)
{
	static char text[8192];
	struct capture c = capture_new(&program, NULL, options);
	CHECK(!output_end(c.output, true));
	strcpy(text, capture_text(&c));
	capture_free(&c);
	return text;
}

TEST(agghist_draws_the_numbers)
{
	use(AGGREGATE_SUM, 1);
	value("sshd", 0)[0] = 5;
	value("bash", 0)[0] = 4;
	value("bash", 1)[0] = 6;
	value("cc1", 1)[0] = 25;
	CHECK_STR(shown((struct output_options) { .agghist = true }),
		  "\n\n"
		  "              key  ------------- Distribution ------------- count    \n"
		  "             sshd |@@@@@                                    5        \n"
		  "             bash |@@@@@@@@@@                               10       \n"
		  "              cc1 |@@@@@@@@@@@@@@@@@@@@@@@@@                25       \n");
	CHECK_STR(shown((struct output_options) { .agghist = true, .aggzoom = true }),
		  "\n\n"
		  "              key  ------------- Distribution ------------- count    \n"
		  "             sshd |@@@@@@@@                                 5        \n"
		  "             bash |@@@@@@@@@@@@@@@                          10       \n"
		  "              cc1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   25       \n");
}

TEST(agghist_is_not_for_min_and_max)
{
	use(AGGREGATE_MAX, 1);
	value("x", 0)[0] = (uint64_t)INT64_MIN + 3;
	CHECK_STR(shown((struct output_options) { .agghist = true }),
		  "\n  x                                                                 3\n");
}

static void two_histograms(void)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	value("bash", 0)[QUANTIZE_ZERO + 1] = 3;
	value("bash", 1)[QUANTIZE_ZERO + 2] = 3;
	value("bash", 1)[QUANTIZE_ZERO + 4] = 1;
	value("sshd", 0)[QUANTIZE_ZERO + 2] = 3;
	value("sshd", 0)[QUANTIZE_ZERO + 3] = 3;
}

TEST(aggpack_has_a_line_for_each_key)
{
	two_histograms();
	CHECK_STR(shown((struct output_options) { .aggpack = true }),
		  "\n\n"
		  "              key  min .------. max  | count\n"
		  "             bash    0 : xx _ : 16   | 7\n"
		  "             sshd    0 :  xx  : 16   | 6\n");
	CHECK_STR(shown((struct output_options) { .aggpack = true, .utf8 = true }),
		  "\n\n"
		  "              key  min .------. max  | count\n"
		  "             bash    0 : ▄▄ ▂ : 16   | 7\n"
		  "             sshd    0 :  ▅▅  : 16   | 6\n");
}

TEST(aggpack_with_percentiles)
{
	two_histograms();
	struct output_options options = { .aggpack = true };
	CHECK(percentiles_parse("50,99.9", &options.percentiles));
	CHECK_STR(shown(options), "\n\n"
				  "              key  min .------. max  | count\n"
				  "             bash    0 : xx _ : 16   | 7  p50 2  p99.9 15\n"
				  "             sshd    0 :  xx  : 16   | 6  p50 3  p99.9 7\n");
}

TEST(aggpack_of_negative_weights)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	value("x", 0)[QUANTIZE_ZERO - 13] = (uint64_t)-7;
	value("x", 0)[QUANTIZE_ZERO - 12] = 1;
	CHECK_STR(shown((struct output_options) { .aggpack = true }),
		  "\n\n"
		  "              key   min .----. max   | count\n"
		  "                x -8192 : V_ : -1024 | -6\n");
}

TEST(each_cpu_under_the_merged_value)
{
	use(AGGREGATE_COUNT, 1);
	fake_per_cpu = true;
	value("x", 0)[0] = 3;
	value("x", 1)[0] = 4;
	value("y", 1)[0] = 8;
	CHECK_STR(shown((struct output_options) { 0 }),
		  "\n  x                                                                 7"
		  "\n    [CPU 0]                3\n    [CPU 1]                4"
		  "\n  y                                                                 8"
		  "\n    [CPU 1]                8\n");
}

TEST(percentiles_under_a_histogram)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	value("x", 0)[QUANTIZE_ZERO + 5] = 90;
	value("x", 1)[QUANTIZE_ZERO + 6] = 10;
	struct output_options options = { 0 };
	CHECK(percentiles_parse("50,90,99.9", &options.percentiles));
	CHECK_STR(shown(options),
		  "\n  x                                                 "
		  "\n           value  ------------- Distribution ------------- count    "
		  "\n               8 |                                         0        "
		  "\n              16 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@     90       "
		  "\n              32 |@@@@                                     10       "
		  "\n              64 |                                         0        "
		  "\n             p50 24"
		  "\n             p90 31"
		  "\n           p99.9 63"
		  "\n\n");
	value("x", 0)[QUANTIZE_ZERO + 5] = (uint64_t)-1;
	CHECK(strstr(shown(options), "             p50 -\n"));
}

TEST(percentiles_as_written)
{
	struct percentiles list;
	CHECK(percentiles_parse("0,100", &list) && list.count == 2 && list.items[1] == 100);
	CHECK(!percentiles_parse("", &list));
	CHECK(!percentiles_parse("50,", &list));
	CHECK(!percentiles_parse("101", &list));
	CHECK(!percentiles_parse("-1", &list));
	CHECK(!percentiles_parse("nan", &list));
	CHECK(!percentiles_parse("50;90", &list));
	CHECK(!percentiles_parse("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", &list));
}

TEST_MAIN
