/* SPDX-License-Identifier: BSD-2-Clause */
/* printf_test - conversions, and printa in both forms */
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <time.h>

#include "output/capture.h"
#include "test.h"

struct sample {
	struct record_header header;
	int64_t number;
	uint64_t same; /* unsigned */
	int32_t width;
	uint32_t unsigned_int;
	double real;
	struct record_ref text;
	char tail[16];
	float single;
	long double wide;
};

#define AT(member) .offset = offsetof(struct sample, member)

static const struct value_field signed_long = { VALUE_INTEGER, AT(number), .size = 8,
						.is_signed = true };
static const struct value_field unsigned_long = { VALUE_INTEGER, AT(same), .size = 8 };
static const struct value_field unsigned_int = { VALUE_INTEGER, AT(unsigned_int), .size = 4 };
static const struct value_field width_field = { VALUE_INTEGER, AT(width), .size = 4,
						.is_signed = true };
static const struct value_field low_byte = { VALUE_INTEGER, AT(number), .size = 1,
					     .is_signed = true };
static const struct value_field real = { VALUE_FLOAT, AT(real), .size = 8 };
static const struct value_field single = { VALUE_FLOAT, AT(single), .size = 4 };
static const struct value_field wide = { VALUE_FLOAT, AT(wide), .size = sizeof(long double) };
static const struct value_field text = { VALUE_STRING, AT(text), .size = 8 };
static const struct value_field stack = { VALUE_STACK, AT(text), .size = 8 };
static const struct value_field function = { VALUE_PROBE_FUNCTION };

static struct sample sample;

/* What printf(FORMAT, FIELDS ...) prints for `sample`. */
static const char *print(const char *format, unsigned count, const struct value_field **list)
{
	static char result[512];
	struct value_field fields[4];
	for (unsigned i = 0; i < count; i++)
		fields[i] = *list[i];
	struct action_layout action = { .kind = ACTION_PRINTF,
					.flag = -1,
					.format = format,
					.fields = fields,
					.field_count = count };
	struct clause_layout clause = {
		.records = true, .fixed_size = sizeof(sample), .actions = &action, .action_count = 1
	};
	struct program program = {
		.clauses = &clause, .clause_count = 1, .area_count = 1, .cpu_count = 1
	};
	fake_reset();
	struct capture c = capture_new(&program, NULL, (struct output_options) { .quiet = true });
	if (c.output) {
		sample.header = (struct record_header) { .probe = 4 };
		capture_record(&c, 0, &sample, sizeof(sample));
		strcpy(result, capture_text(&c));
	}
	capture_free(&c);
	return result;
}
#define PRINT(format, ...)                                                                         \
	print(format, sizeof((const struct value_field *[]) { __VA_ARGS__ }) / sizeof(void *),     \
	      (const struct value_field *[]) { __VA_ARGS__ })

TEST(integers)
{
	sample = (struct sample) { .number = -5, .same = UINT64_MAX, .width = 6 };
	CHECK_STR(PRINT("[%d]", &signed_long), "[-5]");
	CHECK_STR(PRINT("[%d] 100%%", &unsigned_long), "[18446744073709551615] 100%");
	CHECK_STR(
		PRINT("%6d|%-6d|%06d|%+d", &signed_long, &signed_long, &signed_long, &width_field),
		"    -5|-5    |-00005|+6");
	CHECK_STR(PRINT("%*d|", &width_field, &signed_long), "    -5|");
	sample.width = -6;
	CHECK_STR(PRINT("%*d|", &width_field, &signed_long), "-5    |");
	CHECK_STR(PRINT("%x %u", &low_byte, &low_byte), "fb 251");
	CHECK_STR(PRINT("%lx %#llx", &signed_long, &unsigned_long),
		  "fffffffffffffffb 0xffffffffffffffff");
	sample.number = 0x2a;
	CHECK_STR(PRINT("%p %#p %?x|", &signed_long, &signed_long, &signed_long),
		  "2a 0x2a               2a|");
	CHECK_STR(PRINT("%c%C%.3d", &low_byte, &low_byte, &signed_long), "**042");
	sample.number = '\n';
	CHECK_STR(PRINT("%C", &low_byte), "\\n");
	sample.real = 1.5;
	CHECK_STR(PRINT("%6.2f|%g", &real, &real), "  1.50|1.5");
}

