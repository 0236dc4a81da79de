/* SPDX-License-Identifier: BSD-2-Clause */
/* packed_test - agghist, aggpack, aggpercpu, aggpercentiles */
#include "abi/llquantize.h"
#include "output/capture.h"
#include "test.h"

static const struct value_field text_key = { .kind = VALUE_STRING, .size = 16 };
static struct aggregation_layout layouts[2] = { { .name = "a", .key_count = 1, FAKE_KEY(16) },
						{ .name = "b",
						  .function = AGGREGATE_COUNT,
						  .keys = &text_key,
						  .key_count = 1,
						  FAKE_KEY(16),
						  .value_size = 8,
						  .map = 1 } };
static struct aggregation_layout *const layout = &layouts[0];
static struct map_layout maps[2] = {
	{ .key_size = 16, .max_entries = 32 },
	{ .key_size = 16, .value_size = 8, .max_entries = 32 },
};
static const uint32_t both[] = { 0, 1 };
static const struct action_layout printa_both[] = {
	{ .kind = ACTION_PRINTA, .flag = -1, .aggregations = both, .aggregation_count = 2 },
};
static const struct clause_layout clause = {
	.records = true, .fixed_size = 24, .actions = printa_both, .action_count = 1
};
static const struct program program = {
	.aggregations = layouts,
	.aggregation_count = 2,
	.maps = maps,
	.map_count = 2,
	.area_count = FAKE_CPUS,
	.cpu_count = FAKE_CPUS,
};

static void use(enum aggregate function, unsigned words)
{
	fake_reset();
	layout->function = function;
	layout->keys = &text_key;
	layout->value_size = maps[0].value_size = 8 * words;
	fake_maps[0].key_size = fake_maps[1].key_size = 16;
	fake_maps[0].value_bytes = layout->value_size * FAKE_CPUS;
	fake_maps[1].value_bytes = 8 * FAKE_CPUS;
}

/* The words of KEY's value on CPU. */
static uint64_t *value(const char *key, unsigned cpu)
{
	char bytes[16] = { 0 };
	strcpy(bytes, key);
	return fake_entry_of(0, bytes, cpu)->words + cpu * layout->value_size / 8;
}

/* The value of KEY in the other aggregation, a count. */
static uint64_t *other(const char *key)
{
	char bytes[16] = { 0 };
	strcpy(bytes, key);
	return fake_entry(1, bytes)->words;
}

/* The words of a key that begins with the number KEY. */
static uint64_t *value_at(const struct value_field *field, int64_t key)
{
	layout->keys = field;
	char bytes[16] = { 0 };
	memcpy(bytes, &key, sizeof(key));
	return fake_entry(0, bytes)->words;
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

TEST(agghist_of_what_is_not_positive)
{
	use(AGGREGATE_SUM, 1);
	value("down", 0)[0] = (uint64_t)-5;
	value("none", 0)[0] = 0;
	CHECK_STR(shown((struct output_options) { .agghist = true }),
		  "\n\n"
		  "              key  ------------- Distribution ------------- count    \n"
		  "             down @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -5       \n"
		  "             none                                         | 0        \n");
	value("up", 0)[0] = 15;
	CHECK_STR(shown((struct output_options) { .agghist = true }),
		  "\n\n"
		  "              key  ------------- Distribution ------------- count    \n"
		  "             down                @@@@@|                     -5       \n"
		  "             none                     |                     0        \n"
		  "               up                     |@@@@@@@@@@@@@@@      15       \n");
}

TEST(agghist_shows_what_avg_and_stddev_come_to)
{
	use(AGGREGATE_AVG, 2);
	memcpy(value("x", 0), (uint64_t[]) { 4, 40 }, 16);
	const char *text = shown((struct output_options) { .agghist = true });
	CHECK(strstr(text,
		     "                x |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 10       \n"));
	use(AGGREGATE_STDDEV, 4);
	memcpy(value("x", 0), (uint64_t[]) { 2, 0, 200, 0 }, 32);
	text = shown((struct output_options) { .agghist = true });
	CHECK(strstr(text,
		     "                x |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 10       \n"));
}

/* Keys are as wide as without packing, and the title is above the widest. */
TEST(agghist_with_keys_of_each_kind)
{
	static const struct {
		struct value_field field;
		int64_t key;
		const char *wanted;
	} cases[] = {
		{ { VALUE_INTEGER, .size = 1, .is_signed = true }, 0xff, " key\n 255 |" },
		{ { VALUE_INTEGER, .size = 2, .is_signed = true }, 0xfffe, "   key\n 65534 |" },
		{ { VALUE_INTEGER, .size = 4, .is_signed = true }, -2, "      key\n       -2 |" },
		{ { VALUE_INTEGER, .size = 8, .is_signed = true },
		  -2,
		  "              key\n               -2 |" },
		{ { VALUE_SYM, .size = 8 }, 0x77, "              key\n             0x77 |" },
		{ { VALUE_MOD, .size = 8 }, 0x77, "              key\n             0x77 |" },
	};
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		use(AGGREGATE_COUNT, 1);
		value_at(&cases[i].field, cases[i].key)[0] = 1;
		char text[8192];
		strcpy(text, shown((struct output_options) { .agghist = true }) + 2);
		char *title = strstr(text, "  ------------- D"), *rows = strchr(text, '\n');
		CHECK(title && rows);
		if (title && rows)
			memmove(title, rows, strlen(rows) + 1);
		rows = strchr(text, '|');
		if (rows)
			rows[1] = '\0';
		CHECK_STR(text, cases[i].wanted);
	}
}

