/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fire_test - BEGIN, END and ticks by the interpreter on the processes' memory: the same records,
 * elements and variables as on its own
 */
#include <poll.h>
#include <sched.h>

#include "shared.h"

#define AREA 1 /* the tracer's, of two; and the CPU on which the plain interpreter fires */

static const struct executor_options usual = { .buffer_size = 65536,
					       .dynamic_size = 1 << 16,
					       .speculation_count = 2,
					       .speculation_size = 4096 };

/* --- what a run leaves, as text --------------------------------------------------------------- */

static void put_bytes(struct strbuf *s, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		strbuf_printf(s, "%02x", ((const unsigned char *)bytes)[i]);
}

/* Without what differs from run to run: the time, and the places of memory. */
static void put_record(struct strbuf *s, const char *bytes, uint64_t size)
{
	struct record_header h;
	struct record_fault fault;
	memcpy(&h, bytes, sizeof(h));
	strbuf_printf(s, "record %u clause %u probe %u cpu %u: ", h.kind, h.clause, h.probe, h.cpu);
	if (h.kind == RECORD_FAULT) {
		memcpy(&fault, bytes + sizeof(h), sizeof(fault));
		strbuf_printf(s, "fault %u of action %u\n", fault.code, fault.action);
		return;
	}
	if (h.kind != RECORD_GROUP) {
		put_bytes(s, bytes + sizeof(h), size - sizeof(h));
		strbuf_puts(s, "\n");
		return;
	}
	strbuf_puts(s, "group\n");
	for (uint64_t at = sizeof(h), inner; at + 8 < size; at += ALIGN_UP(8 + inner, 8)) {
		memcpy(&inner, bytes + at, sizeof(inner));
		if (!inner)
			break;
		put_record(s, bytes + at + sizeof(inner), inner);
	}
}

static struct error *record_seen(void *arg, const void *data, uint32_t size)
{
	put_record(arg, data, size);
	return NULL;
}

/* Elements in the order of their bytes, whatever that of the map is. */
struct map_seen {
	const struct map_layout *layout;
	char *lines[64];
	unsigned count;
};

static struct error *element_seen(void *arg, const void *key, const void *value)
{
	struct map_seen *seen = arg;
	struct strbuf line = { 0 };
	put_bytes(&line, key, seen->layout->key_size);
	strbuf_puts(&line, " = ");
	put_bytes(&line, value, seen->layout->value_size);
	CHECK(seen->count < ARRAY_SIZE(seen->lines));
	if (seen->count < ARRAY_SIZE(seen->lines))
		seen->lines[seen->count++] = mem_strdup(strbuf_text(&line));
	strbuf_deinit(&line);
	return NULL;
}

static int line_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_map(struct strbuf *s, struct map_seen *seen)
{
	qsort(seen->lines, seen->count, sizeof(seen->lines[0]), line_order);
	for (unsigned i = 0; i < seen->count; i++) {
		strbuf_printf(s, "%s: %s\n", seen->layout->name, seen->lines[i]);
		free(seen->lines[i]);
	}
}

static void put_state(struct strbuf *s, const struct program *p, const char *globals,
		      const char *keyless, const struct area_counters *counters,
		      const struct control *control)
{
	strbuf_puts(s, "globals ");
	put_bytes(s, globals, p->globals_size);
	strbuf_puts(s, "\nkeyless ");
	put_bytes(s, keyless, (size_t)p->area_count * p->keyless_size);
	strbuf_puts(s, "\ncounters ");
	put_bytes(s, counters, p->area_count * sizeof(*counters));
	strbuf_printf(s, "\nactivity %u status %llu\n", control->activity,
		      (unsigned long long)control->status);
}

/* --- both ways -------------------------------------------------------------------------------- */

/* BEGIN, three ticks, END. */
static void fire_all(void *self, const struct program *p, struct control *control)
{
	static const enum event_kind order[] = { EVENT_BEGIN, EVENT_TIMER, EVENT_TIMER, EVENT_TIMER,
						 EVENT_END };
	control->activity = ACTIVITY_ACTIVE;
	for (unsigned k = 0; k < ARRAY_SIZE(order); k++)
		for (unsigned i = 0; i < p->group_count; i++)
			if (p->groups[i].kind == order[k] && !p->groups[i].part)
				check_holds("firing", interpreter_executor.fire(self, i, 0));
}

static void run_shared(struct strbuf *s, const struct program *p)
{
	struct shared shared;
	shared_init(&shared, p, &usual);
	CHECK_INT(shared.memory.area, AREA);
	fire_all(shared.self, p, shared.memory.control);
	for (unsigned n = 0; n < p->area_count; n++)
		check_holds("drain", agent_drain(&shared.view, n, record_seen, s));
	for (unsigned map = 0; map < p->map_count; map++) {
		struct map_seen seen = { .layout = &p->maps[map] };
		check_holds("visit", agent_visit(&shared.view, map, element_seen, &seen));
		put_map(s, &seen);
	}
	put_state(s, p, shared.memory.globals, shared.memory.keyless, shared.memory.counters,
		  shared.memory.control);
	shared_deinit(&shared);
}

