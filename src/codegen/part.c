/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From one part of a group to the next (plan/split.c)
 *
 * A tail call begins the next program with only the context.  So the next part finds the probe's
 * entry itself, as the first did.  Values of `this` variables are passed in a slot: the one that
 * all clauses share, or one that is claimed for this.  The next part finds the slot by the
 * firing's number in slot.busy: the address of the context, which no other firing has meanwhile.
 * (By its distance from the state region: the verifier treats a difference of pointers as a
 * number.)
 *
 * The first part tests for all parts whether tracing is on, and the CPU; the clauses after exit()
 * see it as in one program.  Parts without a clause for the probe are left out.
 *
 * A getppid with 130 clauses `this->n++` in one program takes 1,580 ns, with 160 in two 1,660: 10
 * to 30 ns more than the clauses alone (6.18, a busy machine).
 */
#include "codegen/gen.h"

uint32_t part_pass(const struct gen *g)
{
	return g->part ? (g->group->parts[g->part].begin - 1) / g->group->clause_count : 0;
}

bool part_is_last(const struct gen *g)
{
	return g->part + 1 == g->group->part_count;
}

/* --- the slot on its way -------------------------------------------------------------------- */

static bool keeps_this(const struct gen *g)
{
	return g->plan->this_frame_size || plan_shares_slot(g->plan);
}

/* Of the frame's `this` variables, in a slot that is on its way. */
static struct place this_place(const struct gen *g, uint32_t offset)
{
	return (struct place) { R7, (int)(g->plan->alloca_end + offset) };
}

static void gen_firing(struct gen *g, enum reg r)
{
	emit_address(&g->code, R0, RELOCATE_CONTROL, 0, 0);
	emit_mov(&g->code, r, R6);
	emit_alu(&g->code, BPF_SUB, r, R0);
}

static void gen_leave_this(struct gen *g, label out)
{
	struct code *c = &g->code;
	if (!plan_shares_slot(g->plan))
		gen_slot_claim(g, out);
	for (uint32_t i = 0; i < g->plan->this_frame_size; i += 8) {
		struct place to = this_place(g, i);
		emit_load(c, 8, R0, FP, g->firing.this_frame + (int)i);
		emit_store(c, 8, to.base, to.offset, R0);
	}
	g->slot.max = MAX(g->slot.max, g->plan->alloca_end + g->plan->this_frame_size);
	gen_firing(g, R1);
	emit_store(c, 8, R7, offsetof(struct slot, busy), R1);
}

static void gen_take_this(struct gen *g, label out)
{
	struct code *c = &g->code;
	gen_firing(g, R1);
	emit_call(c, RT_slot_of);
	gen_slot_pointer(g, out);
	for (uint32_t i = 0; i < g->plan->this_frame_size; i += 8) {
		struct place from = this_place(g, i);
		emit_load(c, 8, R0, from.base, from.offset);
		emit_store(c, 8, FP, g->firing.this_frame + (int)i, R0);
	}
	if (!plan_shares_slot(g->plan))
		gen_slot_free(g);
}

/* --- the next part ------------------------------------------------------------------ */

/* Does each firing run a clause of that part, or does the part begin another pass? */
static bool is_run_always(const struct gen *g, uint32_t number)
{
	const struct event_group *group = g->group;
	const struct group_part *part = &group->parts[number];
	bool always = group->passes > 1;
	for (uint32_t i = part->begin; i < part->end && !always; i++)
		always = group_events_in_pass(group, i, 0) == group->event_count;
	return always;
}

/* R0 = the next part's number; none: on to NONE. */
static void gen_choose_part(struct gen *g, label none)
{
	struct code *c = &g->code;
	label chosen = label_new(c);
	uint32_t next = g->part + 1, count = g->group->part_count;
	if (!is_run_always(g, next)) {
		gen_entry(g, R1);
		emit_load(c, 4, R1, R1, (int)(g->table.entry_size - sizeof(uint32_t)));
	}
	for (; next < count && !is_run_always(g, next); next++) {
		emit_number(c, R0, next);
		emit_jump_if_bits(c, R1, 1u << next, chosen);
	}
	if (next < count)
		emit_number(c, R0, next);
	else
		emit_jump(c, none);
	label_place(c, chosen);
}

/* --- the end of a part, and the beginning of the next ----------------------------------------- */

void gen_part_end(struct gen *g, label out)
{
	struct code *c = &g->code;
	label none = label_new(c);
	mark_part(g, "on to the next part");
	int mark = c->frame_used, number = frame_alloc(c, 8);
	gen_choose_part(g, none);
	emit_store(c, 8, FP, number, R0);
	if (keeps_this(g))
		gen_leave_this(g, out);
	emit_mov(c, R1, R6);
	emit_address(c, R2, RELOCATE_PARTS, 0, 0);
	emit_load(c, 8, R3, FP, number);
	emit_call(c, RT_next_part);
	if (keeps_this(g)) /* the kernel has refused */
		gen_slot_free(g);
	emit_jump(c, out);
	label_place(c, none);
	gen_release(g);
	frame_release(c, mark);
}

void gen_part_begin(struct gen *g, label out)
{
	begin_frame(g);
	emit_mov(&g->code, R6, R1);
	if (event_is_resumption(g->event))
		gen_resumed_entry(g, RT_resumed, out);
	else
		gen_find_entry(g, out);
	if (keeps_this(g))
		gen_take_this(g, out);
}