TEST(keys_of_several_lines_are_not_packed)
{
	static const struct value_field stack = { VALUE_STACK, .size = 16 };
	static const struct value_field block = { VALUE_BYTES, .size = 16 };
	const struct output_options options = { .agghist = true, .aggpack = true };
	use(AGGREGATE_COUNT, 1);
	value_at(&stack, 0x77)[0] = 1;
	CHECK_STR(shown(options), "\n\n              0x77\n                1\n");
	use(AGGREGATE_COUNT, 1);
	value_at(&block, 1)[0] = 1;
	CHECK(!strstr(shown(options), "Distribution"));
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	value_at(&stack, 0x77)[QUANTIZE_ZERO] = 1;
	CHECK_STR(shown(options),
		  "\n\n              0x77\n"
		  "\n           value  ------------- Distribution ------------- count    \n"
		  "              -1 |                                         0        \n"
		  "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
		  "               1 |                                         0        \n\n");
}

/* What one printa() shows of both. */
static const char *shown_together(struct output_options options)
{
	static char text[8192];
	options.quiet = true;
	struct program with_clause = program;
	with_clause.clauses = &clause;
	with_clause.clause_count = 1;
	struct capture c = capture_new(&with_clause, NULL, options);
	struct record_header header = { .probe = 1 };
	capture_record(&c, 0, &header, sizeof(header));
	strcpy(text, capture_text(&c));
	capture_free(&c);
	return text;
}

TEST(several_aggregations_of_a_printa_are_not_packed)
{
	use(AGGREGATE_SUM, 1);
	value("x", 0)[0] = 2;
	other("x")[0] = 3;
	CHECK_STR(shown_together((struct output_options) { .agghist = true }),
		  "\n  x                                                                 2"
		  "                3\n");
}

TEST(each_aggregation_has_its_own_bars)
{
	use(AGGREGATE_SUM, 1);
	value("x", 0)[0] = 2;
	other("y")[0] = 3;
	CHECK_STR(shown((struct output_options) { .agghist = true }),
		  "\n\n"
		  "              key  ------------- Distribution ------------- count    \n"
		  "                x |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
		  "\n"
		  "              key  ------------- Distribution ------------- count    \n"
		  "                y |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n");
}