/* --- as C does ---------------------------------------------------------------------------- */

/* A spec of these flags (bits), "%+08.3" or so; false: C and D differ by intention (0 with -). */
static bool spec_of(unsigned flags, const char *width, const char *precision, char *spec)
{
	static const char letters[] = "#0-+ ";
	if ((flags & 6) == 6)
		return false;
	*spec++ = '%';
	for (unsigned i = 0; i < 5; i++)
		if (flags & 1u << i)
			*spec++ = letters[i];
	sprintf(spec, "%s%s", width, precision);
	return true;
}

typedef void with_spec_fn(const char *spec, char letter);

static void with_each_spec(const char *letters, with_spec_fn *fn)
{
	static const char *const widths[] = { "", "3", "14" }, *const precisions[] = { "", ".0",
										       ".5" };
	char spec[32];
	for (unsigned flags = 0; flags < 32; flags++)
		for (unsigned w = 0; w < ARRAY_SIZE(widths); w++)
			for (unsigned p = 0; p < ARRAY_SIZE(precisions); p++)
				for (const char *letter = letters; *letter; letter++)
					if (spec_of(flags, widths[w], precisions[p], spec))
						fn(spec, *letter);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void compare_integer(const char *spec, char letter)
{
	char d[40], c[40], wanted[80];
	sprintf(d, "[%s%c]", spec, letter);
	sprintf(c, "[%sl%c]", spec, letter);
	sprintf(wanted, c, (long)sample.number);
	CHECK_STR(PRINT(d, &signed_long), wanted);
	sprintf(c, "[%s%c]", spec, letter);
	bool is_decimal = letter == 'd' || letter == 'i'; /* follow the type */
	if (is_decimal)
		c[strlen(c) - 2] = 'u';
	sprintf(wanted, c, sample.unsigned_int);
	CHECK_STR(PRINT(d, &unsigned_int), wanted);
}

static void compare_real(const char *spec, char letter)
{
	char d[40], c[40], wanted[80];
	sprintf(d, "[%s%c]", spec, letter);
	sprintf(wanted, d, sample.real);
	CHECK_STR(PRINT(d, &real), wanted);
	sprintf(wanted, d, (double)sample.single);
	CHECK_STR(PRINT(d, &single), wanted);
	sprintf(c, "[%sL%c]", spec, letter);
	sprintf(wanted, c, sample.wide);
	CHECK_STR(PRINT(c, &wide), wanted);
}
#pragma GCC diagnostic pop

TEST(flags_widths_and_precisions_of_integers)
{
	const int64_t numbers[] = { 0, 42, -42, INT64_MIN };
	for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++) {
		sample = (struct sample) { .number = numbers[i],
					   .unsigned_int = (uint32_t)numbers[i] };
		with_each_spec("diouxX", compare_integer);
	}
}

TEST(flags_widths_and_precisions_of_reals)
{
	const double numbers[] = { 0, 2.5, -1234.5678, 1e300 * 1e10 };
	for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++) {
		sample = (struct sample) { .real = numbers[i],
					   .single = (float)numbers[i],
					   .wide = (long double)numbers[i] * 3 };
		with_each_spec("eEfgG", compare_real);
	}
}

TEST(pointers_have_digits_only_unless_asked)
{
	sample = (struct sample) { .number = 0xabc };
	CHECK_STR(PRINT("%p|%8p|%-8p|%08p", &signed_long, &signed_long, &signed_long, &signed_long),
		  "abc|     abc|abc     |00000abc");
	CHECK_STR(
		PRINT("%#p|%#?p|%-?p|%0?p", &signed_long, &signed_long, &signed_long, &signed_long),
		"0xabc|           0xabc|abc             |0000000000000abc");
	CHECK_STR(PRINT("%?d|%-?d|%?d|", &signed_long, &signed_long, &signed_long),
		  "            2748|2748            |            2748|");
}

