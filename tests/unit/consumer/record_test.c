/* SPDX-License-Identifier: BSD-2-Clause */
/* record_test - rounds, order, checks, drops */
#include "consumer/fake.h"
#include "consumer/seen.h"
#include "test.h"

static const struct value_field text_field = { .kind = VALUE_STRING, .offset = 32, .size = 8 };
static const struct action_layout text_action = {
	.kind = ACTION_TRACE, .flag = 0, .fields = &text_field, .field_count = 1
};
static const struct clause_layout clauses[] = {
	{ .epid = 1, .records = true, .fixed_size = 24 },
	{ .epid = 2,
	  .records = true,
	  .flag_words = 1,
	  .fixed_size = 40,
	  .actions = &text_action,
	  .action_count = 1 },
};
static const struct program program = { .clauses = clauses,
					.clause_count = 2,
					.area_count = FAKE_CPUS,
					.cpu_count = FAKE_CPUS,
					.string_size = 256 };

struct text_record {
	struct record_header header;
	uint64_t flags;
	struct record_ref ref;
	char tail[8];
};

static void put(unsigned cpu, uint64_t time, uint32_t seq)
{
	struct record_header header = { .time = time, .probe = 1, .seq = seq };
	fake_record(cpu, &header, sizeof(header));
}

static const char *poll_text(struct consumer *c, bool flush)
{
	seen[0] = '\0';
	struct error *err = flush ? consumer_flush(c, note, NULL) : consumer_poll(c, note, NULL);
	CHECK(!err);
	return seen;
}

TEST(records_are_merged_by_time_a_round_later)
{
	fake_reset();
	struct consumer *c = fake_consumer(&program, NULL, true);
	fake_clock = 100;
	put(0, 10, 1);
	put(0, 30, 3);
	put(1, 20, 2);
	put(1, 30, 4);
	CHECK_STR(poll_text(c, false), "");
	CHECK_INT(consumer_waiting(c), 4);
	fake_clock = 200;
	put(0, 25, 9); /* preempted before it could commit */
	put(1, 150, 5);
	CHECK_STR(poll_text(c, false), "0:1 1:2 0:9 0:3 1:4 ");
	put(0, 140, 6);
	CHECK_STR(poll_text(c, true), "0:6 1:5 ");
	CHECK_INT(consumer_waiting(c), 0);
	consumer_free(c);
}

/* BEGIN's come first, though others fired before they were visited. */
TEST(collected_records_come_before_later_ones)
{
	for (int temporal = 0; temporal < 2; temporal++) {
		fake_reset();
		struct consumer *c = fake_consumer(&program, NULL, temporal);
		fake_clock = 100;
		put(1, 10, 1);
		put(1, 20, 2);
		CHECK(!consumer_collect(c));
		put(0, 15, 3);
		put(1, 120, 4);
		seen[0] = '\0';
		CHECK(!consumer_visit_collected(c, note, NULL));
		CHECK_STR(seen, "1:1 1:2 ");
		fake_clock = 200;
		CHECK_STR(poll_text(c, false), temporal ? "0:3 " : "0:3 1:4 ");
		fake_clock = 300;
		CHECK_STR(poll_text(c, false), temporal ? "1:4 " : "");
		consumer_free(c);
	}
}

TEST(without_temporal_cpu_by_cpu)
{
	fake_reset();
	struct consumer *c = fake_consumer(&program, NULL, false);
	put(1, 10, 1);
	put(0, 30, 2);
	put(0, 20, 3);
	CHECK_STR(poll_text(c, false), "0:2 0:3 1:1 ");
	consumer_free(c);
}

static const char *problem_of(const struct consumer *c, const void *data, uint32_t size)
{
	struct record r;
	record_read(c, 0, 0, data, size, &r);
	return r.problem ? r.problem : "";
}

