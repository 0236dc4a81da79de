/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Long jumps: to labels beyond the range of a jump
 *
 * A jump has 16 bits for its distance (6.6 added one with 32).  Labels after code of any length
 * (the end of the group, of a clause, of an `if`) are therefore kept in a list while they are open.
 * Every LONG_JUMPS_EVERY instructions, between two statements, all of them are placed, with a jump
 * to a new label of the same name; the stubs of the clause are placed there, too.  Short programs
 * have no long jumps.
 *
 * The same limit lets arm64's JIT compiler translate all forward jumps: its conditional jumps reach
 * 262,143 of its own instructions, eight for each of ours.  For jumps back see struct arch.
 */
#include "codegen/gen.h"

#include <assert.h>

#define LONG_JUMPS_EVERY                                                                           \
	8000 /* instructions; the code between, with its stubs, is less than 32,768 */

void long_jump_push(struct gen *g, label *l)
{
	vector_push(&g->long_jumps.labels, l);
}

void long_jump_pop(struct gen *g, label l)
{
	assert(*g->long_jumps.labels.items[g->long_jumps.labels.count - 1] == l);
	label_place(&g->code, l);
	g->long_jumps.labels.count--;
}

void long_jumps_place(struct gen *g)
{
	struct code *c = &g->code;
	if (c->insns.count < g->long_jumps.placed_at + LONG_JUMPS_EVERY)
		return;
	label over = label_new(c);
	emit_jump(c, over);
	if (g->state)
		gen_stubs(g);
	for (size_t i = 0; i < g->long_jumps.labels.count; i++) {
		label *l = g->long_jumps.labels.items[i];
		label_place(c, *l);
		*l = label_new(c);
		emit_jump(c, *l);
	}
	label_place(c, over);
	g->long_jumps.placed_at = (uint32_t)c->insns.count;
}
