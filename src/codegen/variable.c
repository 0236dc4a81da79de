/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Variables: where they live and how they are read and written
 *
 *   global            the state region
 *   this              the frame (numbers) or the slot
 *   self              a block of the thread, found by one call; what does not fit there is a
 *                     self array without keys (layout.c)
 *   name[keys]        a hash map of its own, with keys of exactly their size
 */
#include "codegen/gen.h"

static bool is_zero(const struct texpr *e)
{
	return (e->kind == TEXPR_INTEGER && e->integer == 0) ||
	       (e->kind == TEXPR_STRING && !e->string.text);
}

const struct variable *root_variable(const struct texpr *e)
{
	while (e->kind == TEXPR_FIELD)
		e = e->field.base;
	if (e->kind == TEXPR_VARIABLE)
		return e->variable;
	return e->kind == TEXPR_ELEMENT ? e->element.variable : NULL;
}

/* Does E name a place of a hash map? */
static bool is_element(const struct texpr *e)
{
	return e->kind == TEXPR_ELEMENT || (e->kind == TEXPR_VARIABLE && e->variable->key_fields);
}

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

static bool gen_scalar_address(struct gen *g, const struct variable *v, bool make)
{
	struct code *c = &g->code;
	switch (v->scope) {
	case SCOPE_GLOBAL:
		emit_address(c, R0, RELOCATE_GLOBALS, 0, v->offset);
		return false;
	case SCOPE_THIS:
		if (variable_in_frame(v)) {
			emit_mov(c, R0, FP);
			emit_alu_number(c, BPF_ADD, R0, g->firing.this_frame + (int)v->offset);
		} else {
			need_slot(g);
			emit_mov(c, R0, R7);
			emit_alu_number(c, BPF_ADD, R0, (int)(sizeof(struct slot) + v->offset));
		}
		return false;
	case SCOPE_SELF:
		emit_call(c, make ? RT_self_make : RT_self_find);
		if (make)
			gen_drop_if_zero(g, CLAUSE_DROP_DYNAMIC);
		gen_offset_if_there(g, v->offset);
		return true;
	}
	return false;
}

/*
 * The key of name[keys].  That of a self array ends with the serial number of
 * the thread's block, 0 when it has none: no element has that.  To write, the
 * block is made; when there is no room, which is a counted drop, on to NOWHERE.
 */
static struct place gen_element_key(struct gen *g, const struct texpr *e, const label *nowhere)
{
	struct code *c = &g->code;
	const struct variable *v = root_variable(e);
	const struct texpr *keys = e->kind == TEXPR_ELEMENT ? e->element.keys : NULL;
	bool is_self = v->scope == SCOPE_SELF;
	const struct key_plan plan = { v->key_fields, v->key_count + is_self, v->key_size,
				       v->key_id };
	struct place key = gen_key(g, keys, &plan);
	if (!is_self)
		return key;
	label absent = label_new(c);
	emit_call(c, nowhere ? RT_self_make : RT_self_find);
	if (nowhere)
		gen_drop_if_zero(g, CLAUSE_DROP_DYNAMIC);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, nowhere ? *nowhere : absent);
	emit_load(c, 8, R0, R0, 0);
	label_place(c, absent);
	emit_store(c, 8, key.base, key.offset + (int)v->key_fields[v->key_count].offset, R0);
	return key;
}

/* Look the element up, or delete it; its key is computed anew. */
static void gen_element_call(struct gen *g, const struct texpr *e, enum rt_function function)
{
	struct code *c = &g->code;
	const struct variable *v = root_variable(e);
	int mark = c->frame_used;
	uint32_t slot_mark = g->slot_used;
	struct place key = gen_element_key(g, e, NULL);
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)v->map, 0);
	gen_place_address(g, R2, key);
	emit_call(c, function);
	if (function == RT_map_delete)
		gen_delete_check(g, v, key);
	frame_release(c, mark);
	slot_release(g, slot_mark);
}

/* R0 += offset + index * stride, the index checked */
static void gen_field_offset(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (e->field.index) {
		struct temp base = temp_push_pointer(g, R0);
		gen_value(g, e->field.index);
		emit_store(c, 8, FP, g->firing.fault_address, R0);
		emit_jump_if_number(c, BPF_JGE, R0, (int32_t)e->field.count,
				    fault_label(g, FAULT_BADINDEX));
		emit_alu_number(c, BPF_MUL, R0, (int32_t)e->field.stride);
		temp_pop(g, base, R1);
		emit_alu(c, BPF_ADD, R1, R0);
		emit_mov(c, R0, R1);
	}
	if (e->field.offset)
		emit_alu_number(c, BPF_ADD, R0, (int32_t)e->field.offset);
}

