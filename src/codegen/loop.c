/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loops: the body is a function that bpf_loop() calls for each pass
 *
 *	main:  R1 = passes, R2 = body, R3 = FP      body:  R9 = R2      (FP of main)
 *	       call loop                                   R6, R7 from its cells
 *	       LOOP_FAILED? to the fault's report          condition? else leave
 *	       all passes done: condition again?           statements
 *	         a fault: more than maxloop      continue: what follows a pass
 *	                                                   return 0
 *	                                         leave:    cell = LOOP_LEFT,   return 1
 *	                                         fault:    cell = LOOP_FAILED, return 1
 *
 * The body keeps its values in the frame of main, whose places it knows: in its code FP is R9
 * (struct code, frame_in_r9), so that a pass costs no copies.  It is generated where the loop is
 * and moved afterwards (move_out.c).  A fault in it writes its place into main's frame and ends the
 * loop; main reports it, as any other.
 *
 * What the body changes must not be a known number in the frame: Linux 6.1 verifies one pass only,
 * and would take what it leaves for the result of all.  So this variables are in the slot
 * (sema/clause/loop.c), and LOOP_... of each way out is written by the pass that takes it.
 *
 * What actions leave in a pass is a record of the clause, with the flags of these actions.  Records
 * of the statements before and after the loop are apart, too, so that all come in the order of the
 * text.  All but the clause's first record have the flag that says that they continue it.
 *
 * A loop is an effect (suspend.c): absent user memory in its body is a fault at a system call's
 * entry, too, unless the test before the clause's body has found it (lookahead.c).
 *
 * A pass costs 3 ns without its statements (6.18); the kernel puts the calls of bpf_loop() in line.
 */
#include "codegen/gen.h"

enum { LOOP_ENDED, LOOP_LEFT, LOOP_FAILED };

/* Of a clause's loops, in main's frame: the context, the slot, and how the loop ended. */
enum { CELL_CONTEXT = 0, CELL_SLOT = 8, CELL_END = 16, CELLS_SIZE = 24 };

static void gen_cells(struct gen *g)
{
	struct code *c = &g->code;
	struct loop_state *l = &g->state->loop;
	l->cells = frame_alloc(c, CELLS_SIZE);
	emit_store(c, 8, FP, l->cells + CELL_CONTEXT, R6);
	if (g->state->has_slot)
		emit_store(c, 8, FP, l->cells + CELL_SLOT, R7);
}

static void gen_passes(struct gen *g, uint32_t most, label body)
{
	struct code *c = &g->code;
	emit_number(c, R1, most);
	emit_function(c, R2, body);
	emit_mov(c, R3, FP);
	emit_number(c, R4, 0);
	emit_call(c, RT_loop);
}

/* Are there loops in LIST?  *KNOWN: the text says how many passes each has. */
static bool has_loops(const struct tstmt *list, bool *known)
{
	bool found = false;
	for (const struct tstmt *t = list; t; t = t->next) {
		if (!tstmt_has_branches(t))
			continue;
		bool is_loop = t->kind == TSTMT_LOOP;
		*known &= !is_loop || t->if_.passes_known;
		found |= is_loop;
		found |= has_loops(t->if_.then, known);
		found |= has_loops(t->if_.otherwise, known);
	}
	return found;
}

/* Passes of loops in S are counted where the text does not limit all of them together. */
static void gen_count_begin(struct gen *g, const struct tstmt *s)
{
	struct loop_state *l = &g->state->loop;
	bool known = s->if_.passes_known;
	l->passes = 0;
	if (!has_loops(s->if_.then, &known) || known)
		return;
	need_slot(g);
	l->passes = slot_alloc(g, 8);
	emit_store_number(&g->code, 8, R7, (int)l->passes, 0);
}

/* A pass of a loop in a loop. */
static void gen_count(struct gen *g)
{
	struct code *c = &g->code;
	const struct loop_state *l = &g->state->loop;
	if (!l->passes || l->depth < 2)
		return;
	emit_load(c, 8, R0, R7, (int)l->passes);
	emit_alu_number(c, BPF_ADD, R0, 1);
	emit_store(c, 8, R7, (int)l->passes, R0);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_jump_if_number(c, BPF_JGT, R0, LOOP_PASSES_MOST, fault_label(g, FAULT_LOOP));
}

static void gen_way_out(struct gen *g, int end)
{
	struct code *c = &g->code;
	emit_store_number(c, 8, FP, g->state->loop.cells + CELL_END, end);
	emit_number(c, R0, 1);
	emit_exit(c);
}