TEST(stars_take_an_argument_each)
{
	sample = (struct sample) { .number = 7, .width = 4, .real = 1.25 };
	CHECK_STR(PRINT("[%*d]", &width_field, &signed_long), "[   7]");
	CHECK_STR(PRINT("[%-*d]", &width_field, &signed_long), "[7   ]");
	CHECK_STR(PRINT("[%.*d]", &width_field, &signed_long), "[0007]");
	CHECK_STR(PRINT("[%*.*f]", &width_field, &width_field, &real), "[1.2500]");
	sample.width = -4; /* as a width to the left, as a precision none */
	CHECK_STR(PRINT("[%*d]", &width_field, &signed_long), "[7   ]");
	CHECK_STR(PRINT("[%-*d]", &width_field, &signed_long), "[7   ]");
	CHECK_STR(PRINT("[%.*f]", &width_field, &real), "[1.250000]");
	sample.width = 0;
	CHECK_STR(PRINT("[%*d]", &width_field, &signed_long), "[7]");
}

TEST(characters)
{
	sample = (struct sample) { .number = 'a' };
	CHECK_STR(PRINT("[%c|%3c|%-3c|%.0c]", &low_byte, &low_byte, &low_byte, &low_byte),
		  "[a|  a|a  |a]");
	static const struct {
		char code;
		const char *text;
	} cases[] = {
		{ 0, "\\0" },	 { '\a', "\\a" },  { '\b', "\\b" }, { '\t', "\\t" },
		{ '\n', "\\n" }, { '\v', "\\v" },  { '\f', "\\f" }, { '\r', "\\r" },
		{ 27, "\\033" }, { 127, "\\177" }, { -1, "\\377" }, { '~', "~" },
		{ ' ', " " },	 { '\\', "\\\\" }, { '"', "\\\"" },
	};
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		sample.number = cases[i].code;
		CHECK_STR(PRINT("%C", &low_byte), cases[i].text);
	}
	sample.number = '\n';
	CHECK_STR(PRINT("[%4C|%-4C|%c]", &low_byte, &low_byte, &low_byte), "[  \\n|\\n  |\n]");
	sample.width = 0x20ac;
	CHECK_STR(PRINT("%wc %lc", &width_field, &width_field), "\u20ac \u20ac");
	sample.width = 0x1f600;
	CHECK_STR(PRINT("%wc", &width_field), "\U0001f600");
	sample.width = 0xe9;
	CHECK_STR(PRINT("%wc", &width_field), "\u00e9");
}

TEST(strings_end_at_their_nul)
{
	sample = (struct sample) { .tail = "ab\0cd" };
	const struct value_field block = { VALUE_BYTES, AT(tail), .size = 5 };
	CHECK_STR(PRINT("[%s|%5s|%-5s|%.1s]", &block, &block, &block, &block),
		  "[ab|   ab|ab   |a]");
	memcpy(sample.tail, "\x01\0\0\0\xac\x20\0\0y\0\0\0z\0\0\0", 16);
	const struct value_field letters = { VALUE_BYTES, AT(tail), .size = 16 };
	CHECK_STR(PRINT("[%ws|%.2ls|%-5.2ws]", &letters, &letters, &letters),
		  "[\x01\u20acyz|\x01\u20ac|\x01\u20ac   ]");
	memset(sample.tail + 8, 0, 4);
	CHECK_STR(PRINT("[%ws]", &letters), "[\x01\u20ac]");
	memcpy(sample.tail, "a\nb", 4);
	CHECK_STR(PRINT("[%6S|%-6S|%.3S]", &block, &block, &block), "[  a\\nb|a\\nb  |a\\n]");
}

TEST(strings)
{
	sample = (struct sample) { .text = { offsetof(struct sample, tail), 5 }, .tail = "a\tbcd" };
	CHECK_STR(PRINT("<%s> %s", &text, &function), "<a\tbcd> vfs_read");
	CHECK_STR(PRINT("<%8s> <%-8s> <%.2s>", &text, &text, &text),
		  "<   a\tbcd> <a\tbcd   > <a\t>");
	CHECK_STR(PRINT("%S", &text), "a\\tbcd");
	CHECK_STR(PRINT("%10s|", &function), "  vfs_read|");
}

