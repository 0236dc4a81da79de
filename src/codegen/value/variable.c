/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Variables: their places, look-up and reading (assign.c writes them)
 *
 *   global            the state region
 *   this              the frame (numbers) or the slot
 *   self              a block of the thread, found by one call in a clause; what does not fit is a
 *                     self array without keys (layout.c)
 *   entry(EXPR)       a cell of the call (entry.c)
 *   name[keys]        a separate hash map, with keys of exactly their size
 */
#include "codegen/value/variable.h"

/* R0 += OFFSET unless it is NULL */
static void gen_offset_if_there(struct gen *g, uint32_t offset)
{
	if (!offset)
		return;
	label null = label_new(&g->code);
	emit_jump_if_number(&g->code, BPF_JEQ, R0, 0, null);
	emit_alu_number(&g->code, BPF_ADD, R0, (int32_t)offset);
	label_place(&g->code, null);
}

static void gen_block_call(struct gen *g, bool make)
{
	emit_call(&g->code, !make		     ? RT_self_find
			    : g->plan->lists_threads ? RT_self_make_listed
						     : RT_self_make);
	if (g->state->block)
		emit_store(&g->code, 8, FP, g->state->block, R0);
}

void gen_block(struct gen *g, bool make)
{
	struct code *c = &g->code;
	unsigned found = c->holds & (FACT_BLOCK_FOUND | FACT_BLOCK_MADE);
	if (g->state->loop.block) { /* of the thread that foreach is at; not written */
		gen_place_address(g, R0, (struct place) { R7, (int)g->state->loop.block });
		return;
	}
	g->state->found.block = true;
	if (!g->state->block || !found) {
		gen_block_call(g, make);
	} else {
		emit_load(c, 8, R0, FP, g->state->block);
		if (make && !(found & FACT_BLOCK_MADE)) {
			label there = label_new(&g->code);
			emit_jump_if_number(&g->code, BPF_JNE, R0, 0, there);
			gen_block_call(g, true);
			label_place(&g->code, there);
		}
	}
	if (g->state->block)
		c->holds |= make ? FACT_BLOCK_MADE : FACT_BLOCK_FOUND;
}

bool gen_scalar_address(struct gen *g, const struct variable *v, bool make)
{
	struct code *c = &g->code;
	const struct variable_place *place = plan_variable(g->plan, v);
	switch (v->scope) {
	case SCOPE_GLOBAL:
		emit_address(c, R0, RELOCATE_GLOBALS, 0, place->offset);
		return false;
	case SCOPE_THIS:
		if (place->home == HOME_FRAME) {
			emit_mov(c, R0, FP);
			emit_alu_number(c, BPF_ADD, R0, g->firing.this_frame + (int)place->offset);
		} else {
			need_slot(g);
			emit_mov(c, R0, R7);
			emit_alu_number(c, BPF_ADD, R0, (int)(sizeof(struct slot) + place->offset));
		}
		return false;
	case SCOPE_SELF:
		if (v->of_call) {
			gen_entry_address(g, v->of_call);
			return false;
		}
		gen_block(g, make);
		if (make)
			gen_drop_if_zero(g, CLAUSE_DROP_DYNAMIC);
		gen_offset_if_there(g, place->offset);
		return true;
	}
	return false;
}

/*
 * The key of name[keys].  The key of a self array ends with the serial number of the thread's
 * block, 0 if it has none: no element has 0. For a write the block is made; if there is no memory,
 * which is a counted drop, jump to NOWHERE.
 */
