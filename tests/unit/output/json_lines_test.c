/* SPDX-License-Identifier: BSD-2-Clause */
/* json_lines_test - whole lines of JSON: records, tuples, drops, errors, exit (docs/json.md) */
#include "abi/unwind.h"
#include "output/capture.h"
#include "test.h"

struct sample {
	struct record_header header;
	int64_t large;
	int32_t small;
	int32_t pad;
	struct record_ref text;
	struct record_ref stack;
	uint64_t symbol[2];
	char bytes[4];
	char word[4];
	char tail[24];
};

#define AT(member) offsetof(struct sample, member)
static const struct value_field large = { .kind = VALUE_INTEGER, .offset = AT(large), .size = 8 };
static const struct value_field printed[] = {
	{ .kind = VALUE_INTEGER, .offset = AT(small), .size = 4, .is_signed = true },
	{ .kind = VALUE_STRING, .offset = AT(text) },
};
static const struct value_field stack = { .kind = VALUE_USTACK, .offset = AT(stack) };
static const struct value_field symbol = { .kind = VALUE_USYM, .offset = AT(symbol) };
static const struct value_field bytes = { .kind = VALUE_BYTES, .offset = AT(bytes), .size = 4 };
static const struct value_field word = {
	.kind = VALUE_BYTES, .offset = AT(word), .size = 4, .is_text = true
};
static const uint32_t both[] = { 0, 1 };

#define ACTION(k, f)                                                                               \
	{                                                                                          \
		.kind = ACTION_##k, .flag = -1, .fields = (f), .field_count = 1                    \
	}
static const struct action_layout data[] = {
	ACTION(TRACE, &large),
	{ .kind = ACTION_PRINTF,
	  .flag = -1,
	  .format = "%d %s\n",
	  .fields = printed,
	  .field_count = 2 },
	ACTION(USTACK, &stack),
	ACTION(SYMBOL, &symbol),
	ACTION(TRACE, &bytes),
	ACTION(TRACE, &word),
};
static const struct action_layout shows[] = {
	{ .kind = ACTION_PRINTA,
	  .flag = -1,
	  .format = "%d: %@d\n",
	  .aggregations = both,
	  .aggregation_count = 2 },
	{ .kind = ACTION_CLEAR, .flag = -1, .aggregations = both, .aggregation_count = 1 },
	ACTION(EXIT, &printed[0]),
};
static const struct action_layout nothing = { .kind = ACTION_DEFAULT, .flag = -1 };

#define CLAUSE(number, a, n)                                                                       \
	{                                                                                          \
		.epid = (number), .line = 7, .records = true, .fixed_size = AT(tail),              \
		.actions = (a), .action_count = (n)                                                \
	}
enum { DATA, SHOWS, NOTHING };
static const struct clause_layout clauses[] = {
	CLAUSE(1, data, 6),
	CLAUSE(2, shows, 3),
	CLAUSE(3, &nothing, 1),
};

static const struct value_field key = { .kind = VALUE_INTEGER, .size = 8, .is_signed = true };
static const struct aggregation_layout aggregations[] = {
	{ .name = "n",
	  .function = AGGREGATE_COUNT,
	  .keys = &key,
	  .key_count = 1,
	  FAKE_KEY(8),
	  .value_size = 8,
	  .map = 0 },
	{ .name = "q",
	  .function = AGGREGATE_QUANTIZE,
	  .keys = &key,
	  .key_count = 1,
	  FAKE_KEY(8),
	  .value_size = 1024,
	  .map = 1 },
};
static const struct map_layout maps[] = {
	{ .key_size = 8, .value_size = 8, .max_entries = 32 },
	{ .key_size = 8, .value_size = 1024, .max_entries = 32 },
};
static const struct program program = {
	.clauses = clauses,
	.clause_count = 3,
	.aggregations = aggregations,
	.aggregation_count = 2,
	.maps = maps,
	.map_count = 2,
	.area_count = FAKE_CPUS,
	.cpu_count = FAKE_CPUS,
};

static struct capture start(struct output_options options)
{
	fake_reset();
	for (int i = 0; i < 2; i++) {
		fake_maps[i].key_size = 8;
		fake_maps[i].value_bytes = maps[i].value_size * FAKE_CPUS;
	}
	capture_form = &output_json_ops;
	return capture_new(&program, NULL, options);
}

static void show(struct capture *c, uint32_t clause)
{
	struct sample s = {
		.header = { .clause = clause, .probe = 2, .time = 123 },
		.large = -1,
		.small = -5,
		.text = { AT(tail) + 16, 3 },
		.stack = { AT(tail), 16 },
		.symbol = { 77, 0x1234 },
		.bytes = "\x01\xff",
		.word = "a\"b",
	};
	uint64_t frames[] = { 77, 0x5678 };
	memcpy(s.tail, frames, sizeof(frames));
	memcpy(s.tail + 16, "x\n\xe9", 3);
	capture_record(c, 1, &s, sizeof(s));
}