TEST(times_and_addresses)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	sample = (struct sample) { .number = 123787200000000000,
				   .text = { offsetof(struct sample, tail), 8 } };
	CHECK_STR(PRINT("%Y", &signed_long), "1973 Dec  3 17:20:00");
	CHECK_STR(PRINT("%T", &signed_long), "Mon, 03 Dec 1973 17:20:00 UTC");
	CHECK_STR(PRINT("[%22Y|%-22Y]", &signed_long, &signed_long),
		  "[  1973 Dec  3 17:20:00|1973 Dec  3 17:20:00  ]");
	sample.number = 1735560000000000000; /* Monday of a week that is the next year's first */
	CHECK_STR(PRINT("%T|%Y", &signed_long, &signed_long),
		  "Mon, 30 Dec 2024 12:00:00 UTC|2024 Dec 30 12:00:00");
	setenv("TZ", "ABC-5", 1);
	tzset();
	CHECK_STR(PRINT("%T|%Y", &signed_long, &signed_long),
		  "Mon, 30 Dec 2024 17:00:00 ABC|2024 Dec 30 17:00:00");
	setenv("TZ", "UTC0", 1);
	tzset();
	sample.number = 0x1234;
	CHECK_STR(PRINT("%a|%10a|%-10A|", &signed_long, &signed_long, &signed_long),
		  "0x1234|    0x1234|0x1234    |");
	memcpy(sample.tail, &(uint64_t) { 0x77 }, 8);
	CHECK_STR(PRINT("%k.", &stack), "\n0x77\n.");
	CHECK_STR(PRINT("%-3k%10k", &stack, &stack), "\n   0x77\n\n      0x77\n");
}

TEST(ports_are_named_where_they_have_a_name)
{
	const struct value_field port = { VALUE_INTEGER, AT(number), .size = 2, .is_signed = true };
	sample = (struct sample) { .number = 65001 }; /* in the range that is never assigned */
	CHECK_STR(PRINT("[%P|%8P|%-8P]", &port, &port, &port), "[65001|   65001|65001   ]");
	const struct servent *ssh = getservbyport(htons(22), NULL);
	sample.number = 22;
	CHECK_STR(PRINT("%P", &port), ssh ? ssh->s_name : "22");
}

/* --- printa ------------------------------------------------------------------------------ */

static const struct value_field keys[] = {
	{ VALUE_INTEGER, .offset = 0, .size = 4, .is_signed = true },
	{ VALUE_STRING, .offset = 8, .size = 16 },
};
static const struct value_field one_key = { VALUE_INTEGER, .offset = 0, .size = 8,
					    .is_signed = true };
enum { BY_PID, COUNTS, SUMS };
static const struct aggregation_layout aggregations[] = {
	{ .name = "pids",
	  .function = AGGREGATE_COUNT,
	  .keys = keys,
	  .key_count = 2,
	  FAKE_KEY(24),
	  .value_size = 8,
	  .map = 0 },
	{ .name = "counts",
	  .function = AGGREGATE_COUNT,
	  .keys = &one_key,
	  .key_count = 1,
	  FAKE_KEY(8),
	  .value_size = 8,
	  .map = 1 },
	{ .name = "sums",
	  .function = AGGREGATE_SUM,
	  .keys = &one_key,
	  .key_count = 1,
	  FAKE_KEY(8),
	  .value_size = 8,
	  .map = 2 },
};
static const struct map_layout maps[] = {
	{ .key_size = 24, .value_size = 8, .max_entries = 32 },
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
};
static const uint32_t pids[] = { BY_PID }, both[] = { COUNTS, SUMS };
static const struct action_layout printas[] = {
	{ .kind = ACTION_PRINTA, .flag = -1, .aggregations = pids, .aggregation_count = 1 },
	{ .kind = ACTION_PRINTA, .flag = -1, .aggregations = both, .aggregation_count = 2 },
	{ .kind = ACTION_PRINTA,
	  .flag = -1,
	  .aggregations = both,
	  .aggregation_count = 2,
	  .format = "%5d: %@d %@5d %@x\n" },
	{ .kind = ACTION_CLEAR, .flag = -1, .aggregations = pids, .aggregation_count = 1 },
};
static const struct clause_layout printa_clauses[] = {
	{ .records = true, .fixed_size = 24, .actions = &printas[0], .action_count = 1 },
	{ .records = true, .fixed_size = 24, .actions = &printas[1], .action_count = 1 },
	{ .records = true, .fixed_size = 24, .actions = &printas[2], .action_count = 1 },
	{ .records = true, .fixed_size = 24, .actions = &printas[3], .action_count = 1 },
};
static const struct program printa_program = {
	.clauses = printa_clauses,
	.clause_count = 4,
	.aggregations = aggregations,
	.aggregation_count = 3,
	.maps = maps,
	.map_count = 3,
	.area_count = FAKE_CPUS,
	.cpu_count = FAKE_CPUS,
};

