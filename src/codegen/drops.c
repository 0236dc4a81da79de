/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Drops by clause
 *
 * The run-time library counts every drop by CPU, and does not know the clause.  Programs with
 * dropsby=clause count once more in the clause when it learns of the loss: only these programs
 * have this code.
 */
#include "codegen/gen.h"

void gen_drop(struct gen *g, enum clause_drop kind)
{
	if (!g->plan->options->drops_by_clause || !g->state)
		return;
	emit_number(&g->code, R1, g->state->clause->index);
	emit_number(&g->code, R2, kind);
	emit_call(&g->code, RT_drop_clause);
}

static void gen_drop_unless(struct gen *g, int condition, enum clause_drop kind, int64_t value)
{
	if (!g->plan->options->drops_by_clause || !g->state)
		return;
	label fine = label_new(&g->code);
	emit_jump_if_number(&g->code, condition, R0, 0, fine);
	gen_drop(g, kind);
	emit_number(&g->code, R0, value);
	label_place(&g->code, fine);
}

void gen_drop_truncations(struct gen *g)
{
	if (!g->plan->options->drops_by_clause)
		return;
	emit_number(&g->code, R1, g->state->clause->index);
	emit_load(&g->code, 8, R2, FP, g->firing.slot_at);
	emit_call(&g->code, RT_drop_truncations);
}

void gen_drop_if_zero(struct gen *g, enum clause_drop kind)
{
	gen_drop_unless(g, BPF_JNE, kind, 0);
}

void gen_drop_if_negative(struct gen *g, enum clause_drop kind)
{
	gen_drop_unless(g, BPF_JSGE, kind, -1);
}
