/* SPDX-License-Identifier: BSD-2-Clause */
/* record_test - lines of records, trace data, flow indent, dumps, messages */
#include <errno.h>
#include <signal.h>

#include "output/capture.h"
#include "test.h"

#define FIELD(k, at, bytes, sign)                                                                  \
	{                                                                                          \
		.kind = VALUE_##k, .offset = 24 + (at), .size = (bytes), .is_signed = (sign)       \
	}

struct sample {
	struct record_header header;
	int64_t l;
	uint64_t ul;
	int32_t i;
	int16_t s;
	int8_t c;
	char bytes[5];
	struct record_ref text;
	uint64_t sym;
	char tail[24];
};

static const struct value_field fields[] = {
	FIELD(INTEGER, 0, 8, true),	 FIELD(INTEGER, 8, 8, false), FIELD(INTEGER, 16, 4, true),
	FIELD(INTEGER, 20, 2, true),	 FIELD(INTEGER, 22, 1, true), FIELD(BYTES, 23, 5, false),
	FIELD(STRING, 28 + 0, 8, false), FIELD(SYM, 40, 8, false),    FIELD(STACK, 32, 8, false),
};
static const struct value_field text_field = { .kind = VALUE_STRING,
					       .offset = offsetof(struct sample, text) };
static const struct value_field sym_field = { .kind = VALUE_SYM,
					      .offset = offsetof(struct sample, sym) };
static const struct value_field stack_field = { .kind = VALUE_STACK,
						.offset = offsetof(struct sample, text) };
static const struct value_field bytes_field = { .kind = VALUE_BYTES,
						.size = 24,
						.offset = offsetof(struct sample, tail) };
static const struct value_field name_field = { .kind = VALUE_PROBE_NAME };

#define ACTION(k, f)                                                                               \
	{                                                                                          \
		.kind = ACTION_##k, .flag = -1, .fields = (f), .field_count = 1                    \
	}
static const struct action_layout integers[] = {
	ACTION(TRACE, &fields[0]), ACTION(TRACE, &fields[1]), ACTION(TRACE, &fields[2]),
	ACTION(TRACE, &fields[3]), ACTION(TRACE, &fields[4]),
};
static const struct action_layout text_actions[] = { ACTION(TRACE, &text_field),
						     ACTION(TRACE, &name_field) };
static const struct action_layout nothing[] = { { .kind = ACTION_DEFAULT, .flag = -1 } };
static const struct action_layout symbols[] = { ACTION(SYMBOL, &sym_field) };
static const struct action_layout stacks[] = { ACTION(STACK, &stack_field) };
static const struct action_layout dumps[] = { ACTION(TRACEMEM, &bytes_field) };
static const struct action_layout blocks[] = { ACTION(TRACE, &bytes_field) };
static const struct action_layout exits[] = { ACTION(EXIT, &fields[2]) };

#define CLAUSE(a)                                                                                  \
	{                                                                                          \
		.epid = 3, .line = 7, .records = true, .fixed_size = sizeof(struct sample),        \
		.actions = (a), .action_count = sizeof(a) / sizeof((a)[0])                         \
	}
enum { INTEGERS, TEXTS, NOTHING, SYMBOLS, STACKS, DUMPS, BLOCKS, EXITS, OTHER };
static const struct clause_layout clauses[] = {
	CLAUSE(integers), CLAUSE(text_actions), CLAUSE(nothing), CLAUSE(symbols), CLAUSE(stacks),
	CLAUSE(dumps),	  CLAUSE(blocks),	CLAUSE(exits),	 CLAUSE(nothing),
};
static const struct program program = {
	.clauses = clauses, .clause_count = 9, .area_count = 4, .cpu_count = 4
};

static struct sample sample_of(uint32_t clause, uint32_t probe)
{
	return (struct sample) {
		.header = { .clause = clause, .probe = probe },
		.l = 42,
		.ul = 42,
		.i = 42,
		.s = 7,
		.c = 7,
		.sym = 0xffffffff81e0007c,
		.text = { offsetof(struct sample, tail), 2 },
		.tail = "hi",
	};
}

