/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values that entries save for returns: entry(EXPR), abi/call.h
 *
 * The clause that saves a value gets the call's cell before its body, and a fault there is left in
 * the cell.  A clause that reads values looks for their cells in its predicate (entry_seen()), and
 * keeps their addresses in the frame.
 */
#include "codegen/value/variable.h"

static const struct entry_value *entry_value_number(const struct gen *g, int64_t index)
{
	const struct entry_value *v = g->state->clause->entries;
	while (v && v->index != index)
		v = v->next;
	return v;
}

/* Where the address of V's cell is in the frame; 0: it is not kept there. */
static int cell_place(const struct gen *g, const struct entry_value *v)
{
	int first = g->state->cells;
	return first && !g->state->clause->saves ? first + 8 * (int)v->index : first;
}

/* FUNCTION(where, what) for the firing's call. */
static void gen_cell_call(struct gen *g, const struct entry_value *v, enum rt_function function)
{
	struct code *c = &g->code;
	int64_t number = (int64_t)v->number << CALL_VALUE_SHIFT;
	if (v->key == CALL_BY_THREAD) {
		emit_number(c, R1, CALL_OF_THREAD);
		emit_number(c, R2, number);
		emit_call(c, function);
		return;
	}
	if (v->key == CALL_BY_FRAME)
		gen_argument(g, EVENT_FRAME);
	else
		emit_number(c, R0, (int64_t)CALL_NESTED);
	emit_mov(c, R1, R0);
	gen_entry(g, R3);
	emit_load(c, 4, R2, R3, (int)g->table.call_at);
	emit_number(c, R3, number);
	emit_alu(c, BPF_OR, R2, R3);
	emit_call(c, function);
}

/*
 * To NONE for the older one of two calls of a function at one place, where a chain of jumps came
 * back to the function: the newer call has taken the cell.
 */
static void gen_older_test(struct gen *g, label none)
{
	if (!gen_follows_jumps(g))
		return;
	gen_exits(g, R1, 4, offsetof(struct exit_firing, unknown));
	emit_jump_if_bits(&g->code, R1, EXIT_OF_OLDER, none);
}

/* R0 = the address of the cell that FUNCTION gives; to NONE if there is none. */
static void gen_cell(struct gen *g, const struct entry_value *v, enum rt_function function,
		     label none)
{
	struct code *c = &g->code;
	gen_older_test(g, none);
	gen_cell_call(g, v, function);
	emit_address(c, R1, RELOCATE_CALLS_LAST, 0, 0);
	emit_jump_if(c, BPF_JGT, R0, R1, none); /* -1, too */
	emit_mov(c, R1, R0);
	emit_address(c, R0, RELOCATE_CALLS, 0, 0);
	emit_alu(c, BPF_ADD, R0, R1);
}

void gen_entry_begin(struct gen *g)
{
	struct clause_state *s = g->state;
	int count = 0;
	for (const struct entry_value *v = s->clause->entries; v; v = v->next)
		count += !v->is_register;
	if (s->clause->saves && s->clause->saves->is_register)
		return;
	if (s->clause->saves) {
		s->cells = frame_alloc(&g->code, 8);
		if (s->clause->predicate) /* whose faults have no cell */
			emit_store_number(&g->code, 8, FP, s->cells, 0);
	} else if (count && !g->plan->limits.spill) {
		s->cells = frame_alloc(&g->code, 8 * count);
	}
}

void gen_entry_make(struct gen *g)
{
	const struct clause_state *s = g->state;
	if (!s->clause->saves || s->clause->saves->is_register)
		return;
	gen_cell(g, s->clause->saves, RT_call_make, s->end);
	emit_store(&g->code, 8, FP, s->cells, R0);
}

/* --- registers at entries (sema/clause/entry_register.c) -------------------------------------- */

/* R1, R2 = what rt_register_keep() and rt_register_find() find V by. */
static void gen_register_key(struct gen *g, const struct entry_value *v)
{
	gen_argument(g, EVENT_FRAME);
	emit_mov(&g->code, R1, R0);
	emit_number(&g->code, R2, (int64_t)v->number << CALL_VALUE_SHIFT);
}

