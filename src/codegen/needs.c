/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What clauses need, found by generating their code
 *
 * A clause's first instructions depend on what comes later: whether it uses the slot or the time,
 * whether it may be suspended, whether it finds the thread's block.  So a program is generated in
 * rounds, at least two: each with the needs that the rounds before have found (the first with
 * none), until one finds no others and fits the stack and the maps.  Its code is the program; of
 * the rounds before it only the needs are kept.
 *
 * Needs are only ever added, and there are finitely many, so the rounds end: the second is the
 * last one, but for clauses that are suspended before their body (lookahead.c).  A round reads the
 * places of values from the plan, which does not change.  The first one also gives the sizes by
 * which groups are split (plan/split.c).
 *
 * The first round has no dead code taken out and no probe table.  Of the instructions of a start it
 * takes 1 % for usual tools (execsnoop, tcplife), 3 to 10 % for those whose programs are
 * split (fileslower, dtruss).
 */
#include "codegen/gen.h"

/*
 * Reads after the first effect whose address is known are tried before the body; not if the
 * predicate has that effect, because then the clause is never suspended.
 */
static void find_lookaheads(struct clause_state *s, const struct clause_plan *plan)
{
	if (!s->reads_late || !s->effect_at)
		return;
	for (unsigned i = 0; i < plan->lookahead_count; i++)
		if (plan->lookaheads[i].statement >= s->effect_at)
			s->found.lookahead_from = s->effect_at;
}

static void find_functions(const struct code *c, size_t first, struct needs *found)
{
	for (size_t i = first; i < c->relocations.count; i++) {
		const struct relocation *r = &c->relocations.items[i];
		if (r->kind == RELOCATE_CALL)
			found->functions[r->index / 64] |= 1ull << r->index % 64;
	}
}

/* False: FOUND has nothing by which the code would be another. */
static bool needs_add(struct needs *known, const struct needs *found)
{
	bool more = found->slot > known->slot || found->time > known->time ||
		    found->run_time > known->run_time || found->block > known->block ||
		    found->suspends > known->suspends ||
		    found->lookahead_from > known->lookahead_from;
	known->slot = MAX(known->slot, found->slot);
	known->time = MAX(known->time, found->time);
	known->run_time = MAX(known->run_time, found->run_time);
	known->block |= found->block;
	known->suspends |= found->suspends;
	known->lookahead_from = MAX(known->lookahead_from, found->lookahead_from);
	known->kernel_memory = MAX(known->kernel_memory, found->kernel_memory);
	known->instructions = MAX(known->instructions, found->instructions);
	for (size_t i = 0; i < ARRAY_SIZE(known->functions); i++)
		known->functions[i] |= found->functions[i];
	return more;
}

/* How often relocation R may be met in a firing: that many times, if it is in a loop. */
static uint32_t times_met(const struct gen *g, const struct relocation *r)
{
	for (size_t i = 0; i < g->code.functions.count; i++) {
		const struct inner_function *f = &g->code.functions.items[i];
		if (r->instruction >= f->begin && r->instruction < f->end)
			return g->plan->options->loop_passes;
	}
	return 1;
}

/* The places that may make an element, by map: calls, each after the address of its map. */
static const uint32_t *count_inserts(const struct gen *g, size_t first)
{
	uint32_t *counts = NULL, map = 0;
	for (size_t i = first; i < g->code.relocations.count; i++) {
		const struct relocation *r = &g->code.relocations.items[i];
		if (r->kind == RELOCATE_MAP)
			map = r->index;
		if (r->kind != RELOCATE_CALL || r->index != RT_map_update)
			continue;
		if (!counts)
			counts = arena_alloc(g->arena, g->plan->map_count * sizeof(*counts));
		counts[map] += times_met(g, r);
	}
	return counts;
}

void gen_needs_found(struct gen *g, size_t relocation, size_t instruction)
{
	struct clause_state *s = g->state;
	struct clause_plan *plan = &g->plan->clauses[s->clause->index];
	struct needs **known = &plan->needs[g->event][g->in_error];
	if (!*known) {
		*known = ARENA_NEW(g->arena, struct needs);
		if (!plan->inserts)
			plan->inserts = count_inserts(g, relocation);
	}
	find_functions(&g->code, relocation, &s->found);
	find_lookaheads(s, plan);
	s->found.instructions = (uint32_t)(g->code.insns.count - instruction);
	g->again |= needs_add(*known, &s->found);
	g->plan->suspends |= s->found.suspends;
}
