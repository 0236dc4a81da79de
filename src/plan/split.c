/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which programs are split
 *
 * The time that the kernel takes to load a program grows with the square of its size: 14,000
 * instructions in 0.1 s, 27,000 in 0.35 s, 68,000 in 3.5 s (6.18).  Half of the time goes into
 * bpf_patch_insn_data(): for each call that is replaced by other instructions (look-ups in hash
 * tables) the whole program and the data about each instruction are copied; a third into
 * bpf_update_live_stack(), which walks a whole function at each of many points.  Functions that are
 * verified by themselves would help only against the second.  Besides, the verifier follows at most
 * 1,000,000 instructions and 8,192 branches in a row.
 *
 * So a group of many clauses is several programs, its parts, each of which continues in the next by
 * a tail call (codegen/part.c).
 *
 * The approximate size of a clause is among its needs; the greatest size of a part is an
 * option.  Programs that may sleep are one part: the kernel has no tail calls for them (6.18).
 */
#include "plan/plan_internal.h"

static uint32_t step_size(const struct event_group *g, const uint32_t *sizes, uint32_t step)
{
	uint32_t clause = step % g->clause_count;
	return group_events_in_pass(g, clause, step / g->clause_count) ? sizes[clause] : 0;
}

/* Not more parts than there may be: greedy cutting leaves all but the last half full or more. */
static uint64_t part_size(const struct plan *plan, const struct event_group *g, uint64_t total)
{
	const uint32_t *wanted = plan->options->part_size;
	if (!wanted || plan_may_sleep(plan, g->kind))
		return UINT64_MAX;
	return MAX((uint64_t)wanted[g->kind], total / (PARTS_AT_MOST / 2 - 1));
}

static void split(struct arena *a, const struct plan *plan, struct event_group *g)
{
	uint32_t steps = g->clause_count * g->passes, count = 0;
	struct group_part *parts = arena_alloc(a, PARTS_AT_MOST * sizeof(*parts));
	auto_free uint32_t *sizes = mem_zalloc((g->clause_count + 1) * sizeof(*sizes));
	uint64_t total = 0, size = 0;
	for (uint32_t i = 0; i < g->clause_count; i++) {
		struct needs n;
		plan_needs(plan, g->clauses[i].clause, g->kind, false, &n);
		sizes[i] = n.instructions;
	}
	for (uint32_t i = 0; i < steps; i++)
		total += step_size(g, sizes, i);
	uint64_t most = part_size(plan, g, total);
	parts[count++] = (struct group_part) { 0, steps };
	for (uint32_t i = 0; i < steps; i++) {
		uint32_t mine = step_size(g, sizes, i);
		if (size && size + mine > most) {
			parts[count - 1].end = i;
			parts[count++] = (struct group_part) { i, steps };
			size = 0;
		}
		size += mine;
	}
	g->parts = parts;
	g->part_count = count;
}

void split_groups(struct arena *a, struct plan *plan)
{
	for (unsigned i = 0; i < plan->groups.count; i++)
		split(a, plan, &plan->groups.items[i]);
}