static void gen_register_save(struct gen *g, const struct texpr *contents)
{
	gen_value(g, contents);
	struct temp value = temp_push(g, R0);
	gen_register_key(g, g->state->clause->saves);
	temp_pop(g, value, R3);
	emit_call(&g->code, RT_register_keep);
}

/* R0 = what V contained; to NONE if the entry was not seen. */
static void gen_register_find(struct gen *g, const struct entry_value *v, label none)
{
	struct code *c = &g->code;
	int mark = c->frame_used, at = frame_alloc(c, 8);
	emit_store_number(c, 8, FP, at, 0);
	gen_register_key(g, v);
	emit_mov(c, R3, FP);
	emit_alu_number(c, BPF_ADD, R3, at);
	emit_call(c, RT_register_find);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, none);
	emit_load(c, 8, R0, FP, at);
	frame_release(c, mark);
}

/* R0 = what V contained; a fault if the entry was not seen, or if V is NULL. */
static void gen_register_value(struct gen *g, const struct entry_value *v)
{
	struct code *c = &g->code;
	label none = label_new(c), end = label_new(c);
	if (v) {
		gen_register_find(g, v, none);
		emit_jump(c, end);
	}
	label_place(c, none);
	emit_call(c, RT_call_unseen);
	emit_number(c, R0, 0);
	emit_jump(c, fault_label(g, FAULT_UNREADABLE));
	label_place(c, end);
}

/* A copy of another build may have an argument in a register that no entry saves. */
void gen_register_at_entry(struct gen *g, const struct arg_location *where)
{
	const struct entry_value *v = g->state->clause->entries;
	while (v && !(v->is_register && v->which == where->base / 8u))
		v = v->next;
	gen_register_value(g, v);
	emit_alu_number(&g->code, BPF_ADD, R0, (int32_t)where->value);
	if (where->size)
		emit_extend(&g->code, R0, where->size, where->is_signed);
}

/* --- what sema's clauses call ----------------------------------------------------------------- */

/* R0 = was the entry seen, which saves value INDEX of the clause's? */
static void gen_entry_seen(struct gen *g, int64_t index)
{
	struct code *c = &g->code;
	const struct entry_value *v = entry_value_number(g, index);
	label none = label_new(c), end = label_new(c);
	if (v->is_register)
		gen_register_find(g, v, none);
	else
		gen_cell(g, v, RT_call_find, none);
	if (!v->is_register && cell_place(g, v))
		emit_store(c, 8, FP, cell_place(g, v), R0);
	emit_number(c, R0, 1);
	emit_jump(c, end);
	label_place(c, none);
	emit_call(c, RT_call_unseen);
	emit_number(c, R0, 0);
	label_place(c, end);
}

static void gen_entry_end(struct gen *g, int64_t index)
{
	label none = label_new(&g->code);
	gen_older_test(g, none);
	gen_cell_call(g, entry_value_number(g, index), RT_call_end);
	label_place(&g->code, none);
}

void gen_entry_call(struct gen *g, const struct texpr *e)
{
	int64_t index = e->call.args->integer;
	switch (e->call.function) {
	case SUBROUTINE_entry_seen:
		gen_entry_seen(g, index);
		return;
	case SUBROUTINE_entry_end:
		gen_entry_end(g, index);
		return;
	case SUBROUTINE_register_save:
		gen_register_save(g, e->call.args->next);
		return;
	default:
		gen_register_value(g, entry_value_number(g, index));
	}
}

void gen_entry_address(struct gen *g, const struct entry_value *v)
{
	struct code *c = &g->code;
	bool saves = g->state->clause->saves;
	if (cell_place(g, v))
		emit_load(c, 8, R0, FP, cell_place(g, v));
	else
		gen_cell(g, v, RT_call_find, g->state->end);
	if (!saves) {
		emit_load(c, 4, R1, R0, offsetof(struct call_cell, fault));
		emit_jump_if_number(c, BPF_JNE, R1, 0, entry_fault_label(g));
	}
	emit_alu_number(c, BPF_ADD, R0, sizeof(struct call_cell));
}
