/* SPDX-License-Identifier: BSD-2-Clause */
/* drops - drops since the last report */
#include <string.h>

#include "consumer/internal.h"

enum drop_scope { SCOPE_CPU, SCOPE_ALL };

static const struct drop_row {
	size_t counter; /* offset in struct area_counters */
	enum drop_scope scope;
	const char *tag, *what, *more;
} drop_rows[] = {
#define DROP(id, field, scope, tag, what, more)                                                    \
	{ offsetof(struct area_counters, field), SCOPE_##scope, tag, what, more },
#include "consumer/drop.def"
#undef DROP
};

/* They only grow; but a process may damage those that are in its memory. */
static uint64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? now - before : 0;
}

/* How much the counter has grown in an area since the last call. */
static uint64_t counter_growth(const struct lane *lane, const struct drop_row *row)
{
	const char *counters = (const char *)&lane->input->source.counters[lane->area];
	char *reported = (char *)&lane->input->reported[lane->area];
	uint64_t now = __atomic_load_n((const uint64_t *)(const void *)(counters + row->counter),
				       __ATOMIC_RELAXED);
	uint64_t before;
	memcpy(&before, reported + row->counter, sizeof(before));
	memcpy(reported + row->counter, &now, sizeof(now));
	return growth(before, now);
}

static void visit_drop_of_area(const struct lane *lane, enum drop_kind kind, uint64_t count,
			       drop_visit_fn *visit, void *arg)
{
	const char *words = lane->input->source.area_words;
	visit(arg, &(struct drop) { .kind = kind,
				    .cpu = words ? -1 : (int)lane->area,
				    .area_words = words,
				    .area = lane->area,
				    .count = count });
}

static void drops_of_row(struct consumer *c, enum drop_kind kind, drop_visit_fn *visit, void *arg)
{
	const struct drop_row *row = &drop_rows[kind];
	struct drop all = {
		.kind = kind,
		.cpu = -1,
		.string_size = c->program->string_size,
	};
	for (unsigned i = 0; i < c->lane_count; i++) {
		const struct lane *lane = &c->lanes[i];
		uint64_t count = lane->input->source.counters ? counter_growth(lane, row) : 0;
		if (row->scope == SCOPE_ALL)
			all.count += count;
		else if (count)
			visit_drop_of_area(lane, kind, count, visit, arg);
	}
	if (all.count)
		visit(arg, &all);
}

/* --- by clause ------------------------------------------------------------------------------ */

static const enum drop_kind clause_kinds[CLAUSE_DROP_KINDS] = {
	[CLAUSE_DROP_PRINCIPAL] = DROP_PRINCIPAL,
	[CLAUSE_DROP_AGGREGATION] = DROP_AGGREGATION,
	[CLAUSE_DROP_DYNAMIC] = DROP_DYNAMIC,
	[CLAUSE_DROP_SPECULATION] = DROP_SPECULATION,
	[CLAUSE_DROP_TRUNCATED_STRINGS] = DROP_TRUNCATED_STRINGS,
	[CLAUSE_DROP_TRUNCATED_STACKS] = DROP_TRUNCATED_STACKS,
};

static uint64_t clause_count(const struct consumer *c, unsigned clause, enum clause_drop kind)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < c->lane_count; i++) {
		const struct lane *lane = &c->lanes[i];
		const struct clause_drops *drops = lane->input->source.clause_drops;
		if (drops)
			sum += __atomic_load_n(
				&drops[lane->area * c->program->clause_count + clause].count[kind],
				__ATOMIC_RELAXED);
	}
	return sum;
}

static void drops_of_clauses(struct consumer *c, enum clause_drop kind, drop_visit_fn *visit,
			     void *arg)
{
	const struct program *p = c->program;
	for (unsigned i = 0; i < p->clause_count; i++) {
		uint64_t now = clause_count(c, i, kind);
		struct drop drop = {
			.kind = clause_kinds[kind],
			.cpu = -1,
			.clause = &p->clauses[i],
			.count = growth(c->reported_clauses[i].count[kind], now),
		};
		c->reported_clauses[i].count[kind] = now;
		if (drop.count)
			visit(arg, &drop);
	}
}

/* Those that executors count in the word at OFFSET of struct control. */
static void drops_of_executors(struct consumer *c, enum drop_kind kind, size_t offset,
			       uint64_t *reported, drop_visit_fn *visit, void *arg)
{
	uint64_t now = 0;
	for (unsigned i = 0; i < c->setup.source_count; i++) {
		const char *control = (const char *)c->inputs[i].source.control;
		now += control ? __atomic_load_n((const uint64_t *)(control + offset),
						 __ATOMIC_RELAXED)
			       : 0;
	}
	struct drop drop = { .kind = kind, .cpu = -1, .count = growth(*reported, now) };
	*reported = now;
	if (drop.count)
		visit(arg, &drop);
}

void consumer_drops(struct consumer *c, uint64_t missed, drop_visit_fn *visit, void *arg)
{
	for (enum drop_kind kind = 0; kind < DROP_MISSED; kind++)
		drops_of_row(c, kind, visit, arg);
	drops_of_executors(c, DROP_NO_AREA, offsetof(struct control, no_area), &c->reported_no_area,
			   visit, arg);
	drops_of_executors(c, DROP_UNREACHED, offsetof(struct control, unreached),
			   &c->reported_unreached, visit, arg);
	drops_of_executors(c, DROP_TAIL_CALLS, offsetof(struct control, exit_notes_missed),
			   &c->reported_tail_calls, visit, arg);
	drops_of_executors(c, DROP_RECORDS, offsetof(struct control, records_lost),
			   &c->reported_records, visit, arg);
	drops_of_executors(c, DROP_CALLS, offsetof(struct control, calls_dropped),
			   &c->reported_calls, visit, arg);
	if (missed > c->reported_missed) {
		struct drop drop = { .kind = DROP_MISSED, .cpu = -1 };
		drop.count = missed - c->reported_missed;
		c->reported_missed = missed;
		visit(arg, &drop);
	}
	for (enum clause_drop kind = 0; kind < CLAUSE_DROP_KINDS; kind++)
		drops_of_clauses(c, kind, visit, arg);
}

