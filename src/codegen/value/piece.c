/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pieces of scratch memory: what is allocated is written to the table in the slot (plan/piece.c).
 * Reads look addresses up in it in memory.c, writes in pointer.c.
 */
#include "codegen/value/variable.h"

static int piece_offset(const struct gen *g, unsigned number)
{
	return (int)(g->plan->pieces_at + number * sizeof(struct piece));
}

static void gen_piece_entry(struct gen *g, int place, uint32_t begin, uint32_t end)
{
	emit_store_number(&g->code, 4, R7, place, (int32_t)begin);
	emit_store_number(&g->code, 4, R7, place + 4, (int32_t)end);
}

void gen_this_piece(struct gen *g, const struct variable *v)
{
	if (!g->plan->this_pieces || !plan_is_piece(g->plan, v))
		return;
	unsigned number = 0;
	for (unsigned i = 0; i < v->index; i++)
		number += plan_is_piece(g->plan, g->plan->typed->variables[SCOPE_THIS][i]);
	uint32_t begin = (uint32_t)sizeof(struct slot) + plan_variable(g->plan, v)->offset;
	gen_piece_entry(g, piece_offset(g, number), begin, begin + type_size(v->type));
}

void gen_pieces_begin(struct gen *g)
{
	const struct clause_alloca *a = &plan_clause(g->plan, g->state->clause)->alloca;
	for (unsigned i = 0; i < a->pieces && !a->is_kept; i++)
		emit_store_number(&g->code, 8, R7, piece_offset(g, a->first_piece + i), 0);
}

void gen_known_piece(struct gen *g, uint32_t begin, uint32_t end)
{
	gen_piece_entry(g, piece_offset(g, g->alloca.piece++), begin, end);
}

void gen_piece_of_any_size(struct gen *g)
{
	struct code *c = &g->code;
	int place = piece_offset(g, g->alloca.piece++);
	emit_store(c, 4, R7, place, R0);
	emit_mov(c, R4, R0);
	emit_alu(c, BPF_ADD, R4, R2);
	emit_store(c, 4, R7, place + 4, R4);
}