bool gen_address(struct gen *g, const struct texpr *e)
{
	if (is_element(e)) {
		gen_element_call(g, e, RT_map_lookup);
		return true;
	}
	if (e->kind == TEXPR_VARIABLE)
		return gen_scalar_address(g, e->variable, false);
	bool maybe_null = gen_address(g, e->field.base);
	if (!maybe_null) {
		gen_field_offset(g, e);
		return false;
	}
	label null = label_new(&g->code);
	emit_jump_if_number(&g->code, BPF_JEQ, R0, 0, null);
	gen_field_offset(g, e);
	label_place(&g->code, null);
	return true;
}

/* The address for writing in R0; jumps to NOWHERE when there is no room (a counted drop). */
static void gen_target(struct gen *g, const struct texpr *e, label nowhere)
{
	if (is_element(e)) {
		/* The key's memory stays: the stub that inserts uses it. */
		struct place key = gen_element_key(g, e, &nowhere);
		gen_lookup_or_insert(g, root_variable(e)->map, key, RT_drop_dynamic, nowhere);
	} else if (e->kind == TEXPR_VARIABLE) {
		if (gen_scalar_address(g, e->variable, true))
			emit_jump_if_number(&g->code, BPF_JEQ, R0, 0, nowhere);
	} else {
		gen_target(g, e->field.base, nowhere);
		gen_field_offset(g, e);
	}
}

/* Where a bit-field is in its unit; size 0: E is none. */
struct bits {
	uint8_t offset, size;
};

static struct bits bits_of(const struct texpr *e)
{
	if (e->kind == TEXPR_FIELD)
		return (struct bits) { e->field.bit_offset, e->field.bit_size };
	if (e->kind == TEXPR_LOAD)
		return (struct bits) { e->load.bit_offset, e->load.bit_size };
	return (struct bits) { 0, 0 };
}

static bool has_bits(const struct texpr *e)
{
	return bits_of(e).size > 0;
}

static void gen_field_bits(struct gen *g, const struct texpr *e)
{
	struct bits bits = bits_of(e);
	emit_alu_number(&g->code, BPF_LSH, R0, 64 - bits.offset - bits.size);
	emit_alu_number(&g->code, type_is_signed(e->type) ? BPF_ARSH : BPF_RSH, R0, 64 - bits.size);
}

/* R0 as a bit-field holds it: cut to its bits */
static void gen_cut_bits(struct gen *g, const struct texpr *e)
{
	if (!has_bits(e))
		return;
	int unused = 64 - bits_of(e).size;
	emit_alu_number(&g->code, BPF_LSH, R0, unused);
	emit_alu_number(&g->code, type_is_signed(e->type) ? BPF_ARSH : BPF_RSH, R0, unused);
}

/* A number in the frame has all 64 bits there, whatever its type. */
static bool is_in_frame(const struct texpr *e)
{
	return e->kind == TEXPR_VARIABLE && e->variable->scope == SCOPE_THIS &&
	       variable_in_frame(e->variable);
}

/* R0 = the number at the address R1 */
static void gen_read_number(struct gen *g, const struct texpr *e)
{
	uint32_t size = type_size(e->type);
	emit_load(&g->code, (int)size, R0, R1, 0);
	if (has_bits(e))
		gen_field_bits(g, e);
	else if (type_is_signed(e->type))
		emit_extend(&g->code, R0, (int)size, true);
}

/* The numbers 1, 2, 4 and 8 bytes long; all else is no number. */
static bool check_number(struct gen *g, const struct texpr *e)
{
	uint32_t size = type_size(e->type);
	if (size && size <= 8 && (size & (size - 1)) == 0)
		return true;
	unsupported(g, e->range, "a value of this size here");
	return false;
}