static struct capture start(struct output_options options)
{
	fake_reset();
	return capture_new(&program, NULL, options);
}

static void show(struct capture *c, int cpu, uint32_t clause, uint32_t probe)
{
	struct sample s = sample_of(clause, probe);
	capture_record(c, cpu, &s, sizeof(s));
}

TEST(default_lines)
{
	struct capture c = start((struct output_options) { 0 });
	show(&c, 0, INTEGERS, 1);
	CHECK_STR(capture_text(&c),
		  "CPU     ID                    FUNCTION:NAME\n"
		  "  0      1                           :BEGIN "
		  "                  42                   42         42     7   7\n");
	show(&c, 1, TEXTS, 2);
	CHECK_STR(capture_text(&c),
		  "  1      2                       read:entry "
		  "  hi                                 entry                            \n");
	show(&c, 3, NOTHING, 4);
	CHECK_STR(capture_text(&c), "  3      4                   vfs_read:entry \n");
	show(&c, 0, EXITS, 1);
	CHECK_STR(capture_text(&c), "  0      1                           :BEGIN \n");
	capture_free(&c);
}

TEST(quiet_lines)
{
	struct capture c = start((struct output_options) { .quiet = true });
	show(&c, 0, INTEGERS, 1);
	show(&c, 0, TEXTS, 2);
	show(&c, 0, NOTHING, 2);
	CHECK_STR(capture_text(&c), "42424277hientry");
	capture_free(&c);
}

TEST(symbols_and_stacks_without_names)
{
	struct capture c = start((struct output_options) { .quiet = true });
	struct sample s = sample_of(STACKS, 1);
	uint64_t frames[] = { 0xffffffff81000001, 0xffffffff81000002, 0 };
	memcpy(s.tail, frames, sizeof(frames));
	s.text.size = sizeof(frames);
	capture_record(&c, 0, &s, sizeof(s));
	CHECK_STR(capture_text(&c), "\n              0xffffffff81000001\n"
				    "              0xffffffff81000002\n");
	show(&c, 0, SYMBOLS, 1);
	CHECK_STR(capture_text(&c), "  0xffffffff81e0007c                                ");
	capture_free(&c);
}

TEST(flow_indent)
{
	struct capture c = start((struct output_options) { .flowindent = true });
	show(&c, 0, NOTHING, 2);
	show(&c, 0, OTHER, 2); /* a second clause of the same firing */
	show(&c, 0, NOTHING, 4);
	show(&c, 1, NOTHING, 1);
	show(&c, 0, NOTHING, 5);
	show(&c, 0, NOTHING, 3);
	show(&c, 0, NOTHING, 3);
	CHECK_STR(capture_text(&c), "CPU FUNCTION                                 \n"
				    "  0  => read                                  \n"
				    "  0   | read:entry                            \n"
				    "  0    -> vfs_read                            \n"
				    "  1 | :BEGIN                                  \n"
				    "  0    <- vfs_read                            \n"
				    "  0  <= read                                  \n"
				    "  0  <= read                                  \n");
	capture_free(&c);
}

/* `entry` and `return` may have a word in front; each CPU has its own indent. */
TEST(flow_indent_by_name_and_by_cpu)
{
	struct capture c = start((struct output_options) { .flowindent = true });
	show(&c, 0, NOTHING, 6);
	show(&c, 1, NOTHING, 2);
	show(&c, 1, NOTHING, 8); /* ends in these letters, but is another word */
	show(&c, 0, NOTHING, 7);
	show(&c, 0, OTHER, 7); /* a second clause */
	show(&c, 1, NOTHING, 3);
	CHECK_STR(capture_text(&c), "CPU FUNCTION                                 \n"
				    "  0  -> a_function_whose_name_is_long         \n"
				    "  1  => read                                  \n"
				    "  1   | door:reentry                          \n"
				    "  0  <- a_function_whose_name_is_long         \n"
				    "  0 | a_function_whose_name_is_long:sale-return \n"
				    "  1  <= read                                  \n");
	capture_free(&c);
}

