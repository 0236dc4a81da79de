/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader_test - the interpreter's data for the consumer: records by area, elements, state
 *
 * The run-time library writes the records, as it does in a firing.
 */
#include <sched.h>

#include "interpreter/internal.h"
#include "test.h"

#define AREAS 3

static const struct map_layout maps[] = { { .key_size = 4, .value_size = 8, .max_entries = 4 },
					  { .key_size = 8, .value_size = 4, .max_entries = 4 } };
static const struct program program = {
	.area_count = AREAS, .globals_size = 16, .keyless_size = 8, .maps = maps, .map_count = 2
};

/* An interpreter without clauses, and its source. */
struct fixture {
	void *self;
	struct record_source source;
};

static void fixture_init(struct fixture *f, enum buffer_policy policy)
{
	struct executor_options options = { .policy = policy, .buffer_size = 4096 };
	CHECK(!interpreter_executor.load(&program, &options, &f->self));
	CHECK(!interpreter_executor.source(f->self, &f->source));
	native = ((struct interpreter *)f->self)->native;
}

static void fixture_deinit(struct fixture *f)
{
	interpreter_executor.free(f->self);
}

struct seen {
	char text[256];
	unsigned stop_after, count;
};

static struct error *see(void *arg, const void *data, uint32_t size)
{
	struct seen *s = arg;
	snprintf(s->text + strlen(s->text), sizeof(s->text) - strlen(s->text), "%.*s,", (int)size,
		 (const char *)data);
	return ++s->count == s->stop_after ? error_new("enough") : NULL;
}

static long buffer_put(unsigned area, const void *data, uint64_t size)
{
	return native.memory.functions->output(native.memory.arg, area, data, size);
}

static void write_record(unsigned area, const char *text)
{
	CHECK_INT(buffer_put(area, text, strlen(text)), 0);
}

static const char *drained(struct fixture *f, unsigned area, struct seen *s)
{
	*s = (struct seen) { 0 };
	CHECK(!f->source.reader->drain(f->source.self, area, see, s));
	return s->text;
}

TEST(records_come_in_their_order_and_once)
{
	struct fixture f;
	struct seen s;
	fixture_init(&f, POLICY_SWITCH);
	CHECK_STR(drained(&f, 1, &s), "");
	write_record(1, "a");
	write_record(1, "eight by");
	write_record(1, "and nine!");
	write_record(2, "elsewhere");
	CHECK_STR(drained(&f, 1, &s), "a,eight by,and nine!,");
	CHECK_STR(drained(&f, 1, &s), "");
	CHECK_STR(drained(&f, 0, &s), "");
	CHECK_STR(drained(&f, 2, &s), "elsewhere,");
	write_record(1, "again");
	CHECK_STR(drained(&f, 1, &s), "again,");
	fixture_deinit(&f);
}

TEST(a_full_buffer_refuses_and_is_whole)
{
	struct fixture f;
	struct seen s = { 0 };
	unsigned taken = 0;
	char record[100];
	fixture_init(&f, POLICY_SWITCH);
	memset(record, 'x', sizeof(record));
	while (taken < 1000 && buffer_put(0, record, sizeof(record)) == 0)
		taken++;
	CHECK(taken >= 30 && taken < 42);
	CHECK(!f.source.reader->drain(f.source.self, 0, see, &s));
	CHECK_INT(s.count, taken);
	write_record(0, "room");
	CHECK_STR(drained(&f, 0, &s), "room,");
	fixture_deinit(&f);
}

TEST(an_error_of_the_visitor_comes_back)
{
	struct fixture f;
	struct seen s = { .stop_after = 2 };
	fixture_init(&f, POLICY_SWITCH);
	for (unsigned i = 0; i < 5; i++)
		write_record(0, "r");
	auto_error struct error *err = f.source.reader->drain(f.source.self, 0, see, &s);
	CHECK_STR(err ? error_text(err) : "", "enough");
	CHECK_INT(s.count, 2);
	fixture_deinit(&f);
}

/* --- elements -------------------------------------------------------------------------------- */

static struct error *add_up(void *sum, const void *key, const void *value)
{
	uint32_t k;
	uint64_t v;
	memcpy(&k, key, sizeof(k));
	memcpy(&v, value, sizeof(v));
	*(uint64_t *)sum += k * 1000 + v;
	return NULL;
}

static uint64_t sum_of(struct fixture *f, unsigned map)
{
	uint64_t sum = 0;
	CHECK(!f->source.reader->visit(f->source.self, map, add_up, &sum));
	return sum;
}

TEST(elements_are_seen_changed_and_removed)
{
	struct fixture f;
	fixture_init(&f, POLICY_SWITCH);
	struct interpreter *i = f.self;
	uint32_t one = 1, two = 2;
	uint64_t value = 5;
	CHECK(elements_put(&i->own->maps[0], &one, &value));
	CHECK(elements_put(&i->own->maps[0], &two, &value));
	CHECK_INT(sum_of(&f, 0), 3010);
	CHECK_INT(sum_of(&f, 1), 0);
	value = 7;
	CHECK(!f.source.reader->update(f.source.self, 0, &two, &value));
	CHECK_INT(sum_of(&f, 0), 3012);
	CHECK(!f.source.reader->remove(f.source.self, 0, &one));
	CHECK_INT(sum_of(&f, 0), 2007);
	CHECK(!f.source.reader->remove(f.source.self, 0, &one)); /* is gone: not an error */
	fixture_deinit(&f);
}