TEST(damaged_records_are_reported)
{
	fake_reset();
	struct consumer *c = fake_consumer(&program, NULL, true);
	struct text_record r = {
		.header = { .clause = 1, .probe = 2 }, .flags = 1, .ref = { 40, 3 }, .tail = "abc"
	};
	CHECK_STR(problem_of(c, &r, 43), "");
	CHECK_STR(problem_of(c, &r, 42), "a string or stack is outside of it");
	CHECK_STR(problem_of(c, &r, 39), "it ends inside its fixed part");
	CHECK_STR(problem_of(c, &r, 23), "it is shorter than its header");
	r.ref = (struct record_ref) { 0xfffffff0, 0x20 };
	CHECK_STR(problem_of(c, &r, 48), "a string or stack is outside of it");
	r.flags = 0; /* the action did not run, so its data are not read */
	CHECK_STR(problem_of(c, &r, 48), "");
	r.header.probe = 99;
	CHECK_STR(problem_of(c, &r, 48), "its probe is unknown");
	r.header.clause = 2;
	CHECK_STR(problem_of(c, &r, 48), "its clause is unknown");
	r.header = (struct record_header) { .kind = RECORD_FAULT, .clause = 1, .probe = 1 };
	CHECK_STR(problem_of(c, &r, 47), "it ends inside its fault");
	consumer_free(c);
}

TEST(contradicting_layouts_are_refused)
{
	struct clause_layout bad = clauses[1];
	bad.fixed_size = 36;
	struct program p = program;
	p.clauses = &bad;
	p.clause_count = 1;
	struct consumer *c = NULL;
	struct record_source source = { .program = &p };
	struct consumer_setup setup = { .sources = &source, .source_count = 1 };
	struct error *err = consumer_new(&setup, &c);
	CHECK(err && strstr(error_text(err), "contradicts itself"));
	error_free(err);
}

static void note_drop(void *arg, const struct drop *drop)
{
	char *text = drop_text(drop);
	seen_add(text);
	seen_add("|");
	free(text);
}

TEST(drops_are_differences)
{
	fake_reset();
	struct area_counters counters[FAKE_CPUS] = { { .principal = 1 }, { .aggregation = 2 } };
	struct control control = { 0 };
	struct record_source source = { .program = &program,
					.control = &control,
					.counters = counters };
	struct consumer *c = fake_consumer_of(&source, false);
	seen[0] = '\0';
	consumer_drops(c, 0, note_drop, NULL);
	CHECK_STR(seen, "1 drop on CPU 0|2 aggregation drops on CPU 1|");
	counters[1].principal = 5;
	counters[0].spec_busy = counters[1].spec_busy = 1;
	counters[0].error_in_error = 1;
	seen[0] = '\0';
	control.no_area = 2;
	control.unreached = 4;
	consumer_drops(c, 3, note_drop, NULL);
	CHECK_STR(seen, "5 drops on CPU 1|2 failed speculations (available buffer(s) still busy)|"
			"1 error in ERROR probe enabling|"
			"2 firings dropped: more threads than areas|"
			"4 firings missed: the kernel was in a probe already, or too many calls of "
			"the function were under way|"
			"3 firings missed: the program was already running on that CPU|");
	seen[0] = '\0';
	consumer_drops(c, 3, note_drop, NULL);
	CHECK_STR(seen, "");
	counters[0].truncated_strings = 1;
	consumer_drops(c, 3, note_drop, NULL);
	CHECK_STR(seen,
		  "1 string truncated to strsize (256 bytes): -x strsize=N allows longer ones|");
	counters[0].truncated_strings = counters[1].truncated_strings = 2;
	seen[0] = '\0';
	consumer_drops(c, 3, note_drop, NULL);
	CHECK_STR(seen,
		  "3 strings truncated to strsize (256 bytes): -x strsize=N allows longer ones|");
	char *text = drop_text(&(struct drop) { .kind = DROP_TRUNCATED_STRINGS,
						.cpu = -1,
						.count = 2,
						.string_size = STRING_SIZE_MAX });
	CHECK_STR(text, "2 strings truncated to strsize (65536 bytes, the maximum)");
	free(text);
	counters[0].truncated_stacks = 1;
	seen[0] = '\0';
	consumer_drops(c, 3, note_drop, NULL);
	CHECK_STR(seen,
		  "1 stack truncated to the maximum number of frames (kernel.perf_event_max_stack, "
		  "at most 8192)|");
	seen[0] = '\0';
	for (unsigned n = 1; n <= 2; n++)
		note_drop(NULL, &(struct drop) { .kind = DROP_SUSPENDED, .cpu = -1, .count = n });
	CHECK_STR(seen,
		  "1 firing still suspended when tracing ended: its system call had not returned|"
		  "2 firings still suspended when tracing ended: their system calls had not "
		  "returned|");
	consumer_free(c);
}