TEST(long_names_are_not_cut)
{
	struct capture c = start((struct output_options) { 0 });
	show(&c, 0, NOTHING, 7);
	CHECK_STR(capture_text(&c), "CPU     ID                    FUNCTION:NAME\n"
				    "  0      7 a_function_whose_name_is_long:sale-return \n");
	capture_free(&c);
}

TEST(hex_dump)
{
	struct capture c = start((struct output_options) { .quiet = true });
	struct sample s = sample_of(DUMPS, 1);
	memcpy(s.tail, "Hello, world\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17", 24);
	capture_record(&c, 0, &s, sizeof(s));
	CHECK_STR(
		capture_text(&c),
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
		"         0: 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 0c 0d 0e 0f  Hello, world....\n"
		"        10: 10 11 12 13 14 15 16 17                          ........\n");
	s.header.clause = BLOCKS;
	memcpy(s.tail, "text\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
	capture_record(&c, 0, &s, sizeof(s));
	CHECK_STR(capture_text(&c), "text");
	capture_free(&c);
}

/* What trace() shows of 24 bytes that begin with LEN of TEXT. */
static const char *block(const char *text, size_t len, bool quiet)
{
	static char result[512];
	struct capture c = start((struct output_options) { .quiet = quiet, .testing = true });
	struct sample s = sample_of(BLOCKS, 1);
	memset(s.tail, 0, sizeof(s.tail));
	memcpy(s.tail, text, len);
	capture_record(&c, 0, &s, sizeof(s));
	const char *shown = capture_text(&c), *line = strstr(shown, "BEGIN ");
	strcpy(result, line ? line + strlen("BEGIN ") : shown);
	capture_free(&c);
	return result;
}

/* Printable bytes and then only NULs are text; without a NUL it is padded even when quiet. */
TEST(bytes_that_look_like_text)
{
	CHECK_STR(block("text", 4, true), "text");
	CHECK_STR(block("text", 4, false), "  text                             \n");
	CHECK_STR(block("bell\a back\b tab\t\n\v\f\r", 20, true), "bell\a back\b tab\t\n\v\f\r");
	CHECK_STR(block("24 bytes of text, no NUL", 24, true),
		  "  24 bytes of text, no NUL         ");
	CHECK_STR(block("24 bytes of text, no NUL", 24, false),
		  "  24 bytes of text, no NUL         \n");
	static const char others[][8] = { "", "\033[1m", "\177", "caf\351", "\0hidden" };
	for (unsigned i = 0; i < ARRAY_SIZE(others); i++)
		CHECK(strstr(block(others[i], 8, true), "  0123456789abcdef\n         0: "));
	CHECK(strstr(block("ab\0cd", 5, true), "         0: 61 62 00 63 64 00 "));
}

TEST(raw_bytes_if_they_are_wanted)
{
	struct capture c = start((struct output_options) { .quiet = true, .rawbytes = true });
	show(&c, 0, TEXTS, 2);
	CHECK_STR(
		capture_text(&c),
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
		"         0: 68 69                                            hi\n"
		"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
		"         0: 65 6e 74 72 79                                   entry\n");
	show(&c, 0, INTEGERS, 1);
	show(&c, 0, SYMBOLS, 1);
	CHECK_STR(capture_text(&c), "42424277  0xffffffff81e0007c                                ");
	struct sample s = sample_of(BLOCKS, 1);
	capture_record(&c, 0, &s, sizeof(s));
	CHECK(strstr(capture_text(&c), "         0: 68 69 00 00 "));
	capture_free(&c);
}

struct fault_sample {
	struct record_header header;
	struct record_fault fault;
};

TEST(faults_drops_and_damage)
{
	struct capture c = start((struct output_options) { 0 });
	struct fault_sample f = {
		{ .kind = RECORD_FAULT, .clause = TEXTS, .probe = 4 },
		{ .code = FAULT_BADADDR, .action = 2, .address = 0x10, .pc = -1 },
	};
	capture_record(&c, 0, &f, sizeof(f));
	CHECK_STR(capture_messages(&c), "dtrace: error on enabled probe ID 3 (ID 4: "
					"fbt:vmlinux:vfs_read:entry): invalid address (0x10) "
					"in action #2 (line 7)\n");
	f.fault = (struct record_fault) { .code = FAULT_DIVZERO, .pc = 12 };
	capture_record(&c, 0, &f, sizeof(f));
	CHECK_STR(capture_messages(&c), "dtrace: error on enabled probe ID 3 (ID 4: "
					"fbt:vmlinux:vfs_read:entry): divide-by-zero "
					"in predicate at DIF offset 12 (line 7)\n");
	capture_record(&c, 2, &f, 20);
	CHECK_STR(capture_messages(&c),
		  "dtrace: damaged record on CPU 2: it is shorter than its header\n");
	output_options(c.output)->droptags = true;
	output_drop(c.output,
		    &(struct drop) { .kind = DROP_SPEC_UNAVAILABLE, .cpu = -1, .count = 2 });
	CHECK_STR(capture_messages(&c), "dtrace: [DTRACEDROP_SPECUNAVAIL] 2 failed speculations "
					"(no speculative buffer available)\n");
	CHECK_STR(capture_text(&c), "");
	capture_free(&c);
}

TEST(each_fault_has_its_words)
{
	static const struct {
		uint32_t code;
		const char *text;
	} cases[] = {
		{ FAULT_UNKNOWN, "unknown fault" },
		{ FAULT_BADADDR, "invalid address (0x7b)" },
		{ FAULT_BADALIGN, "invalid alignment (0x7b)" },
		{ FAULT_ILLOP, "illegal operation" },
		{ FAULT_DIVZERO, "divide-by-zero" },
		{ FAULT_NOSCRATCH, "out of scratch space" },
		{ FAULT_KPRIV, "invalid kernel access (0x7b)" },
		{ FAULT_UPRIV, "invalid user access (0x7b)" },
		{ FAULT_TUPOFLOW, "tuple stack overflow" },
		{ FAULT_BADSTACK, "bad stack (0x7b)" },
		{ FAULT_BADSIZE, "invalid size (0x7b)" },
		{ FAULT_BADINDEX, "index out of bounds (123)" },
		{ FAULT_BADSPEC, "illegal speculation id (123)" },
		{ FAULT_UNREADABLE, "the argument cannot be read here" },
		{ FAULT_NOINTEGER, "no int64_t has the value of this float or double" },
		{ FAULT_LIBRARY, "library-level fault" },
		{ 77, "unknown fault" },
	};
	struct capture c = start((struct output_options) { 0 });
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct fault_sample f = {
			{ .kind = RECORD_FAULT, .clause = TEXTS, .probe = 1 },
			{ .code = cases[i].code, .action = 1, .address = 123, .pc = -1 },
		};
		capture_record(&c, 0, &f, sizeof(f));
		auto_free char *wanted = mem_printf("dtrace: error on enabled probe ID 3 (ID 1: "
						    "dtrace:::BEGIN): %s in action #1 (line 7)\n",
						    cases[i].text);
		CHECK_STR(capture_messages(&c), wanted);
	}
	capture_free(&c);
}

TEST(write_errors_are_kept)
{
	int ends[2];
	CHECK(pipe(ends) == 0);
	close(ends[0]);
	fake_reset();
	struct consumer *consumer = fake_consumer(&program, NULL, true);
	struct output *o = NULL;
	CHECK(!output_new(&(struct output_setup) { .consumer = consumer,
						   .fd = ends[1],
						   .fd_name = "<stdout>",
						   .message_fd = 2 },
			  &o));
	signal(SIGPIPE, SIG_IGN);
	output_puts(o, "text");
	struct error *err = output_flush(o);
	CHECK_STR(err ? error_text(err) : "", "failed to write to <stdout>: Broken pipe");
	CHECK_INT(err ? error_errno(err) : 0, EPIPE);
	error_free(err);
	output_free(o);
	consumer_free(consumer);
	close(ends[1]);
}

TEST_MAIN
