/* SPDX-License-Identifier: BSD-2-Clause */
#include "codegen/codegen.h"

#include "codegen/gen.h"

void *gen_keep(struct gen *g, const void *items, size_t size)
{
	void *to = arena_alloc(g->arena, size ? size : 1);
	if (size)
		memcpy(to, items, size);
	return to;
}

/* A power of two, so that the run-time library finds a slot's start by a mask. */
static uint32_t slot_size(const struct gen *g)
{
	uint32_t size = 256;
	while (size < g->slot.max && size < 1u << 31)
		size *= 2;
	return size;
}

/* A record's cost in the buffer, in addition to its bytes: the ring's header, rounding. */
#define RING_OVERHEAD 16

/* Size of the fault records of clauses that fire without end. */
#define FAULTS_ONLY (256u << 10)

/* Do all of CLAUSE's probes fire once?  ERROR fires for each fault. */
static bool fires_once(const struct tclause *clause)
{
	for (unsigned i = 0; i < clause->probe_count; i++) {
		const struct probe *p = clause->probes[i];
		if (!probe_has_event(p, EVENT_BEGIN) && !probe_has_event(p, EVENT_END))
			return false;
	}
	return true;
}

static bool is_end(const struct tclause *clause)
{
	for (unsigned i = 0; i < clause->probe_count; i++)
		if (probe_has_event(clause->probes[i], EVENT_END))
			return true;
	return false;
}

/* Records of loops in END beyond that need a larger bufsize, if drops are reported. */
#define END_PASSES_MOST 1024ull

/* Clauses that only aggregate need no more room than the faults, whatever BEGIN and END leave. */
static void sum_records(struct gen *g)
{
	struct program *p = g->program;
	uint64_t total = 0;
	bool more = g->plan->options->more_may_come, bounded = !more, endless = false;
	for (unsigned i = 0; i < g->plan->typed->clause_count; i++) {
		const struct tclause *clause = g->plan->typed->clauses[i];
		uint64_t size = plan_record_size(g->plan, clause);
		uint64_t more_records = plan_records_of_loops(g->plan, clause->body);
		bool records = g->plan->clauses[i].layout.records;
		p->largest_record = MAX(p->largest_record, size);
		total += (1 + more_records) * (size + RING_OVERHEAD) +
			 sizeof(struct record_header) + sizeof(struct record_fault) + RING_OVERHEAD;
		bool once = !more && fires_once(clause);
		bounded &= once;
		endless |= records && !once;
		if (records && is_end(clause))
			p->end_records +=
				(1 + MIN(more_records, END_PASSES_MOST)) * (size + RING_OVERHEAD);
	}
	p->records_at_most = endless ? UINT64_MAX : MAX(total * 2, bounded ? 0 : FAULTS_ONLY);
}

static void gen_groups(struct gen *g)
{
	struct event_groups list = g->plan->groups;
	for (unsigned i = 0; i < list.count; i++) {
		gen_group(g, &list.items[i], list.items[i].kind);
		if (event_is_syscall_entry(list.items[i].kind) && g->plan->suspends)
			gen_group(g, &list.items[i], EVENT_SYSCALL_RESUME);
	}
}

static void program_finish(struct gen *g)
{
	struct program *p = g->program;
	unsigned count = g->plan->typed->clause_count;
	struct clause_layout *clauses = arena_alloc(g->arena, (count + 1) * sizeof(*clauses));
	for (unsigned i = 0; i < count; i++)
		clauses[i] = g->plan->clauses[i].layout;
	p->version = RECORD_VERSION;
	p->groups = gen_keep(g, g->groups.items, g->groups.count * sizeof(*g->groups.items));
	p->group_count = (uint32_t)g->groups.count;
	p->clauses = clauses;
	p->clause_count = count;
	p->aggregations = g->plan->aggregations;
	p->aggregation_count = g->plan->typed->aggregation_count;
	p->maps = g->plan->maps;
	p->map_count = g->plan->map_count;
	p->globals_size = g->plan->globals_size;
	p->keyless_size = g->plan->keyless_size;
	p->self_size = g->plan->self_size;
	p->call_size = g->plan->call_size;
	p->call_values = g->plan->typed->entry_values;
	p->suspended_size = g->plan->suspended_size;
	p->zeros_size = g->plan->zeros_size;
	/* Space for a whole string after the last literal: the verifier requires it. */
	strbuf_fill(&g->constants.bytes, 0, plan_string_room(g->plan));
	p->constants = gen_keep(g, g->constants.bytes.text, g->constants.bytes.len);
	p->constants_size = (uint32_t)g->constants.bytes.len;
	p->slot_size = slot_size(g);
	p->string_size = g->plan->options->string_size;
	p->area_count = g->plan->options->area_count;
	p->cpu_count = g->plan->options->cpu_count;
	p->drops_by_clause = g->plan->options->drops_by_clause;
	sum_records(g);
	plan_complete(g->plan);
}

/* One round (needs.c).  False: its code is not the program. */
static bool program_generate(struct gen *g)
{
	g->constants.literals = hash_new();
	*g->program = (struct program) { 0 };
	g->slot.max = g->plan->alloca_end;
	strbuf_fill(&g->constants.bytes, 0, g->plan->zeros_size);
	gen_groups(g);
	bool is_whole = !g->again && !g->found.spill && !g->found.share_maps;
	if (is_whole)
		program_finish(g);
	hash_free(g->constants.literals);
	strbuf_deinit(&g->constants.bytes);
	vector_free(&g->groups);
	vector_free(&g->long_jumps.labels);
	code_deinit(&g->code);
	return is_whole;
}

bool codegen_program(struct arena *a, const struct typed_program *t,
		     const struct plan_options *options, struct diagnostics *d, struct program *ret,
		     const struct plan **plan)
{
	size_t mistakes = d->list.count;
	struct plan_limits limits = { 0 };
	struct plan *p = NULL;
	for (;;) {
		bool is_first = !p;
		if (is_first)
			p = plan_make(a, t, options, limits, d);
		struct gen g = {
			.arena = a, .plan = p, .diagnostics = d, .program = ret, .again = is_first
		};
		bool is_whole = program_generate(&g);
		*plan = p;
		if (is_whole || d->list.count > mistakes)
			return d->list.count == mistakes;
		if (is_first)
			plan_split(a, p);
		if (g.again) /* also after the first round, which is never kept */
			continue;
		limits.spill |= g.found.spill;
		limits.temps_max = g.found.temps_max;
		limits.share_maps |= g.found.share_maps;
		p = NULL;
	}
}
