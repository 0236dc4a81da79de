/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The 512 bytes of stack: values kept while others are computed, and the size of a call chain
 *
 * The kernel gives a chain of calls 512 bytes, each frame rounded up to 32: the clauses, the ERROR
 * clauses that a fault calls, the deepest run-time function that they call.  Clauses keep values,
 * keys and small records in the frame, which is fast and enough for nearly all.  If the frame is
 * too small, the program is generated again with `spill`, where all values that grow with the
 * program are in the firing's slot: this variables, records, keys and temporaries.  Only pointers
 * stay, because the verifier treats values read from a slot as numbers.
 */
#include "codegen/gen.h"

/* In R8 or R9 when one is free. */
static bool in_register(struct code *c, enum reg value, struct temp *t)
{
	bool *taken = !c->in_r8 ? &c->in_r8 : !c->in_r9 ? &c->in_r9 : NULL;
	if (!taken)
		return false;
	*taken = true;
	t->reg = taken == &c->in_r8 ? R8 : R9;
	emit_mov(c, t->reg, value);
	return true;
}

static struct temp temp_push_to(struct gen *g, enum reg value, enum reg base)
{
	struct code *c = &g->code;
	struct temp t = { .reg = base, .frame_mark = c->frame_used, .mark = g->temps_used };
	if (in_register(c, value, &t))
		return t;
	g->found.temps_max = MAX(g->found.temps_max, ++g->temps_used);
	if (base == FP) {
		t.offset = frame_alloc(c, 8);
	} else {
		need_slot(g);
		t.offset = (int)(g->plan->spill_at + 8 * t.mark);
	}
	emit_store(c, 8, base, t.offset, value);
	return t;
}

struct temp temp_push(struct gen *g, enum reg value)
{
	return temp_push_to(g, value, g->plan->limits.spill ? R7 : FP);
}

struct temp temp_push_pointer(struct gen *g, enum reg value)
{
	return temp_push_to(g, value, FP);
}

void temp_read(struct gen *g, struct temp t, enum reg into)
{
	if (t.reg == FP || t.reg == R7)
		emit_load(&g->code, 8, into, t.reg, t.offset);
	else
		emit_mov(&g->code, into, t.reg);
}

void temp_pop(struct gen *g, struct temp t, enum reg into)
{
	struct code *c = &g->code;
	temp_read(g, t, into);
	if (t.reg == R8) {
		c->in_r8 = false;
	} else if (t.reg == R9) {
		c->in_r9 = false;
	} else {
		frame_release(c, t.frame_mark);
		g->temps_used = t.mark;
	}
}

/* --- the stack of a chain of calls ----------------------------------------------------------- */

#define RUNTIME_UNKNOWN 224 /* if the stack of the run-time functions is unknown */

static int frame_size(int bytes)
{
	return (int)ALIGN_UP(MAX(bytes, 1), 32);
}

/* The deepest that run-time functions called from FIRST to END (instructions) go. */
static int runtime_stack(const struct gen *g, size_t first, size_t end)
{
	const uint16_t *known = g->plan->options->runtime_stack;
	int most = known ? 0 : RUNTIME_UNKNOWN;
	for (size_t i = 0; known && i < g->code.relocations.count; i++) {
		const struct relocation *r = &g->code.relocations.items[i];
		if (r->kind == RELOCATE_CALL && r->instruction >= first && r->instruction < end)
			most = MAX(most, known[r->index]);
	}
	return most;
}

int chain_size(const struct gen *g, int main_frame, int error_frame, size_t error_entry)
{
	size_t count = g->code.insns.count;
	int library = runtime_stack(g, 0, error_entry ? error_entry : count) +
		      (int)g->loops_nested[0] * frame_size(0);
	if (error_entry)
		library = MAX(library, frame_size(error_frame) +
					       runtime_stack(g, error_entry, count) +
					       (int)g->loops_nested[1] * frame_size(0));
	return frame_size(main_frame) + library;
}
