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
 * The size of a clause is among its needs; the greatest size of a part is an option.  Programs that
 * may sleep are one part: the kernel has no tail calls for them (6.18).
 */
#include "plan/plan_internal.h"

static uint32_t step_size(const struct event_group *g, const uint32_t *sizes, uint32_t step)
{
	uint32_t clause = step % g->clause_count;
	return group_events_in_pass(g, clause, step / g->clause_count) ? sizes[clause] : 0;
}

/* Parts of at most MOST, or of one larger step, into PARTS; how many there are, all of them or not.
 */
static uint32_t cut(const struct event_group *g, const uint32_t *sizes, uint64_t most,
		    struct group_part *parts)
{
	uint32_t steps = g->clause_count * g->passes, count = 1;
	uint64_t size = 0;
	parts[0] = (struct group_part) { 0, steps };
	for (uint32_t i = 0; i < steps && count <= PARTS_AT_MOST; i++) {
		uint32_t mine = step_size(g, sizes, i);
		if (size && size + mine > most) {
			parts[count - 1].end = i;
			parts[count++] = (struct group_part) { i, steps };
			size = 0;
		}
		size += mine;
	}
	return count;
}

/*
 * The size with which there are not too many parts: a part ends where the next step would make it
 * too large, so all but the last have more than this size without the largest step.
 */
static uint64_t size_of_few(const struct event_group *g, const uint32_t *sizes)
{
	uint64_t total = 0;
	uint32_t largest = 0;
	for (uint32_t i = 0; i < g->clause_count * g->passes; i++) {
		uint32_t mine = step_size(g, sizes, i);
		total += mine;
		largest = MAX(largest, mine);
	}
	return total / (PARTS_AT_MOST - 1) + largest;
}

static void group_split(struct arena *a, const struct plan *plan, struct event_group *g)
{
	const uint32_t *wanted = plan->options->part_size;
	bool is_one = !wanted || plan_may_sleep(plan, g->kind) || plan_follows_jumps(plan, g->kind);
	auto_free uint32_t *sizes = mem_zalloc((g->clause_count + 1) * sizeof(*sizes));
	for (uint32_t i = 0; i < g->clause_count; i++)
		sizes[i] = plan_needs(plan, g->clauses[i].clause, g->kind, false).instructions;
	struct group_part *parts = arena_alloc(a, (PARTS_AT_MOST + 1) * sizeof(*parts));
	g->part_count = cut(g, sizes, is_one ? UINT64_MAX : wanted[g->kind], parts);
	if (g->part_count > PARTS_AT_MOST)
		g->part_count = cut(g, sizes, size_of_few(g, sizes), parts);
	g->parts = parts;
}

void plan_split(struct arena *a, struct plan *plan)
{
	for (unsigned i = 0; i < plan->groups.count; i++)
		group_split(a, plan, &plan->groups.items[i]);
}
