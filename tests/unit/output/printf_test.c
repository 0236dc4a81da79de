/* SPDX-License-Identifier: BSD-2-Clause */
/* printf_test - conversions, and printa in both forms */
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
};

#define AT(member) .offset = offsetof(struct sample, member)

static const struct value_field signed_long = { VALUE_INTEGER, AT(number), .size = 8,
						.is_signed = true };
static const struct value_field unsigned_long = { VALUE_INTEGER, AT(same), .size = 8 };
static const struct value_field width_field = { VALUE_INTEGER, AT(width), .size = 4,
						.is_signed = true };
static const struct value_field low_byte = { VALUE_INTEGER, AT(number), .size = 1,
					     .is_signed = true };
static const struct value_field real = { VALUE_FLOAT, AT(real), .size = 8 };
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
	struct program program = { .clauses = &clause, .clause_count = 1, .cpu_count = 1 };
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
	sample.number = 0x1234;
	CHECK_STR(PRINT("%a|%10a|%-10A|", &signed_long, &signed_long, &signed_long),
		  "0x1234|    0x1234|0x1234    |");
	memcpy(sample.tail, &(uint64_t) { 0x77 }, 8);
	CHECK_STR(PRINT("%k.", &stack), "\n0x77\n.");
	CHECK_STR(PRINT("%-3k%10k", &stack, &stack), "\n   0x77\n\n      0x77\n");
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
	  .key_size = 24,
	  .value_size = 8,
	  .map = 0 },
	{ .name = "counts",
	  .function = AGGREGATE_COUNT,
	  .keys = &one_key,
	  .key_count = 1,
	  .key_size = 8,
	  .value_size = 8,
	  .map = 1 },
	{ .name = "sums",
	  .function = AGGREGATE_SUM,
	  .keys = &one_key,
	  .key_count = 1,
	  .key_size = 8,
	  .value_size = 8,
	  .map = 2 },
};
static const struct map_layout maps[] = {
	{ .key_size = 24, .value_size = 8, .max_entries = 32, .per_cpu = true },
	{ .key_size = 8, .value_size = 8, .max_entries = 32, .per_cpu = true },
	{ .key_size = 8, .value_size = 8, .max_entries = 32, .per_cpu = true },
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

TEST(printa_with_format)
{
	struct capture c = start_printa();
	CHECK_STR(printa(&c, 2), "    9: 0    -1 ffffffffffffffff\n 1234: 5    77 4d\n");
	CHECK_STR(printa(&c, 3), "");
	CHECK(!output_end(c.output, true));
	CHECK_STR(capture_text(&c), "\n     1234  bash"
				    "                                              "
				    "                0\n");
	capture_free(&c);
}

TEST_MAIN
