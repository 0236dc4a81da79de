/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Assignments: x = v, x op= v, x++
 *
 * To variables, to members of structs in them, and through pointers (pointer.c).  A variable that
 * was never set is zero, so the assignment of zero frees memory: an element is deleted, and no
 * block is made for a thread.
 */
#include "codegen/value/variable.h"

/* R0 as the value of a bit-field: truncated to its bits */
static void gen_cut_bits(struct gen *g, const struct texpr *e)
{
	if (has_bits(e))
		gen_bits(g, e, 0);
}

/* Store the number R1 at the address R0, into E's bits if it is a bit-field. */
static void gen_store_number(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	int size = plan_is_in_frame(g->plan, e) ? 8 : (int)type_size(e->type);
	struct bits bits = field_bits(e);
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
	if (plan_is_element(g->plan, target)) {
		gen_element_call(g, target, RT_map_delete);
		return true;
	}
	if (target->kind != TEXPR_VARIABLE || target->variable->scope != SCOPE_SELF ||
	    target->variable->of_call)
		return false;
	uint32_t size = target->type->kind == TYPE_STRING ? 8 : type_size(target->type);
	label end = label_new(c);
	gen_scalar_address(g, target->variable, false);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, end);
	if (is_number_size(size)) {
		emit_store_number(c, (int)size, R0, 0, 0);
	} else {
		emit_mov(c, R1, R0);
		gen_zeros(g, size);
	}
	label_place(c, end);
	return true;
}

/*
 * The string in the slot at OFFSET, to its target: a variable of type string, or the characters of
 * a string in a struct or at an address.
 */
static void gen_assign_text(struct gen *g, const struct texpr *target, uint32_t offset)
{
	struct code *c = &g->code;
	bool is_array = target->type->kind == TYPE_ARRAY;
	label nowhere = label_new(c);
	gen_target(g, target, nowhere);
	emit_mov(c, R1, R0);
	gen_at(g, R2, offset);
	if (is_array)
		emit_number(c, R3, type_size(target->type));
	emit_call(c, is_array ? RT_text_store : RT_string_store);
	label_place(c, nowhere);
}

void gen_assigned_string(struct gen *g, const struct texpr *e, uint32_t offset)
{
	int mark = g->code.frame_used;
	uint32_t slot_mark = g->slot.used;
	gen_string(g, e->assign.value, offset);
	if (!is_zero_value(e->assign.value) || !gen_assign_zero(g, e->assign.target))
		gen_assign_text(g, e->assign.target, offset);
	frame_release(&g->code, mark);
	slot_release(g, slot_mark);
	gen_assign_effect(g, e);
}

/* A struct of zeros. */
static void gen_assign_zeros(struct gen *g, const struct texpr *target)
{
	struct code *c = &g->code;
	uint32_t size = type_size(target->type);
	if (size > g->plan->zeros_size) { /* through a pointer to a part of something larger */
		unsupported(g, target->range, "so many zeros at once");
		return;
	}
	label nowhere = label_new(c);
	gen_target(g, target, nowhere);
	emit_mov(c, R1, R0);
	gen_zeros(g, size);
	label_place(c, nowhere);
	emit_number(c, R0, 0);
}

/* A stack: of a variable, or the current one. */
static void gen_assign_stack(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	uint32_t at = gen_stack_temp(g, e->assign.value);
	label nowhere = label_new(c);
	gen_target(g, e->assign.target, nowhere);
	emit_mov(c, R1, R0);
	emit_number(c, R2, type_size(e->assign.target->type));
	gen_place_address(g, R3, (struct place) { R7, (int)at });
	emit_call(c, RT_copy);
	label_place(c, nowhere);
	emit_number(c, R0, 0);
}

/* A struct: copied from a variable or from memory.  WANTED: R0 = its address as a number. */
static void gen_assign_struct(struct gen *g, const struct texpr *e, bool wanted)
{
	struct code *c = &g->code;
	const struct texpr *value = e->assign.value;
	label nowhere = label_new(c);
	uint32_t size = type_size(e->assign.target->type);
	if (value->kind == TEXPR_LOAD)
		gen_source(g, value->load.address, value->load.user, size);
	else if (wanted)
		gen_address_number(g, value);
	else
		gen_readable_address(g, value);
	struct temp from = wanted ? temp_push(g, R0) : temp_push_pointer(g, R0);
	gen_target(g, e->assign.target, nowhere);
	emit_mov(c, R1, R0);
	if (wanted)
		temp_read(g, from, R3);
	else
		temp_pop(g, from, R3);
	emit_number(c, R2, size);
	if (value->kind == TEXPR_LOAD) {
		emit_store(c, 8, FP, g->firing.fault_address, R3);
		gen_assign_effect(g, e); /* a read that fails leaves zeros, too */
		gen_read(g, value->load.user);
	} else {
		emit_call(c, RT_copy);
	}
	label_place(c, nowhere);
	if (wanted)
		temp_pop(g, from, R0);
	else
		emit_number(c, R0, 0);
}