static void run_plain(struct strbuf *s, const struct program *p)
{
	struct record_source source;
	void *self;
	check_holds("load", interpreter_executor.load(p, &usual, &self));
	check_holds("source", interpreter_executor.source(self, &source));
	fire_all(self, p, source.control);
	for (unsigned n = 0; n < p->area_count; n++)
		check_holds("drain", source.reader->drain(source.self, n, record_seen, s));
	for (unsigned map = 0; map < p->map_count; map++) {
		struct map_seen seen = { .layout = &p->maps[map] };
		check_holds("visit", source.reader->visit(source.self, map, element_seen, &seen));
		put_map(s, &seen);
	}
	put_state(s, p, source.globals, source.keyless, source.counters, source.control);
	interpreter_executor.free(self);
}

/* Where the shared memory must be as the other, of which LEAST lines are known. */
static void check_same(const char *script, const char *least)
{
	cpu_set_t cpu;
	CPU_ZERO(&cpu);
	CPU_SET(AREA, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) < 0)
		SKIP("needs CPU 1");
	auto_strbuf struct strbuf plain = { 0 }, shared = { 0 };
	struct compiled c;
	shared_compile(&c, script);
	CHECK(program_runs(&c.program));
	run_plain(&plain, &c.program);
	run_shared(&shared, &c.program);
	CHECK_STR(strbuf_text(&shared), strbuf_text(&plain));
	CHECK(strstr(strbuf_text(&shared), least));
	if (!strstr(strbuf_text(&shared), least))
		printf("%s", strbuf_text(&shared));
	compiled_deinit(&c);
}

TEST(variables_and_keyless_aggregations)
{
	check_same(
		"int x; string s; self int t; BEGIN { x = 5; s = \"abc\"; self->t = 3; }\n"
		"tick-1 { x += self->t; @ = count(); @a = avg(x); @m = min(x); @d = stddev(x); }\n"
		"END { @q = quantize(x); s = strjoin(s, \"def\"); }",
		"globals 0e");
}

TEST(aggregations_and_arrays_by_key)
{
	check_same(
		"int n; long a[int, string];\n"
		"tick-1 { n++; @[n] = count(); @s[\"odd\", n & 1] = sum(n); a[n, \"x\"] = n * n;\n"
		"  @l[n] = lquantize(n, 0, 10, 1); }\n"
		"END { a[1, \"x\"] = 0; a[2, \"x\"]++; @[a[2, \"x\"]] = count(); }",
		" = ");
}

TEST(records)
{
	check_same("int n; BEGIN { printf(\"%d %s\\n\", 42, \"text\"); trace(execname); }\n"
		   "tick-1 { n++; printf(\"%d %s\", n, substr(\"abcdef\", n)); tracemem(&`max_pfn, "
		   "8); }\n"
		   "END { printf(\"%s\", lltostr(n, 16)); print(n); exit(n); }",
		   "record 0 clause 0 probe 1 cpu 1");
}

TEST(speculations)
{
	check_same("self int id; int n; BEGIN { self->id = speculation(); }\n"
		   "tick-1 { speculate(self->id); printf(\"%d\", n++); }\n"
		   "tick-1 /n == 3/ { commit(self->id); self->id = speculation(); }\n"
		   "END { speculate(self->id); trace(7); } END { discard(self->id); }",
		   "group");
}

TEST(faults_and_the_error_clause)
{
	check_same("int n, e; int *p; BEGIN { trace(*p); }\n"
		   "tick-1 { n++; trace(10 / (n - 2)); @[n] = sum(1 / (n - 3)); }\n"
		   "ERROR { e += arg4; @e[arg4] = count(); printf(\"%d\", arg4); }",
		   "fault 4");
}

TEST(strings_of_every_function)
{
	check_same(
		"string s, t; BEGIN { s = \"/usr/lib//x.y\"; t = basename(s); trace(dirname(s));\n"
		"  trace(cleanpath(\"a/../b/./c\")); trace(strtok(s, \"/\")); trace(strtok(NULL, "
		"\".\"));\n"
		"  trace(index(s, \"lib\")); trace(json(\"{\\\"a\\\":[1,{\\\"b\\\":2}]}\", "
		"\"a[1].b\"));\n"
		"  trace(toupper(t)); trace(strtoll(\"-17\")); trace(strstr(s, \"lib\"));\n"
		"  trace(strchr(s, 'l')); trace(s == t); @[s, t] = count(); }",
		"record 0");
}

TEST(memory_of_its_own)
{
	check_same(
		"char *p; this char *q; BEGIN { this->q = (char *)alloca(16);\n"
		"  bcopy(\"0123456\", this->q, 8); this->q[3] = 'x'; trace(stringof(this->q)); }\n"
		"END { trace(progenyof(1)); trace(ppid); }",
		"record 0");
}