TEST(parts_of_cpus_are_not_packed)
{
	use(AGGREGATE_COUNT, 1);
	fake_per_cpu = true;
	value("x", 1)[0] = 3;
	CHECK_STR(shown((struct output_options) { .agghist = true }),
		  "\n  x                                                                 3"
		  "\n    [CPU 1]                3\n");
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

TEST(aggpack_of_linear_buckets)
{
	layout->base = 10;
	layout->step = 5;
	layout->levels = 4;
	use(AGGREGATE_LQUANTIZE, 6);
	memcpy(value("x", 0), (uint64_t[]) { 0, 0, 1, 0, 0, 0 }, 48);
	CHECK_STR(shown((struct output_options) { .aggpack = true }),
		  "\n\n"
		  "              key  min .---. max  | count\n"
		  "                x   10 : X : 20   | 1\n");
	/* At the edges there is no neighbour; below the least bound is the greatest value. */
	memcpy(value("x", 0), (uint64_t[]) { 1, 0, 0, 0, 0, 3 }, 48);
	CHECK_STR(shown((struct output_options) { .aggpack = true }),
		  "\n\n"
		  "              key  min .------. max  | count\n"
		  "                x    9 :x    x: 30   | 4\n");
}

/* Buckets are named as in a histogram: by their lower bound, llquantize's by that nearer to zero.
 */
TEST(aggpack_names_buckets_as_histograms_do)
{
	layout->base = -10;
	layout->step = 5;
	layout->levels = 4;
	use(AGGREGATE_LQUANTIZE, 6);
	value("x", 0)[2] = 6; /* -5 to -1, between -10 and 0 */
	CHECK(strstr(shown((struct output_options) { .aggpack = true }),
		     "                x  -10 : X : 0    | 6\n"));
	layout->ll = (struct llquantize) { 10, 1, 2, 10 };
	unsigned side = (unsigned)llquantize_side(&layout->ll);
	use(AGGREGATE_LLQUANTIZE, (unsigned)llquantize_buckets(&layout->ll));
	value("x", 0)[side - 1] = 6; /* -19 to -10, between -29 to -20 and the centre */
	CHECK(strstr(shown((struct output_options) { .aggpack = true }),
		     "                x  -20 : X : 0    | 6\n"));
}

TEST(aggpack_divides_the_count_only)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	value("x", 0)[QUANTIZE_ZERO] = 30;
	struct capture c = capture_new(&program, NULL, (struct output_options) { .aggpack = true });
	consumer_normalize(c.consumer, 0, 10);
	CHECK(!output_end(c.output, true));
	CHECK(strstr(capture_text(&c), "                x   -1 : X : 1    | 3\n"));
	capture_free(&c);
}

TEST(the_widest_key_is_not_the_last)
{
	static const struct value_field number = { VALUE_INTEGER, .size = 8, .is_signed = true };
	use(AGGREGATE_COUNT, 1);
	value_at(&number, INT64_MIN)[0] = 1;
	value_at(&number, 5)[0] = 3;
	CHECK_STR(shown((struct output_options) { .agghist = true }),
		  "\n\n"
		  "                  key  ------------- Distribution ------------- count    \n"
		  " -9223372036854775808 |@@@@@@@@@@                               1        \n"
		  "                    5 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
}

TEST(aggpack_of_nothing_and_of_one_in_many)
{
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	value("x", 0);
	CHECK_STR(shown((struct output_options) { .aggpack = true }),
		  "\n\n"
		  "              key  min .---. max  | count\n"
		  "                x   -1 :   : 1    | 0\n");
	value("x", 0)[QUANTIZE_ZERO] = 1;
	value("x", 0)[QUANTIZE_ZERO + 1] = 99;
	CHECK_STR(shown((struct output_options) { .aggpack = true, .utf8 = true }),
		  "\n\n"
		  "              key  min .----. max  | count\n"
		  "                x   -1 : \u2581\u2588 : 2    | 100\n");
}

TEST(aggpack_with_percentiles)
{
	two_histograms();
	struct output_options options = { .aggpack = true };
	CHECK(percentiles_parse("50,99.9", &options.percentiles));
	CHECK_STR(shown(options), "\n\n"
				  "              key  min .------. max  | count\n"
				  "             bash    0 : xx _ : 16   | 7  p50 2  p99.9 <= 15\n"
				  "             sshd    0 :  xx  : 16   | 6  p50 3  p99.9 <= 7\n");
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

TEST(each_cpu_of_a_histogram_and_of_an_average)
{
	use(AGGREGATE_AVG, 2);
	fake_per_cpu = true;
	memcpy(value("x", 0), (uint64_t[]) { 1, 10 }, 16);
	memcpy(value("x", 1), (uint64_t[]) { 3, 50 }, 16);
	CHECK_STR(shown((struct output_options) { 0 }),
		  "\n  x                                                                15"
		  "\n    [CPU 0]               10\n    [CPU 1]               16\n");
	use(AGGREGATE_QUANTIZE, QUANTIZE_BUCKETS);
	fake_per_cpu = true;
	value("x", 1)[QUANTIZE_ZERO] = 2;
	CHECK_STR(shown((struct output_options) { 0 }),
		  "\n  x                                                 "
		  "\n           value  ------------- Distribution ------------- count    "
		  "\n              -1 |                                         0        "
		  "\n               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        "
		  "\n               1 |                                         0        "
		  "\n\n    [CPU 1]"
		  "\n           value  ------------- Distribution ------------- count    "
		  "\n              -1 |                                         0        "
		  "\n               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        "
		  "\n               1 |                                         0        "
		  "\n\n");
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
		  "\n           p99.9 <= 63"
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