TEST(the_state_is_that_of_the_program)
{
	struct fixture f;
	bool all = false;
	fixture_init(&f, POLICY_SWITCH);
	CHECK(f.source.program == &program);
	CHECK(f.source.control == native.memory.control &&
	      f.source.counters == native.memory.counters);
	CHECK(!f.source.clause_drops && f.source.globals && f.source.keyless);
	CHECK(!f.source.reader->requests);
	CHECK(!f.source.reader->settle(f.source.self, &all));
	CHECK(all);
	fixture_deinit(&f);
}

/* --- refusals -------------------------------------------------------------------------------- */

TEST(it_runs_begin_end_and_ticks)
{
	struct event event = { .kind = EVENT_BEGIN };
	CHECK(!interpreter_executor.refuse_event(&event));
	event.kind = EVENT_END;
	CHECK(!interpreter_executor.refuse_event(&event));
	event = (struct event) { .kind = EVENT_TIMER, .timer = { .period = 1 } };
	CHECK(!interpreter_executor.refuse_event(&event));
	event.timer.on_each_cpu = true;
	CHECK(interpreter_executor.refuse_event(&event));
	for (int kind = 0; kind < EVENT_COUNT; kind++) {
		event = (struct event) { .kind = (enum event_kind)kind };
		if (kind != EVENT_BEGIN && kind != EVENT_END && kind != EVENT_TIMER)
			CHECK(interpreter_executor.refuse_event(&event));
	}
}

TEST(what_only_the_kernel_has_is_refused_by_name)
{
	auto_error struct error *err = interpreter_executor.refuse_call(RT_task);
	CHECK_STR(err ? error_text(err) : "", "it needs a function that only the kernel has, not "
					      "the interpreter (curthread, curpsinfo, cwd or the "
					      "like: current task, typed)");
	for (int f = 0; f < RT_COUNT; f++) {
		auto_error struct error *why =
			interpreter_executor.refuse_call((enum rt_function)f);
		CHECK_INT(why != NULL, rt_row((enum rt_function)f)->where == WHERE_KERNEL);
	}
}

/* --- areas ------------------------------------------------------------------------------------ */

/* BEGIN { the first global = 7; } */
static const struct bpf_insn store_seven[] = {
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1 },
	{ 0 },
	{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 1, .imm = 7 },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
	{ .code = BPF_JMP | BPF_EXIT },
};
static const struct relocation of_globals = { .kind = RELOCATE_GLOBALS };
static const struct group_code begin = { .kind = EVENT_BEGIN,
					 .code = store_seven,
					 .count = 5,
					 .relocations = &of_globals,
					 .relocation_count = 1 };

/*
 * Fire BEGIN on the only CPU ON; *GLOBAL: the value that it stored, *DROPS: firings without an
 * area.
 */
static void fire_on(int on, uint64_t *global, uint64_t *drops)
{
	const struct program one = {
		.area_count = 1, .globals_size = 8, .groups = &begin, .group_count = 1
	};
	struct executor_options options = { .buffer_size = 4096 };
	struct record_source source;
	cpu_set_t cpu;
	void *self;
	CPU_ZERO(&cpu);
	CPU_SET(on, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) < 0)
		SKIP("needs CPUs 0 and 1");
	CHECK(!interpreter_executor.load(&one, &options, &self));
	CHECK(!interpreter_executor.source(self, &source));
	CHECK(!interpreter_executor.fire(self, 0, 0));
	memcpy(global, source.globals, sizeof(*global));
	*drops = source.control->no_area;
	interpreter_executor.free(self);
}

TEST(a_firing_without_an_area_does_not_begin_and_is_counted)
{
	uint64_t global = 1, drops = 1;
	fire_on(0, &global, &drops);
	CHECK_INT(global, 7);
	CHECK_INT(drops, 0);
	fire_on(1, &global, &drops);
	CHECK_INT(global, 0);
	CHECK_INT(drops, 1);
}

/* --- arguments that are addresses ---------------------------------------------------------------
 */

/* output(ADDRESS, 64, 0) */
static const char *output_of(uint64_t address)
{
	const struct bpf_insn code[] = {
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1, .imm = (int32_t)address },
		{ .imm = (int32_t)(address >> 32) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = 64 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3 },
		{ .code = BPF_JMP | BPF_CALL },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const struct relocation call = { .instruction = 4,
					 .kind = RELOCATE_CALL,
					 .index = RT_output };
	const struct group_code group = { .kind = EVENT_BEGIN,
					  .code = code,
					  .count = ARRAY_SIZE(code),
					  .relocations = &call,
					  .relocation_count = 1 };
	const struct program one = {
		.area_count = 64, .globals_size = 8, .groups = &group, .group_count = 1
	};
	static char text[512];
	struct executor_options options = { .buffer_size = 4096 };
	void *self;
	CHECK(!interpreter_executor.load(&one, &options, &self));
	auto_error struct error *err = interpreter_executor.fire(self, 0, 0);
	snprintf(text, sizeof(text), "%s", err ? error_text(err) : "");
	interpreter_executor.free(self);
	return text;
}

TEST(a_function_gets_only_addresses_of_the_program)
{
	char bytes[64] = "";
	CHECK(strstr(output_of((uintptr_t)bytes), "touches memory that is not its own"));
	CHECK(strstr(output_of(0), "touches memory that is not its own"));
}

/* The task that the library reads is not followed by what else is ours. */
TEST(the_library_owns_no_more_than_the_task)
{
	struct fixture f;
	fixture_init(&f, POLICY_SWITCH);
	const char *task = (const char *)&native.task;
	CHECK(native_owns(task, sizeof(native.task)));
	CHECK(native_owns(task + sizeof(native.task) - 1, 1));
	CHECK(!native_owns(task + sizeof(native.task) - 1, 2));
	CHECK(!native_owns(task + 8, SIZE_MAX));
	fixture_deinit(&f);
}

TEST_MAIN