void gen_variable_value(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (!check_number(g, e))
		return;
	if (is_in_frame(e)) {
		emit_load(c, 8, R0, FP, g->firing.this_frame + (int)e->variable->offset);
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

/* Store the number R1 at the address R0, into E's bits if it is a bit-field. */
static void gen_store_number(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	int size = is_in_frame(e) ? 8 : (int)type_size(e->type);
	struct bits bits = bits_of(e);
	if (bits.size) {
		uint64_t mask = (bits.size == 64 ? ~0ull : (1ull << bits.size) - 1) << bits.offset;
		emit_alu_number(c, BPF_LSH, R1, bits.offset);
		emit_number(c, R2, (int64_t)mask);
		emit_alu(c, BPF_AND, R1, R2);
		emit_number(c, R2, (int64_t)~mask);
		emit_load(c, size, R3, R0, 0);
		emit_alu(c, BPF_AND, R3, R2);
		emit_alu(c, BPF_OR, R1, R3);
	}
	emit_store(c, size, R0, 0, R1);
}

/* `self->x = 0` must not make a block for a thread that has none. */
static bool gen_assign_zero(struct gen *g, const struct texpr *target)
{
	struct code *c = &g->code;
	if (is_element(target)) {
		gen_element_call(g, target, RT_map_delete);
		return true;
	}
	if (target->kind != TEXPR_VARIABLE || target->variable->scope != SCOPE_SELF)
		return false;
	uint32_t size = target->type->kind == TYPE_STRING ? 8 : type_size(target->type);
	if (size > 8)
		return false;
	label end = label_new(c);
	gen_scalar_address(g, target->variable, false);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, end);
	emit_store_number(c, (int)size, R0, 0, 0);
	label_place(c, end);
	return true;
}

static void gen_assign_string(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	uint32_t mark = g->slot_used;
	uint32_t at = gen_string_temp(g, e->assign.value);
	label nowhere = label_new(c);
	gen_target(g, e->assign.target, nowhere);
	emit_mov(c, R1, R0);
	gen_at(g, R2, at);
	emit_call(c, RT_string_store);
	label_place(c, nowhere);
	slot_release(g, mark);
	emit_number(c, R0, 0);
}

/* A struct: copied from a variable or from memory. */
static void gen_assign_struct(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	const struct texpr *value = e->assign.value;
	label nowhere = label_new(c);
	if (is_zero(value)) {
		gen_target(g, e->assign.target, nowhere);
		emit_mov(c, R1, R0);
		emit_address(c, R3, RELOCATE_CONSTANTS, 0, 0);
		emit_number(c, R2, type_size(e->assign.target->type));
		emit_call(c, RT_read_kernel);
		label_place(c, nowhere);
		emit_number(c, R0, 0);
		return;
	}
	if (value->kind == TEXPR_LOAD) {
		gen_value(g, value->load.address);
	} else if (gen_address(g, value)) { /* an element that does not exist is all zeros */
		label there = label_new(c);
		emit_jump_if_number(c, BPF_JNE, R0, 0, there);
		emit_address(c, R0, RELOCATE_CONSTANTS, 0, 0);
		label_place(c, there);
	}
	struct temp from = temp_push_pointer(g, R0);
	gen_target(g, e->assign.target, nowhere);
	emit_mov(c, R1, R0);
	temp_pop(g, from, R3);
	emit_number(c, R2, type_size(e->assign.target->type));
	bool user = value->kind == TEXPR_LOAD && value->load.user;
	if (value->kind == TEXPR_LOAD)
		emit_store(c, 8, FP, g->firing.fault_address, R3);
	gen_read(g, user);
	label_place(c, nowhere);
	emit_number(c, R0, 0);
}

/* *p = x, where p points into alloca or copyin memory */
static void gen_assign_memory(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	const struct texpr *target = e->assign.target;
	if (!check_number(g, target))
		return;
	gen_value(g, e->assign.value);
	struct temp value = temp_push(g, R0);
	gen_value(g, target->load.address);
	gen_alloca_pointer(g, type_size(target->type));
	if (has_bits(target)) {
		emit_mov(c, R0, R1);
		temp_read(g, value, R1);
		gen_store_number(g, target);
		temp_pop(g, value, R0);
		gen_cut_bits(g, target);
	} else {
		temp_pop(g, value, R0);
		emit_store(c, (int)type_size(target->type), R1, 0, R0);
	}
}

static void gen_assign_number(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	const struct texpr *target = e->assign.target;
	if (!check_number(g, target))
		return;
	gen_value(g, e->assign.value);
	if (is_in_frame(target)) {
		emit_store(c, 8, FP, g->firing.this_frame + (int)target->variable->offset, R0);
		return;
	}
	struct temp value = temp_push(g, R0);
	label done = label_new(c), store = label_new(c);
	if (is_element(target)) {
		emit_jump_if_number(c, BPF_JNE, R0, 0, store);
		gen_element_call(g, target, RT_map_delete);
		emit_jump(c, done);
	}
	label_place(c, store);
	gen_target(g, target, done);
	temp_read(g, value, R1);
	gen_store_number(g, target);
	label_place(c, done);
	temp_pop(g, value, R0);
	gen_cut_bits(g, target);
}

void gen_assign(struct gen *g, const struct texpr *e)
{
	const struct texpr *target = e->assign.target;
	const struct variable *root = root_variable(target);
	int mark = g->code.frame_used;
	uint32_t slot_mark = g->slot_used;
	if (root && is_zero(e->assign.value) && gen_assign_zero(g, target))
		emit_number(&g->code, R0, 0);
	else if (!root)
		gen_assign_memory(g, e);
	else if (target->type->kind == TYPE_STRING)
		gen_assign_string(g, e);
	else if (type_is_struct(target->type) || target->type->kind == TYPE_ARRAY)
		gen_assign_struct(g, e);
	else
		gen_assign_number(g, e);
	frame_release(&g->code, mark);
	slot_release(g, slot_mark);
}

/* May others change it while we look? */
bool is_shared(const struct variable *v)
{
	return v && (v->scope == SCOPE_GLOBAL || v->key_fields);
}

static bool is_atomic_op(enum op op)
{
	return op == OP_ADD || op == OP_SUB || op == OP_OR || op == OP_AND || op == OP_XOR;
}

/*
 * Can one atomic instruction do it?  These are of 4 and 8 bytes.  A variable or element of 1 or 2
 * bytes has 8 for itself, of which the lowest stand first: what its neighbours there
 * become is never read.  Members of structures have neighbours that are.
 */
static bool is_atomic(const struct texpr *e)
{
	const struct texpr *target = e->update.target;
	return is_atomic_op(e->update.op) && is_shared(root_variable(target)) &&
	       !has_bits(target) && (type_size(target->type) >= 4 || target->kind != TEXPR_FIELD);
}

/* x op= v on a variable that others may change at the same time: one atomic instruction. */
static void gen_update_atomic(struct gen *g, const struct texpr *e, struct temp value)
{
	struct code *c = &g->code;
	const struct texpr *target = e->update.target;
	int size = (int)type_size(target->type);
	enum op op = e->update.op == OP_SUB ? OP_ADD : e->update.op;
	temp_read(g, value, R1);
	if (e->update.op == OP_SUB) {
		emit_number(c, R2, 0);
		emit_alu(c, BPF_SUB, R2, R1);
		emit_mov(c, R1, R2);
	}
	emit_mov(c, R2, R1);
	emit_fetch(c, alu_code(op), MAX(size, 4), R0, 0, R1);
	emit_mov(c, R0, R1);
	if (!e->update.old)
		emit_alu(c, alu_code(op), R0, R2);
	emit_extend(c, R0, size, type_is_signed(target->type));
}

static void gen_update_plain(struct gen *g, const struct texpr *e, struct temp value)
{
	struct code *c = &g->code;
	const struct texpr *target = e->update.target;
	struct temp address = temp_push_pointer(g, R0);
	emit_mov(c, R1, R0);
	gen_read_number(g, target);
	struct temp old = temp_push(g, R0);
	temp_read(g, value, R1);
	gen_arithmetic(g, e->update.op, e->update.is_signed);
	emit_extend(c, R0, (int)type_size(target->type), type_is_signed(target->type));
	gen_cut_bits(g, target);
	emit_mov(c, R4, R0);
	temp_pop(g, old, R5);
	temp_pop(g, address, R0);
	emit_mov(c, R1, R4);
	gen_store_number(g, target);
	emit_mov(c, R0, e->update.old ? R5 : R4);
}

void gen_update(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	const struct texpr *target = e->update.target;
	if (!check_number(g, target))
		return;
	int mark = c->frame_used;
	uint32_t slot_mark = g->slot_used;
	gen_value(g, e->update.value);
	struct temp value = temp_push(g, R0);
	label nowhere = label_new(c), end = label_new(c);
	if (root_variable(target)) {
		gen_target(g, target, nowhere);
	} else { /* of alloca or copyin */
		gen_value(g, target->load.address);
		gen_alloca_pointer(g, type_size(target->type));
		emit_mov(c, R0, R1);
	}
	if (is_atomic(e))
		gen_update_atomic(g, e, value);
	else
		gen_update_plain(g, e, value);
	emit_jump(c, end);
	label_place(c, nowhere);
	emit_number(c, R0, 0);
	label_place(c, end);
	temp_pop(g, value, R1);
	frame_release(c, mark);
	slot_release(g, slot_mark);
}