/* The output, without the first line. */
static const char *lines(struct capture *c)
{
	static const char start_line[] = "{\"type\":\"start\",\"version\":1,\"wall_offset\":";
	const char *text = capture_text(c), *end = strchr(text, '\n');
	CHECK(strncmp(text, start_line, strlen(start_line)) == 0);
	return end ? end + 1 : "";
}

#define PROBE                                                                                      \
	"\"time\":123,\"cpu\":1,\"probe\":{\"id\":2,\"provider\":\"syscall\",\"module\":"          \
	"\"vmlinux\","                                                                             \
	"\"function\":\"read\",\"name\":\"entry\",\"flow\":\"entry\"}"

TEST(a_record_with_its_values)
{
	struct capture c = start((struct output_options) { 0 });
	show(&c, DATA);
	show(&c, NOTHING);
	CHECK_STR(lines(&c),
		  "{\"type\":\"record\"," PROBE ",\"clause\":1,\"line\":7,\"data\":["
		  "{\"action\":\"trace\",\"values\":[{\"integer\":\"18446744073709551615\"}]},"
		  "{\"action\":\"printf\",\"text\":{\"text\":\"-5 x\\n\xef\xbf\xbd\\n\",\"bytes\":"
		  "\"2d3520780ae90a\"},\"values\":[-5,{\"text\":\"x\\n\xef\xbf\xbd\",\"bytes\":"
		  "\"780ae9\"}]},"
		  "{\"action\":\"ustack\",\"values\":[{\"ustack\":[{\"address\":\"0x5678\"}],"
		  "\"pid\":77}]},"
		  "{\"action\":\"symbol\",\"values\":[{\"address\":\"0x1234\",\"pid\":77}]},"
		  "{\"action\":\"trace\",\"values\":[{\"bytes\":\"01ff0000\"}]},"
		  "{\"action\":\"trace\",\"values\":[\"a\\\"b\"]}]}\n"
		  "{\"type\":\"record\"," PROBE ",\"clause\":3,\"line\":7,\"data\":[]}\n");
	CHECK_STR(capture_messages(&c), "");
	capture_free(&c);
}

TEST(tuples_come_before_the_record_that_shows_them)
{
	struct capture c = start((struct output_options) { .percentiles = { 1, { 50 } } });
	int64_t one = 1, two = 2;
	fake_entry(0, &one)->words[0] = 3;
	fake_entry(1, &one)->words[QUANTIZE_ZERO + 3] = 2;
	fake_entry(1, &two)->words[128 + QUANTIZE_ZERO] = 4;
	show(&c, SHOWS);
#define Q "{\"name\":\"q\",\"function\":\"quantize\","
	CHECK_STR(
		lines(&c),
		"{\"type\":\"aggregation\",\"time\":123,\"clause\":2,"
		"\"printing\":1,\"to\":123,\"key\":[2],\"values\":["
		"{\"name\":\"n\",\"function\":\"count\",\"missing\":true,\"value\":0}," Q
		"\"buckets\":[{\"least\":0,\"most\":0,\"count\":4}],"
		"\"percentiles\":[{\"percent\":50,\"value\":0}]}],\"text\":\"2: 0\\n\"}\n"
		"{\"type\":\"aggregation\",\"time\":123,\"clause\":2,"
		"\"printing\":1,\"to\":123,\"key\":[1],\"values\":["
		"{\"name\":\"n\",\"function\":\"count\",\"value\":3}," Q
		"\"buckets\":[{\"least\":4,\"most\":7,\"count\":2}],"
		"\"percentiles\":[{\"percent\":50,\"at_most\":7}]}],\"text\":\"1: 3\\n\"}\n"
		"{\"type\":\"record\"," PROBE ",\"clause\":2,\"line\":7,\"data\":["
		"{\"action\":\"printa\",\"aggregations\":[\"n\",\"q\"],\"printing\":1,\"rows\":2},"
		"{\"action\":\"clear\",\"aggregations\":[\"n\"]},"
		"{\"action\":\"exit\",\"values\":[-5]}]}\n");
	output_puts(c.output, "\n"); /* after ^C: for people */
	CHECK(!output_end(c.output, true));
	CHECK(!output_exit(c.output, 5));
	CHECK_STR(capture_text(&c), "{\"type\":\"exit\",\"status\":5,\"records\":1,\"errors\":0,"
				    "\"drops\":0,\"cuts\":0}\n");
	capture_free(&c);
}

