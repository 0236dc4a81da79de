/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory of the firing that D has addresses of: alloca(), copyin(), copyinto(), bcopy()
 *
 * It lies in the slot, from alloca_begin to alloca_end: first what has a constant size, each call
 * in the text with a place of its own; then alloca_dynamic bytes that all others share at run
 * time (slot.alloca_used).  survey.c has counted both.  pointer.c writes to it.
 */
#include "codegen/variable.h"

#include <assert.h>

#define CONSTANT_MOST 65536

bool is_constant_size(const struct texpr *size)
{
	return size->kind == TEXPR_INTEGER && size->integer >= 0 && size->integer <= CONSTANT_MOST;
}

/*
 * Room in alloca memory for SIZE bytes: its pointer in R1 and the size in R2.
 * Constant sizes have places of their own; others share what follows.
 */
static void gen_room(struct gen *g, const struct texpr *size, struct temp *offset)
{
	struct code *c = &g->code;
	need_slot(g);
	if (is_constant_size(size)) {
		emit_number(c, R0, g->alloca_begin + g->alloca_used);
		g->alloca_used += ALIGN_UP((uint32_t)size->integer, 8);
		assert(g->alloca_begin + g->alloca_used <= g->alloca_end - g->alloca_dynamic);
		*offset = temp_push(g, R0);
		emit_mov(c, R1, R7); /* R0 still is known: what comes back from the slot is not */
		emit_alu(c, BPF_ADD, R1, R0);
		emit_number(c, R2, size->integer);
		return;
	}
	uint32_t limit = g->options->scratch_size;
	uint32_t begin = g->alloca_end - g->alloca_dynamic;
	label full = fault_label(g, FAULT_NOSCRATCH);
	gen_value(g, size);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_mov(c, R2, R0);
	emit_jump_if_number(c, BPF_JGT, R2, (int32_t)limit, full);
	emit_load(c, 4, R0, R7, offsetof(struct slot, alloca_used));
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)limit, full);
	emit_mov(c, R1, R0);
	emit_alu(c, BPF_ADD, R1, R2);
	emit_jump_if_number(c, BPF_JGT, R1, (int32_t)limit, full);
	emit_alu_number(c, BPF_ADD, R1, 7);
	emit_alu_number(c, BPF_AND, R1, -8);
	emit_store(c, 4, R7, offsetof(struct slot, alloca_used), R1);
	emit_alu_number(c, BPF_ADD, R0, (int32_t)begin);
	*offset = temp_push(g, R0);
	emit_mov(c, R1, R7);
	emit_alu(c, BPF_ADD, R1, R0);
}

/* R0 = the address of the slot's offset that T holds */
static void gen_slot_address(struct gen *g, struct temp t)
{
	struct code *c = &g->code;
	temp_pop(g, t, R0);
	emit_load(c, 8, R1, R7, offsetof(struct slot, address));
	emit_alu(c, BPF_ADD, R0, R1);
}

void gen_alloca(struct gen *g, const struct texpr *size)
{
	struct temp offset;
	gen_room(g, size, &offset);
	emit_address(&g->code, R3, RELOCATE_CONSTANTS, 0, 0);
	emit_call(&g->code, RT_read_kernel);
	gen_slot_address(g, offset);
}

void gen_copyin(struct gen *g, const struct texpr *from, const struct texpr *size)
{
	struct code *c = &g->code;
	gen_value(g, from);
	struct temp address = temp_push(g, R0);
	struct temp offset;
	gen_room(g, size, &offset);
	temp_read(g, address, R3);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	gen_read(g, true);
	gen_slot_address(g, offset);
	temp_pop(g, address, R1);
}

/*
 * The alloca memory at the address in R0 as a pointer in R1, with room for what T holds,
 * which comes into R2.  Sizes that no alloca memory has are BADSIZE.
 */
static void gen_alloca_part(struct gen *g, struct temp size)
{
	struct code *c = &g->code;
	uint32_t room = g->alloca_end - g->alloca_begin;
	need_slot(g);
	temp_pop(g, size, R2);
	if (!room) { /* the program has none: no address can be right */
		emit_store(c, 8, FP, g->firing.fault_address, R0);
		emit_jump(c, fault_label(g, FAULT_BADADDR));
		return;
	}
	emit_store(c, 8, FP, g->firing.fault_address, R2);
	emit_jump_if_number(c, BPF_JGT, R2, (int32_t)room, fault_label(g, FAULT_BADSIZE));
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_load(c, 8, R1, R7, offsetof(struct slot, address));
	emit_alu(c, BPF_SUB, R0, R1);
	label bad = fault_label(g, FAULT_BADADDR);
	emit_jump_if_number(c, BPF_JLT, R0, (int32_t)g->alloca_begin, bad);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)g->alloca_end, bad);
	emit_mov(c, R1, R0);
	emit_alu(c, BPF_ADD, R1, R2);
	emit_jump_if_number(c, BPF_JGT, R1, (int32_t)g->alloca_end, bad);
	emit_mov(c, R1, R7);
	emit_alu(c, BPF_ADD, R1, R0);
}

/* Bytes from where E lies to the end of its variable, whatever its index is. */
static uint32_t room_of(const struct texpr *e)
{
	if (e->kind != TEXPR_FIELD)
		return type_size(e->type);
	uint32_t before = e->field.offset;
	if (e->field.index)
		before += (e->field.count - 1) * e->field.stride;
	return room_of(e->field.base) - before;
}

/*
 * The place of E, a part of a variable, in R1, and SIZE in R2, which was checked.  Without
 * room for the variable, which is a counted drop, on to NOWHERE.
 */
static void gen_owned_part(struct gen *g, const struct texpr *e, const struct texpr *size,
			   label nowhere)
{
	struct code *c = &g->code;
	gen_value(g, size);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)room_of(e), fault_label(g, FAULT_BADSIZE));
	struct temp bytes = temp_push(g, R0);
	gen_target(g, e, nowhere);
	emit_mov(c, R1, R0);
	temp_pop(g, bytes, R2); /* of what comes back from the slot the verifier knows nothing */
	emit_jump_if_number(c, BPF_JGT, R2, (int32_t)room_of(e), nowhere);
}

void gen_copy_into(struct gen *g, const struct texpr *from, const struct texpr *to,
		   const struct texpr *size, bool user)
{
	struct code *c = &g->code;
	label nowhere = label_new(c);
	gen_value(g, from);
	struct temp address = temp_push(g, R0);
	if (to->kind == TEXPR_ADDRESS) {
		gen_owned_part(g, to->operand, size, nowhere);
	} else if (is_constant_size(size)) {
		gen_value(g, to);
		gen_own_pointer(g, (uint32_t)size->integer);
		emit_mov(c, R1, R0);
		emit_number(c, R2, size->integer);
	} else {
		gen_value(g, size);
		struct temp t = temp_push(g, R0);
		gen_value(g, to);
		gen_alloca_part(g, t);
	}
	temp_pop(g, address, R3);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	if (to->kind == TEXPR_ADDRESS || may_write_variables(g))
		gen_effect(g); /* a read that fails leaves zeros, too */
	gen_read(g, user);
	label_place(c, nowhere);
	emit_number(c, R0, 0);
}
