/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Jumps that go too far
 *
 * A jump has 16 bits for its distance (6.6 brought one with 32).  The labels that code of any
 * length may stand before (the end of the group, of a clause, of an `if`) are therefore kept in a
 * list while they are open; every so many instructions, between two statements, a bridge is built:
 * all of them are placed there and jump on to themselves, anew, and what stands behind a clause for
 * what hardly ever happens stands there, too.  Short programs have none.
 *
 * The same lets arm64's JIT compiler, whose conditional jumps reach 262,143 instructions of its
 * own, eight for each of ours, translate all that are forward; those back: struct arch.
 */
#include "codegen/gen.h"

#include <assert.h>

#define LONG_JUMPS_EVERY                                                                           \
	8000 /* instructions; what stands between, and its stubs, is less than 32,768 */

void long_jump_push(struct gen *g, label *l)
{
	vector_push(&g->long_jumps, l);
}

void long_jump_pop(struct gen *g, label l)
{
	assert(*g->long_jumps.items[g->long_jumps.count - 1] == l);
	label_place(&g->code, l);
	g->long_jumps.count--;
}

void long_jumps_place(struct gen *g)
{
	struct code *c = &g->code;
	if (c->insns.count < g->long_jumps_at + LONG_JUMPS_EVERY)
		return;
	label over = label_new(c);
	emit_jump(c, over);
	if (g->state)
		gen_stubs(g);
	for (size_t i = 0; i < g->long_jumps.count; i++) {
		label *l = g->long_jumps.items[i];
		label_place(c, *l);
		*l = label_new(c);
		emit_jump(c, *l);
	}
	label_place(c, over);
	g->long_jumps_at = (uint32_t)c->insns.count;
}