/* One pass. */
static void gen_pass(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	struct clause_state *state = g->state;
	label leave = label_new(c), again = label_new(c);
	long_jump_push(g, &leave);
	long_jump_push(g, &again);
	state->loop.leave = &leave;
	state->loop.again = &again;
	mark_line(g, s->range);
	emit_mov(c, R9, s->if_.keys ? R4 : R2);
	emit_load(c, 8, R6, FP, state->loop.cells + CELL_CONTEXT);
	if (state->has_slot)
		emit_load(c, 8, R7, FP, state->loop.cells + CELL_SLOT);
	gen_count(g);
	uint32_t slot_mark = g->slot.used;
	if (s->if_.keys)
		gen_each_key(g, s, again);
	else if (!s->if_.passes_known)
		gen_condition(g, s->if_.condition, leave);
	gen_statements(g, s->if_.then);
	long_jump_pop(g, again);
	if (plan_actions_inside(s))
		gen_record_flush(g);
	gen_statements(g, s->if_.otherwise);
	slot_release(g, slot_mark);
	emit_number(c, R0, 0);
	emit_exit(c);
	long_jump_pop(g, leave);
	gen_way_out(g, LOOP_LEFT);
}

/* A function of its own: it has its own stubs, labels and registers. */
static void gen_loop_body(struct gen *g, const struct tstmt *s, label body)
{
	struct code *c = &g->code;
	struct clause_state *state = g->state, outside = *state;
	const struct long_jumps jumps = g->long_jumps;
	bool in_r8 = c->in_r8, in_r9 = c->in_r9, frame_in_r9 = c->frame_in_r9;
	struct inner_function f = { .begin = c->insns.count, .first_label = body };
	state->stubs = (__typeof__(state->stubs)) { 0 };
	state->loop.depth++;
	g->loops_nested[g->in_error] = MAX(g->loops_nested[g->in_error], state->loop.depth);
	g->long_jumps = (struct long_jumps) { .placed_at = (uint32_t)c->insns.count };
	c->in_r8 = false;
	c->in_r9 = c->frame_in_r9 = true;
	c->holds = 0;
	label_place(c, body);
	state->end = label_new(c);
	long_jump_push(g, &state->end);
	gen_pass(g, s);
	gen_stubs(g);
	long_jump_pop(g, state->end);
	gen_way_out(g, LOOP_FAILED);
	f.end = c->insns.count;
	f.end_label = (label)c->labels.count;
	vector_push(&c->functions, f);
	c->holds = 0;
	c->in_r8 = in_r8;
	c->in_r9 = in_r9;
	c->frame_in_r9 = frame_in_r9;
	vector_free(&g->long_jumps.labels);
	vector_free(&state->stubs);
	g->long_jumps = jumps;
	state->stubs = outside.stubs;
	state->end = outside.end;
	state->loop = outside.loop;
}

/* All passes were made, and the condition holds: a fault. */
static void gen_too_many(struct gen *g, const struct tstmt *s, uint32_t most)
{
	struct code *c = &g->code;
	label done = label_new(c);
	long_jump_push(g, &done);
	emit_jump_if_number(c, BPF_JNE, R0, LOOP_ENDED, done);
	g->state->action = s->number;
	gen_condition(g, s->if_.condition, done);
	emit_number(c, R0, most);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_jump(c, fault_label(g, FAULT_LOOP));
	long_jump_pop(g, done);
}

void gen_loop(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	struct loop_state *l = &g->state->loop;
	uint32_t most = s->if_.passes_known ? s->if_.passes : g->plan->options->loop_passes;
	unsigned actions = plan_actions_inside(s);
	if (!most) { /* the verifier would drop the body, but not what refers to it */
		g->state->next_layout += actions;
		return;
	}
	gen_effect(g);
	if (!l->depth) {
		gen_cells(g);
		gen_count_begin(g, s);
	}
	if (actions) /* what statements before the loop leave comes before its passes */
		gen_record_flush(g);
	emit_store_number(c, 8, FP, l->cells + CELL_END, LOOP_ENDED);
	gen_each_thread(g, s);
	label body = label_new(c); /* and its own are those from here on (move_out.c) */
	if (s->if_.keys)
		gen_each(g, s, body);
	else
		gen_passes(g, most, body);
	gen_loop_body(g, s, body);
	emit_load(c, 8, R0, FP, l->cells + CELL_END);
	emit_jump_if_number(c, BPF_JEQ, R0, LOOP_FAILED, body_fault_label(g));
	if (!s->if_.keys && !s->if_.passes_known)
		gen_too_many(g, s, most);
	if (actions) /* a pass that was left by break, and what follows the last one */
		gen_record_flush(g);
	if (l->depth) /* the cell is the outer loop's again */
		emit_store_number(c, 8, FP, l->cells + CELL_END, LOOP_ENDED);
}

void gen_loop_leave(struct gen *g, const struct tstmt *s)
{
	const struct loop_state *l = &g->state->loop;
	emit_jump(&g->code, s->kind == TSTMT_BREAK ? *l->leave : *l->again);
}