TEST(what_went_wrong_is_told_here)
{
	struct capture c = start((struct output_options) { 0 });
	struct {
		struct record_header header;
		struct record_fault fault;
	} fault = {
		.header = { .kind = RECORD_FAULT, .clause = 2, .probe = 2, .time = 123 },
		.fault = { .code = FAULT_BADADDR, .action = 2, .address = 0x10, .pc = -1 },
	};
	capture_record(&c, 1, &fault, sizeof(fault));
	capture_record(&c, 1, &fault, 30);
	fault.fault.memory = MEMORY_UNMAPPED;
	capture_record(&c, 1, &fault, sizeof(fault));
	fault.fault.memory = MEMORY_MAPPED;
	capture_record(&c, 1, &fault, sizeof(fault));
	output_drop(c.output, &(struct drop) { .kind = DROP_PRINCIPAL, .cpu = 1, .count = 3 });
	output_drop(c.output, &(struct drop) { .kind = DROP_DYNAMIC, .cpu = -1, .count = 1 });
	output_drop(c.output, &(struct drop) { .kind = DROP_TRUNCATED_STRINGS,
					       .cpu = -1,
					       .count = 7,
					       .string_size = 256 });
	struct clause_layout told = clauses[NOTHING];
	told.description = "tick-1s";
	output_drop(
		c.output,
		&(struct drop) { .kind = DROP_PRINCIPAL, .cpu = -1, .count = 2, .clause = &told });
	CHECK(!output_end(c.output, true));
	CHECK(!output_exit(c.output, 0));
	CHECK_STR(lines(&c),
		  "{\"type\":\"error\"," PROBE
		  ",\"clause\":3,\"line\":7,\"fault\":{\"number\":1,\"text\":"
		  "\"invalid address\",\"action\":2,\"address\":\"0x10\"},"
		  "\"text\":\"invalid address (0x10) in action #2 (line 7)\"}\n"
		  "{\"type\":\"error\",\"cpu\":1,\"text\":\"damaged record on CPU 1: it ends "
		  "inside its fault\"}\n"
		  "{\"type\":\"error\"," PROBE
		  ",\"clause\":3,\"line\":7,\"fault\":{\"number\":1,\"text\":"
		  "\"invalid address\",\"action\":2,\"address\":\"0x10\",\"mapped\":false},"
		  "\"text\":\"invalid address (0x10) in action #2 (line 7)\"}\n"
		  "{\"type\":\"error\"," PROBE
		  ",\"clause\":3,\"line\":7,\"fault\":{\"number\":1,\"text\":"
		  "\"invalid address\",\"action\":2,\"address\":\"0x10\",\"mapped\":true},"
		  "\"text\":\"invalid address (0x10) in action #2 (line 7)\"}\n"
		  "{\"type\":\"drop\",\"tag\":\"DTRACEDROP_PRINCIPAL\",\"cpu\":1,\"count\":3,"
		  "\"text\":\"3 drops on CPU 1\"}\n"
		  "{\"type\":\"drop\",\"tag\":\"DTRACEDROP_DYNAMIC\",\"count\":1,"
		  "\"text\":\"1 dynamic variable drop\"}\n"
		  "{\"type\":\"drop\",\"tag\":\"DTRACEDROP_STRSIZE\",\"count\":7,\"text\":\"7 "
		  "strings truncated to strsize (256 bytes): -x strsize=N allows longer ones\"}\n"
		  "{\"type\":\"drop\",\"tag\":\"DTRACEDROP_PRINCIPAL\",\"clause\":3,\"line\":7,"
		  "\"count\":2,\"text\":\"of these, 2 drops in clause 3 (tick-1s, line 7)\"}\n"
		  "{\"type\":\"exit\",\"status\":0,\"records\":0,\"errors\":4,\"drops\":4,\"cuts\":"
		  "7}\n");
	CHECK_STR(capture_messages(&c), "");
	capture_free(&c);
}

static void check_schema_has(const struct strbuf *schema, const char *name)
{
	auto_free char *quoted = mem_printf("\"%s\"", name);
	CHECK_STR(strstr(strbuf_text(schema), quoted) ? name : "missing", name);
}

/* A program that checks our lines would refuse those with a name that the schema lacks. */
TEST(the_schema_has_all_names_of_tables)
{
	auto_strbuf struct strbuf schema = { 0 };
	CHECK(!file_read("docs/schema/dtrace-output.schema.json", SIZE_MAX, &schema));
	for (enum stack_end end = 0; end < STACK_END_COUNT; end++)
		check_schema_has(&schema, stack_end_row(end)->name);
#define AGGREGATE(id, name, ...) check_schema_has(&schema, #name);
#include "abi/aggregate.def"
#undef AGGREGATE
	for (enum action_kind kind = 0; kind < ACTION_DEFAULT; kind++) /* which has no data */
		check_schema_has(&schema, action_name(kind));
}

TEST_MAIN