static struct place gen_element_key(struct gen *g, const struct texpr *e, const label *nowhere)
{
	struct code *c = &g->code;
	const struct variable *v = root_variable(e);
	const struct texpr *keys = e->kind == TEXPR_ELEMENT ? e->element.keys : NULL;
	bool is_self = v->scope == SCOPE_SELF;
	const struct key_place *place = &plan_variable(g->plan, v)->key;
	struct place key = gen_key(g, keys, place);
	if (!is_self)
		return key;
	label absent = label_new(c);
	if (nowhere) /* a block that was only found may have no serial number yet */
		c->holds &= ~FACT_BLOCK_FOUND;
	gen_block(g, nowhere);
	if (nowhere)
		gen_drop_if_zero(g, CLAUSE_DROP_DYNAMIC);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, nowhere ? *nowhere : absent);
	emit_load(c, 8, R0, R0, 0);
	emit_alu_number(c, BPF_LSH, R0, 1); /* without SELF_RELEASED, which may come meanwhile */
	label_place(c, absent);
	emit_store(c, 8, key.base, key.offset + (int)place->fields[v->key_count].offset, R0);
	return key;
}

void gen_element_call(struct gen *g, const struct texpr *e, enum rt_function function)
{
	struct code *c = &g->code;
	const struct variable *v = root_variable(e);
	int mark = c->frame_used;
	uint32_t slot_mark = g->slot.used;
	struct place key = gen_element_key(g, e, NULL);
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)plan_variable(g->plan, v)->key.map, 0);
	gen_place_address(g, R2, key);
	emit_call(c, function);
	if (function == RT_map_delete)
		gen_delete_check(g, v, key);
	frame_release(c, mark);
	slot_release(g, slot_mark);
}

/*
 * R0 += offset + index * stride, the index checked.  If MAYBE_NULL, R0 may be NULL and stays so;
 * the index is evaluated all the same.
 */
static void gen_field_offset(struct gen *g, const struct texpr *e, bool maybe_null)
{
	struct code *c = &g->code;
	label null = label_new(c);
	if (e->field.index) {
		struct temp base = temp_push_pointer(g, R0);
		gen_value(g, e->field.index);
		emit_store(c, 8, FP, g->firing.fault_address, R0);
		emit_jump_if_number(c, BPF_JGE, R0, (int32_t)e->field.count,
				    fault_label(g, FAULT_BADINDEX));
		emit_alu_number(c, BPF_MUL, R0, (int32_t)e->field.stride);
		emit_mov(c, R1, R0);
		temp_pop(g, base, R0);
		if (maybe_null)
			emit_jump_if_number(c, BPF_JEQ, R0, 0, null);
		emit_alu(c, BPF_ADD, R0, R1);
	} else if (maybe_null) {
		emit_jump_if_number(c, BPF_JEQ, R0, 0, null);
	}
	if (e->field.offset)
		emit_alu_number(c, BPF_ADD, R0, (int32_t)e->field.offset);
	label_place(c, null);
}

bool gen_address(struct gen *g, const struct texpr *e)
{
	if (plan_is_element(g->plan, e)) {
		gen_element_call(g, e, RT_map_lookup);
		return true;
	}
	if (e->kind == TEXPR_VARIABLE)
		return gen_scalar_address(g, e->variable, false);
	bool maybe_null = gen_address(g, e->field.base);
	gen_field_offset(g, e, maybe_null);
	return maybe_null;
}

void gen_readable_address(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (!gen_address(g, e))
		return;
	label there = label_new(c);
	emit_jump_if_number(c, BPF_JNE, R0, 0, there);
	emit_address(c, R0, RELOCATE_CONSTANTS, 0, 0);
	label_place(c, there);
}

/* To the verifier it is a pointer; stored to the slot and read back it is a number. */
void gen_pointer_number(struct gen *g)
{
	need_slot(g);
	emit_store(&g->code, 8, R7, offsetof(struct slot, unknown), R0);
	emit_load(&g->code, 8, R0, R7, offsetof(struct slot, unknown));
}

void gen_address_number(struct gen *g, const struct texpr *e)
{
	if (e->kind == TEXPR_ASSIGN) {
		gen_assigned_struct(g, e);
		return;
	}
	gen_readable_address(g, e);
	gen_pointer_number(g);
}