void gen_assigned_struct(struct gen *g, const struct texpr *e)
{
	if (is_zero_value(e->assign.value)) {
		gen_assign(g, e);
		emit_address(&g->code, R0, RELOCATE_CONSTANTS, 0, 0);
		gen_pointer_number(g);
		return;
	}
	int mark = g->code.frame_used;
	uint32_t slot_mark = g->slot.used;
	gen_assign_struct(g, e, true);
	frame_release(&g->code, mark);
	slot_release(g, slot_mark);
	gen_assign_effect(g, e);
}

static void gen_assign_number(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	const struct texpr *target = e->assign.target;
	if (!check_number(g, target))
		return;
	gen_value(g, e->assign.value);
	if (plan_is_in_frame(g->plan, target)) {
		emit_store(c, 8, FP,
			   g->firing.this_frame +
				   (int)plan_variable(g->plan, target->variable)->offset,
			   R0);
		return;
	}
	struct temp value = temp_push(g, R0);
	label done = label_new(c), store = label_new(c);
	/* Known values: zero came by gen_assign_zero(), others are stored. */
	if (plan_is_element(g->plan, target) && e->assign.value->kind != TEXPR_INTEGER) {
		/* One of the two keys is computed at run time: alloca() in it has one place. */
		struct alloca_next next = g->alloca;
		emit_jump_if_number(c, BPF_JNE, R0, 0, store);
		gen_element_call(g, target, RT_map_delete);
		emit_jump(c, done);
		g->alloca = next;
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
	uint32_t slot_mark = g->slot.used;
	if (root && is_zero_value(e->assign.value) && gen_assign_zero(g, target))
		emit_number(&g->code, R0, 0);
	else if (e->type->kind == TYPE_STRING) {
		uint32_t at = gen_string_temp(g, e->assign.value);
		gen_assign_text(g, e->assign.target, at);
		emit_number(&g->code, R0, 0);
	} else if (type_is_kept_stack(target->type) && !is_zero_value(e->assign.value))
		gen_assign_stack(g, e);
	else if (!(type_is_struct(target->type) || target->type->kind == TYPE_ARRAY ||
		   type_is_kept_stack(target->type)))
		gen_assign_number(g, e);
	else if (is_zero_value(e->assign.value))
		gen_assign_zeros(g, target);
	else
		gen_assign_struct(g, e, false);
	frame_release(&g->code, mark);
	slot_release(g, slot_mark);
	gen_assign_effect(g, e);
}

/* --- x op= v, x++ ------------------------------------------------------------------------- */

/*
 * Is one atomic instruction sufficient? There are atomic instructions of 4 and 8 bytes.  A
 * variable or element of 1 or 2 bytes has 8 bytes of memory, the value in the lowest; the others
 * may change, because they are never read.  Members of structures have neighbours that are read.
 */
static bool is_atomic(const struct gen *g, const struct texpr *e)
{
	const struct texpr *target = e->update.target;
	return (e->update.op == OP_ADD || e->update.op == OP_SUB || e->update.op == OP_OR ||
		e->update.op == OP_AND || e->update.op == OP_XOR) &&
	       plan_is_shared(g->plan, root_variable(target)) && !target->type->is_bool &&
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
	gen_arithmetic(g, e->update.op, e->update.is_signed, true);
	if (target->type->is_bool) {
		label zero = label_new(&g->code);
		emit_jump_if_number(&g->code, BPF_JEQ, R0, 0, zero);
		emit_number(&g->code, R0, 1);
		label_place(&g->code, zero);
	}
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
	uint32_t slot_mark = g->slot.used;
	gen_value(g, e->update.value);
	struct temp value = temp_push(g, R0);
	label nowhere = label_new(c), end = label_new(c);
	gen_target(g, target, nowhere);
	if (is_atomic(g, e))
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
	if (root_variable(target) || plan_writes_variables(g->plan))
		gen_effect(g);
}