/* --- ticks by their time -----------------------------------------------------------------------
 */

static struct error *value_sum(void *sum, const void *key, const void *value)
{
	uint64_t n;
	memcpy(&n, value, sizeof(n));
	*(uint64_t *)sum += n;
	return NULL;
}

TEST(ticks_fire_when_they_are_due)
{
	struct compiled c;
	struct shared s;
	uint64_t sum = 0;
	shared_compile(&c, "tick-1 { @[1] = count(); } syscall::read:entry { @[1] = count(); }");
	for (unsigned i = 0; i < c.program.group_count; i++)
		for (uint32_t k = 0; k < c.program.groups[i].event_count; k++)
			if (c.program.groups[i].kind == EVENT_TIMER)
				((struct event *)&c.program.groups[i].events[k])->timer.period =
					5000000;
	shared_init(&s, &c.program, &usual);
	struct executor_request request = { 0 };
	check_holds("attach", interpreter_executor.attach(s.self, &request));
	for (unsigned i = 0; i < 3; i++) {
		struct pollfd p = { interpreter_executor.poll_fd(s.self, 0), POLLIN, 0 };
		CHECK_INT(poll(&p, 1, 5000), 1);
		check_holds("step", interpreter_executor.step(s.self, false));
	}
	check_holds("visit", agent_visit(&s.view, 0, value_sum, &sum));
	CHECK(sum >= 3);
	shared_deinit(&s);
	compiled_deinit(&c);
}

/* --- what is refused on memory that others write to ------------------------------------------- */

static int shared_global(const struct shared *s)
{
	int value;
	memcpy(&value, s->memory.globals, sizeof(value));
	return value;
}

/* BEGIN, after which the only global is X; FAULTS: records of bad addresses. */
static void fire_begin(const char *script, int x, unsigned faults)
{
	auto_strbuf struct strbuf text = { 0 };
	struct compiled c;
	struct shared s;
	unsigned count = 0;
	shared_compile(&c, script);
	shared_init(&s, &c.program, &usual);
	check_holds("firing", interpreter_executor.fire(s.self, 0, 0));
	check_holds("drain", agent_drain(&s.view, AREA, record_seen, &text));
	for (const char *at = strbuf_text(&text); (at = strstr(at, "fault 1 ")); at++)
		count++;
	CHECK_INT(count, faults);
	CHECK_INT(shared_global(&s), x);
	shared_deinit(&s);
	compiled_deinit(&c);
}

TEST(the_tracers_memory_is_not_read_or_written)
{
	static char secret[] = "secret";
	auto_free char *read = mem_printf("int x; BEGIN { trace(copyinstr(%llu)); x = 1; }",
					  (unsigned long long)(uintptr_t)secret);
	auto_free char *write =
		mem_printf("int x; BEGIN { copyoutstr(\"public\", %llu, 7); x = 1; }",
			   (unsigned long long)(uintptr_t)secret);
	fire_begin(read, 0, 1);
	fire_begin(write, 0, 1);
	CHECK_STR(secret, "secret");
	fire_begin("int x; BEGIN { raise(9); x = 1; }", 0, 0); /* another fault */
}

TEST(the_buffer_is_full_at_last_and_used_again)
{
	struct compiled c;
	struct shared s;
	auto_strbuf struct strbuf text = { 0 };
	char record[1000] = "";
	shared_compile(&c, "BEGIN { trace(1); }");
	shared_init(&s, &c.program, &usual);
	for (unsigned round = 0; round < 5; round++) {
		unsigned count = 0;
		while (count < 1000 && agent_put(&s.view, record, sizeof(record)))
			count++;
		CHECK_INT(count, s.layout.head.ring_size / 1008);
		CHECK_INT(agent_used(&s.view), count * 1008);
		check_holds("drain", agent_drain(&s.view, AREA, record_seen, &text));
		CHECK_INT(agent_used(&s.view), 0);
	}
	CHECK(!agent_put(&s.view, record, s.layout.head.record_most + 1));
	shared_deinit(&s);
	compiled_deinit(&c);
}

/* --- the area ----------------------------------------------------------------------------------
 */

static bool all_ended(void *arg, uint32_t process, uint32_t thread, uint64_t own)
{
	return true;
}

TEST(the_area_stays_the_tracers)
{
	struct compiled c;
	struct shared s;
	shared_compile(&c, "BEGIN { trace(1); }");
	shared_init(&s, &c.program, &usual);
	struct process_area *areas =
		(struct process_area *)(void *)(s.view.memory + s.layout.head.areas);
	areas[0].owner = area_key(1, 4711);
	agent_release(&s.view, all_ended, NULL);
	CHECK_INT(areas[0].owner, AREA_FREE);
	CHECK_INT(areas[AREA].owner, AREA_TRACER);
	shared_deinit(&s);
	compiled_deinit(&c);
}

TEST_MAIN