/* Tag, one of them, two of them; tags and texts are read by scripts. */
TEST(each_drop_has_its_tag_and_its_words)
{
	static const struct {
		enum drop_kind kind;
		const char *tag, *one, *two;
	} cases[] = {
		{ DROP_PRINCIPAL, "PRINCIPAL", "1 drop on CPU 3", "2 drops on CPU 3" },
		{ DROP_AGGREGATION, "AGGREGATION", "1 aggregation drop on CPU 3",
		  "2 aggregation drops on CPU 3" },
		{ DROP_DYNAMIC, "DYNAMIC", "1 dynamic variable drop", "2 dynamic variable drops" },
		{ DROP_SPECULATION, "SPEC", "1 speculative drop", "2 speculative drops" },
		{ DROP_SPEC_BUSY, "SPECBUSY",
		  "1 failed speculation (available buffer(s) still busy)",
		  "2 failed speculations (available buffer(s) still busy)" },
		{ DROP_SPEC_UNAVAILABLE, "SPECUNAVAIL",
		  "1 failed speculation (no speculative buffer available)",
		  "2 failed speculations (no speculative buffer available)" },
		{ DROP_ERROR_IN_ERROR, "DBLERROR", "1 error in ERROR probe enabling",
		  "2 errors in ERROR probe enabling" },
		{ DROP_UNFINISHED, "UNFINISHED",
		  "1 firing still waited for memory when tracing ended",
		  "2 firings still waited for memory when tracing ended" },
		{ DROP_NO_AREA, "NOAREA", "1 firing dropped: more threads than areas",
		  "2 firings dropped: more threads than areas" },
		{ DROP_TAIL_CALLS, "TAILCALL",
		  "1 return fired at a jump to another function, without a result: too many such "
		  "functions were under way",
		  "2 returns fired at a jump to another function, without a result: too many such "
		  "functions were under way" },
		{ DROP_CALLS, "CALLS", "1 value of entry() dropped: too many calls were under way",
		  "2 values of entry() dropped: too many calls were under way" },
		{ DROP_UNREACHED, "UNREACHED",
		  "1 firing missed: the kernel was in a probe already, or too many calls of the "
		  "function were under way",
		  "2 firings missed: the kernel was in a probe already, or too many calls of the "
		  "function were under way" },
		{ DROP_MISSED, "MISSED",
		  "1 firing missed: the program was already running on that CPU",
		  "2 firings missed: the program was already running on that CPU" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool by_cpu = strstr(cases[i].one, "CPU 3");
		struct drop drop = { .kind = cases[i].kind, .cpu = by_cpu ? 3 : -1, .count = 1 };
		auto_free char *one = drop_text(&drop);
		drop.count = 2;
		auto_free char *two = drop_text(&drop);
		CHECK_STR(one, cases[i].one);
		CHECK_STR(two, cases[i].two);
		auto_free char *tag = mem_printf("DTRACEDROP_%s", cases[i].tag);
		CHECK_STR(drop_tag(cases[i].kind), tag);
	}
	CHECK_STR(drop_tag(DROP_TRUNCATED_STRINGS), "DTRACEDROP_STRSIZE");
	CHECK_STR(drop_tag(DROP_SUSPENDED), "DTRACEDROP_WAITING");
	CHECK_STR(drop_tag(DROP_TRUNCATED_STACKS), "DTRACEDROP_STACK");
}

TEST_MAIN