/* R0 = where the bytes of the string E are, a this variable; 0: it is NULL. */
static void gen_kept_text(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	label null = label_new(c), end = label_new(c);
	gen_readable_address(g, e);
	emit_load(c, 8, R1, R0, offsetof(struct rt_string, tag));
	emit_jump_if_number(c, BPF_JEQ, R1, 0, null);
	emit_alu_number(c, BPF_ADD, R0, offsetof(struct rt_string, text));
	gen_pointer_number(g);
	emit_jump(c, end);
	label_place(c, null);
	emit_number(c, R0, 0);
	label_place(c, end);
}

/*
 * A program that takes an address may keep it and write there, so a thread without a block gets
 * one: the zeros for missing variables would stay zeros.
 */
void gen_kept_address(struct gen *g, const struct texpr *e)
{
	const struct variable *v = root_variable(e);
	if (v)
		gen_this_piece(g, v);
	if (e->type->kind == TYPE_STRING) {
		gen_kept_text(g, e);
		return;
	}
	if (v && v->scope == SCOPE_SELF && plan_variable(g->plan, v)->home == HOME_BLOCK) {
		gen_block(g, true);
		gen_drop_if_zero(g, CLAUSE_DROP_DYNAMIC);
	}
	gen_address_number(g, e);
}

void gen_target(struct gen *g, const struct texpr *e, label nowhere)
{
	if (plan_is_element(g->plan, e)) {
		/* The key's memory stays: the stub that inserts uses it. */
		struct place key = gen_element_key(g, e, &nowhere);
		gen_lookup_or_insert(g, plan_variable(g->plan, root_variable(e))->key.map, key,
				     RT_drop_dynamic, nowhere);
	} else if (e->kind == TEXPR_VARIABLE) {
		if (gen_scalar_address(g, e->variable, true))
			emit_jump_if_number(&g->code, BPF_JEQ, R0, 0, nowhere);
	} else if (e->kind == TEXPR_LOAD) {
		gen_value(g, e->load.address);
		gen_own_pointer(g, type_size(e->type));
	} else {
		gen_target(g, e->field.base, nowhere);
		gen_field_offset(g, e, false);
	}
}

struct bits field_bits(const struct texpr *e)
{
	if (e->kind == TEXPR_FIELD)
		return (struct bits) { e->field.bit_offset, e->field.bit_size };
	if (e->kind == TEXPR_LOAD)
		return (struct bits) { e->load.bit_offset, e->load.bit_size };
	return (struct bits) { 0, 0 };
}

bool has_bits(const struct texpr *e)
{
	return field_bits(e).size > 0;
}

void gen_bits(struct gen *g, const struct texpr *e, unsigned offset)
{
	int unused = 64 - field_bits(e).size;
	emit_alu_number(&g->code, BPF_LSH, R0, unused - (int)offset);
	emit_alu_number(&g->code, type_is_signed(e->type) ? BPF_ARSH : BPF_RSH, R0, unused);
}

void gen_read_number(struct gen *g, const struct texpr *e)
{
	uint32_t size = type_size(e->type);
	emit_load(&g->code, (int)size, R0, R1, 0);
	if (has_bits(e))
		gen_bits(g, e, field_bits(e).offset);
	else if (type_is_signed(e->type))
		emit_extend(&g->code, R0, (int)size, true);
}

bool check_number(struct gen *g, const struct texpr *e)
{
	if (is_number_size(type_size(e->type)))
		return true;
	unsupported(g, e->range, "a value of this size here");
	return false;
}

void gen_variable_value(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (!check_number(g, e))
		return;
	if (plan_is_in_frame(g->plan, e)) {
		emit_load(c, 8, R0, FP,
			  g->firing.this_frame + (int)plan_variable(g->plan, e->variable)->offset);
		return;
	}
	bool maybe_null = gen_address(g, e);
	emit_mov(c, R1, R0);
	if (!maybe_null) {
		gen_read_number(g, e);
		return;
	}
	label end = label_new(c);
	emit_number(c, R0, 0);
	emit_jump_if_number(c, BPF_JEQ, R1, 0, end);
	gen_read_number(g, e);
	label_place(c, end);
}