const char *drop_tag(enum drop_kind kind)
{
	static const char *const tags[] = {
		[DROP_MISSED - DROP_MISSED] = "DTRACEDROP_MISSED",
		[DROP_UNREACHED - DROP_MISSED] = "DTRACEDROP_UNREACHED",
		[DROP_TAIL_CALLS - DROP_MISSED] = "DTRACEDROP_TAILCALL",
		[DROP_CALLS - DROP_MISSED] = "DTRACEDROP_CALLS",
		[DROP_NO_AREA - DROP_MISSED] = "DTRACEDROP_NOAREA",
		[DROP_RECORDS - DROP_MISSED] = "DTRACEDROP_RECORDS",
		[DROP_UNFINISHED - DROP_MISSED] = "DTRACEDROP_UNFINISHED",
		[DROP_CALLERS - DROP_MISSED] = "DTRACEDROP_CALLERS",
		[DROP_SUSPENDED - DROP_MISSED] = "DTRACEDROP_WAITING",
		[DROP_NATIVE_STACKS - DROP_MISSED] = "DTRACEDROP_NATIVE",
		[DROP_CUT_FRAMES - DROP_MISSED] = "DTRACEDROP_STKSTROVERFLOW",
		[DROP_JIT_FRAMES - DROP_MISSED] = "DTRACEDROP_JIT",
	};
	return kind < DROP_MISSED ? drop_rows[kind].tag : tags[kind - DROP_MISSED];
}

/* What is missing in printed jstack()s; what NULL: another kind. */
static struct drop_row missing_row(enum drop_kind kind)
{
	switch (kind) {
	case DROP_NATIVE_STACKS:
		return (struct drop_row) {
			.what = "user stack",
			.more = " of CPython shown without frames of Python: jstack() knows those "
				"of 3.11 to 3.13, from its first look at a process on",
		};
	case DROP_CUT_FRAMES:
		return (struct drop_row) { .what = "interpreter frame",
					   .more = " truncated (jstackstrsize)" };
	case DROP_JIT_FRAMES:
		return (struct drop_row) {
			.what = "frame",
			.more = " of jstack() without a name, in no known file: code of a JIT has "
				"one by a perf map (java: -XX:+DumpPerfMapAtExit, or jcmd PID "
				"Compiler.perfmap; node: --perf-basic-prof)",
		};
	default:
		return (struct drop_row) { 0 };
	}
}

char *drop_text(const struct drop *drop)
{
	unsigned long long n = drop->count;
	const char *plural = n > 1 ? "s" : "";
	if (drop->kind == DROP_MISSED)
		return mem_printf(
			"%llu firing%s missed: the program was already running on that CPU", n,
			plural);
	if (drop->kind == DROP_UNREACHED)
		return mem_printf("%llu firing%s missed: the kernel was in a probe already, or too "
				  "many calls of the function were under way",
				  n, plural);
	if (drop->kind == DROP_TAIL_CALLS)
		return mem_printf("%llu return%s fired at a jump to another function, without a "
				  "result: too many such functions were under way",
				  n, plural);
	if (drop->kind == DROP_CALLS)
		return mem_printf("%llu value%s of entry() dropped: too many calls were under way",
				  n, plural);
	if (drop->kind == DROP_NO_AREA)
		return mem_printf("%llu firing%s dropped: more threads than areas", n, plural);
	if (drop->kind == DROP_RECORDS)
		return mem_printf("%llu record%s lost: the threads ended while they wrote", n,
				  plural);
	if (drop->kind == DROP_UNFINISHED)
		return mem_printf("%llu firing%s still waited for memory when tracing ended", n,
				  plural);
	if (drop->kind == DROP_CALLERS)
		return mem_printf("%llu user stack%s shown without all callers (...): %s", n,
				  plural, stack_end_row(drop->stack_end)->words);
	if (drop->kind == DROP_SUSPENDED)
		return mem_printf(
			"%llu firing%s still suspended when tracing ended: %s system call%s "
			"had not returned",
			n, plural, n > 1 ? "their" : "its", plural);
	struct drop_row missing = missing_row(drop->kind);
	if (missing.what)
		return mem_printf("%llu %s%s%s", n, missing.what, plural, missing.more);
	const struct drop_row *row = &drop_rows[drop->kind];
	if (drop->clause)
		return mem_printf("of these, %llu %s%s in clause %u (%s, line %u)", n, row->what,
				  plural, drop->clause->epid, drop->clause->description,
				  drop->clause->line);
	if (drop->cpu >= 0)
		return mem_printf("%llu %s%s on CPU %d%s", n, row->what, plural, drop->cpu,
				  row->more);
	if (drop->area_words)
		return mem_printf("%llu %s%s %s %u%s", n, row->what, plural, drop->area_words,
				  drop->area, row->more);
	if (drop->kind == DROP_TRUNCATED_STRINGS)
		return mem_printf("%llu %s%s%s (%u bytes%s", n, row->what, plural, row->more,
				  drop->string_size,
				  drop->string_size < STRING_SIZE_MAX
					  ? "): -x strsize=N allows longer ones"
					  : ", the maximum)");
	return mem_printf("%llu %s%s%s", n, row->what, plural, row->more);
}
