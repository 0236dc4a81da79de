/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * speculate(), commit() and discard()
 *
 * A clause that has called speculate() leaves its record there instead of in the buffer, and is a
 * writer of the speculation until it ends, by a fault too (gen_body()).
 */
#include "codegen/gen.h"

/* R0 < 0: the id, which is the fault's address, was never given out. */
static void gen_no_such_id(struct gen *g)
{
	emit_jump_if_number(&g->code, BPF_JSLT, R0, 0, fault_label(g, FAULT_BADSPEC));
}

#define WHEN_FULL (-2) /* never an id */

/* No speculation to write to, or no space in it: the rest of the clause is not run. */
static void gen_speculate(struct gen *g)
{
	struct code *c = &g->code;
	emit_number(c, R2, plan_record_size(g->plan, g->state->clause));
	emit_number(c, R3, g->plan->options->drops_by_clause ? WHEN_FULL : 0);
	emit_call(c, RT_speculate);
	if (g->plan->options->drops_by_clause) {
		label other = label_new(c);
		emit_jump_if_number(c, BPF_JNE, R0, WHEN_FULL, other);
		gen_drop(g, CLAUSE_DROP_SPECULATION);
		emit_number(c, R0, 0);
		label_place(c, other);
	}
	gen_no_such_id(g);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, g->state->end);
	emit_store(c, 8, FP, g->state->speculation, R0);
}

/* R1 = the id; the time is that of its record. */
static void gen_commit(struct gen *g)
{
	struct code *c = &g->code;
	if (is_resumed(g)) {
		struct temp id = temp_push(g, R1);
		gen_record_time(g);
		emit_mov(c, R2, R0);
		temp_pop(g, id, R1);
	} else {
		emit_load(c, 8, R2, FP, g->firing.time);
	}
	emit_call(c, RT_commit);
}

void gen_speculation(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	if (s->speculation.verb == VERB_commit)
		need_time(g);
	gen_value(g, s->speculation.id);
	if (s->speculation.verb != VERB_speculate) /* which gen_suspend() takes back */
		gen_effect(g);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_mov(c, R1, R0);
	switch (s->speculation.verb) {
	case VERB_speculate:
		gen_speculate(g);
		return;
	case VERB_commit:
		gen_commit(g);
		gen_no_such_id(g);
		return;
	case VERB_discard:
		emit_call(c, RT_discard);
		gen_no_such_id(g);
		return;
	}
}
