/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests before a clause's body of the memory that the clause reads after its first effect: if it is
 * absent, the firing is suspended (suspend.c)
 */
#include "codegen/gen.h"

/* R3 = the address of a byte that will be read. */
static void gen_lookahead_address(struct gen *g, const struct lookahead *look)
{
	struct code *c = &g->code;
	gen_value(g, look->address);
	if (look->is_text) {
		emit_mov(c, R1, R0);
		emit_number(c, R2, g->plan->options->string_size + 1);
		emit_call(c, RT_text_byte);
	}
	emit_mov(c, R3, R0);
	emit_alu_number(c, BPF_ADD, R3, look->offset);
}

/* Suspend the firing if the byte is absent; other faults are left to the body. */
static void gen_lookahead(struct gen *g, const struct lookahead *look)
{
	struct code *c = &g->code;
	int mark = c->frame_used;
	struct place to = { FP, frame_alloc(c, 8) };
	label absent = label_new(c), resume = label_new(c);
	gen_lookahead_address(g, look);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	gen_place_address(g, R1, to);
	emit_number(c, R2, 1);
	emit_call(c, RT_read_user);
	emit_jump_if_number(c, BPF_JSLT, R0, 0, absent);
	label_place(c, resume);
	vector_push(&g->state->stubs, (struct stub) { .kind = STUB_LOOKAHEAD,
						      .at = absent,
						      .resume = resume,
						      .action = UINT32_MAX });
	frame_release(c, mark);
}

static bool stands_in(const struct condition *c, const struct condition *outer)
{
	while (c && c != outer)
		c = c->outer;
	return c == outer;
}

/* The last condition before OUTER, from C outwards; NULL: there is none. */
static const struct condition *next_inside(const struct condition *c, const struct condition *outer)
{
	if (c == outer)
		return NULL;
	while (c->outer != outer)
		c = c->outer;
	return c;
}

/*
 * Tests the reads from I on that are in OUTER; returns the first read that is not. Reads in one
 * condition are tested together, so each condition is evaluated once, however many reads a chain of
 * `else if` has.
 */
static size_t gen_lookaheads_in(struct gen *g, size_t i, const struct condition *outer)
{
	const struct clause_plan *plan = plan_clause(g->plan, g->state->clause);
	while (i < plan->lookahead_count) {
		const struct lookahead *look = &plan->lookaheads[i];
		if (look->statement < g->state->needs.lookahead_from) {
			i++;
			continue;
		}
		if (!stands_in(look->conditions, outer))
			break;
		long_jumps_place(g);
		const struct condition *inner = next_inside(look->conditions, outer);
		if (!inner) {
			gen_lookahead(g, look);
			i++;
			continue;
		}
		label end = label_new(&g->code);
		long_jump_push(g, &end);
		uint32_t slot_mark = g->slot.used;
		gen_condition(g, inner->value, end);
		slot_release(g, slot_mark);
		i = gen_lookaheads_in(g, i, inner);
		long_jump_pop(g, end);
	}
	return i;
}

/* A string truncated by a lookahead is truncated again by the body, which counts it. */
void gen_lookaheads(struct gen *g)
{
	struct code *c = &g->code;
	const int cuts = offsetof(struct slot, truncated_strings);
	bool may_truncate = g->state->has_slot;
	if (!g->state->needs.lookahead_from)
		return;
	int mark = c->frame_used, kept = may_truncate ? frame_alloc(c, 8) : 0;
	if (may_truncate) {
		emit_load(c, 4, R0, R7, cuts);
		emit_store(c, 8, FP, kept, R0);
	}
	gen_lookaheads_in(g, 0, NULL);
	if (may_truncate) {
		emit_load(c, 8, R0, FP, kept);
		emit_store(c, 4, R7, cuts, R0);
	}
	frame_release(c, mark);
}