static struct capture start_printa(void)
{
	fake_reset();
	for (int i = 0; i < 3; i++) {
		fake_maps[i].key_size = maps[i].key_size;
		fake_maps[i].value_bytes = 8 * FAKE_CPUS;
	}
	struct {
		uint32_t pid, zero;
		char name[16];
	} key = { 1234, 0, "bash" };
	fake_entry(0, &key)->words[1] = 5;
	int64_t number = 1234;
	fake_entry(1, &number)->words[0] = 5;
	fake_entry(2, &number)->words[0] = 77;
	number = 9;
	fake_entry(2, &number)->words[0] = (uint64_t)-1;
	return capture_new(&printa_program, NULL, (struct output_options) { .quiet = true });
}

static const char *printa(struct capture *c, uint32_t clause)
{
	struct record_header header = { .clause = clause, .probe = 1 };
	capture_record(c, 0, &header, sizeof(header));
	return capture_text(c);
}

TEST(printa_automatic)
{
	struct capture c = start_printa();
	CHECK_STR(printa(&c, 0), "\n     1234  bash"
				 "                                              "
				 "                5\n");
	CHECK_STR(printa(&c, 1), "\n                9                0               -1\n"
				 "             1234                5               77\n");
	CHECK(!output_end(c.output, true));
	CHECK_STR(capture_text(&c), "\n"); /* all were printed */
	capture_free(&c);
}

/* What printa() found empty is not printed yet. */
TEST(printa_of_nothing)
{
	struct capture c = start_printa();
	for (int i = 0; i < 3; i++)
		memset(fake_maps[i].entries, 0, sizeof(fake_maps[i].entries));
	CHECK_STR(printa(&c, 1), "\n");
	CHECK_STR(printa(&c, 2), "");
	int64_t number = 5;
	fake_entry(1, &number)->words[0] = 2;
	CHECK(!consumer_poll(c.consumer, output_record, c.output)); /* a new round */
	CHECK(!output_end(c.output, true));
	CHECK_STR(capture_text(&c), "\n                5                2\n");
	capture_free(&c);
}

TEST(printa_with_format)
{
	struct capture c = start_printa();
	CHECK_STR(printa(&c, 2), "    9: 0    -1 ffffffffffffffff\n 1234: 5    77 4d\n");
	int64_t number = 1234;
	fake_entry(1, &number)->words[0] = UINT64_MAX; /* counts are unsigned, sums are not */
	fake_entry(2, &number)->words[0] = UINT64_MAX;
	CHECK(!consumer_poll(c.consumer, output_record, c.output)); /* a new round reads again */
	CHECK(strstr(printa(&c, 2), " 1234: 18446744073709551615    -1 ffffffffffffffff\n"));
	CHECK_STR(printa(&c, 3), "");
	CHECK(!output_end(c.output, true));
	CHECK_STR(capture_text(&c), "\n     1234  bash"
				    "                                              "
				    "                0\n");
	capture_free(&c);
}

TEST_MAIN
