/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firing's memory with addresses in D: alloca(), copyin(), copyinto(), bcopy()
 *
 * The memory is in the slot, from alloca_begin to alloca_end: first the allocations of constant
 * size, each call in the text with a separate place; then alloca_dynamic bytes that all others
 * share at run time (slot.alloca_used).  plan/analysis.c has counted both.  Each allocation is a
 * piece (piece.c); pointer.c writes to it.
 *
 * After each piece is a zero byte, so that a string in it ends there at the latest: the bytes
 * after it are left from earlier uses.  All pieces of no bytes are one place.
 */
#include "codegen/value/variable.h"

#include <assert.h>

/*
 * Memory for SIZE bytes: its pointer in R1 and the size in R2. Constant sizes have separate
 * places; others share the rest.
 */
static void gen_room(struct gen *g, const struct texpr *size, struct temp *offset)
{
	struct code *c = &g->code;
	need_slot(g);
	if (is_constant_size(size)) {
		uint32_t at = g->plan->alloca_begin + (size->integer ? g->alloca.at : 0);
		g->alloca.at += alloca_constant_room(size);
		assert(g->plan->alloca_begin + g->alloca.at <=
		       g->plan->alloca_end - g->plan->alloca_dynamic);
		gen_known_piece(g, at, at + (uint32_t)size->integer);
		emit_number(c, R0, at);
		*offset = temp_push(g, R0);
		emit_store_number(c, 1, R7, (int)(at + size->integer), 0);
		emit_mov(c, R1, R7); /* R0 still is known: a value read from the slot is not */
		emit_alu(c, BPF_ADD, R1, R0);
		emit_number(c, R2, size->integer);
		return;
	}
	uint32_t limit = g->plan->options->scratch_size;
	uint32_t begin = g->plan->alloca_end - g->plan->alloca_dynamic + 8 * g->alloca.call++;
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
	gen_piece_of_any_size(g);
	*offset = temp_push(g, R0);
	emit_mov(c, R1, R7);
	emit_alu(c, BPF_ADD, R1, R0);
	emit_mov(c, R3, R1);
	emit_alu(c, BPF_ADD, R3, R2);
	emit_store_number(c, 1, R3, 0, 0);
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
	emit_call(&g->code, RT_copy);
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

/* The bytes from E, a part of a variable, to the end of the variable; E may be its last part. */
static uint32_t part_room(const struct texpr *e)
{
	if (e->kind != TEXPR_FIELD)
		return type_size(e->type);
	uint32_t before = e->field.offset;
	if (e->field.index)
		before += (e->field.count - 1) * e->field.stride;
	return part_room(e->field.base) - before;
}

/* Fault unless R0 bytes fit in E, a part of a variable. */
static void gen_part_room_test(struct gen *g, const struct texpr *e)
{
	emit_store(&g->code, 8, FP, g->firing.fault_address, R0);
	emit_jump_if_number(&g->code, BPF_JGT, R0, (int32_t)part_room(e),
			    fault_label(g, FAULT_BADSIZE));
}

/*
 * The place of E, a part of a variable, in R1, and SIZE in R2, which was checked; SIZE_FIRST:
 * SIZE is evaluated first.  Without memory for the variable, which is a counted drop, jump to
 * NOWHERE.
 */
static void gen_owned_part(struct gen *g, const struct texpr *e, const struct texpr *size,
			   bool size_first, label nowhere)
{
	struct code *c = &g->code;
	if (!size_first) {
		gen_target(g, e, nowhere);
		struct temp place = temp_push_pointer(g, R0);
		gen_value(g, size);
		gen_part_room_test(g, e);
		emit_mov(c, R2, R0);
		temp_pop(g, place, R1);
		return;
	}
	gen_value(g, size);
	gen_part_room_test(g, e);
	struct temp bytes = temp_push(g, R0);
	gen_target(g, e, nowhere);
	emit_mov(c, R1, R0);
	temp_pop(g, bytes, R2); /* the verifier knows nothing about values read from the slot */
	emit_jump_if_number(c, BPF_JGT, R2, (int32_t)part_room(e), nowhere);
}

/* R1 = the place of SIZE bytes at the address TO, R2 = SIZE; SIZE_FIRST as above. */
static void gen_own_part(struct gen *g, const struct texpr *to, const struct texpr *size,
			 bool size_first)
{
	gen_value(g, size_first ? size : to);
	struct temp first = temp_push(g, R0);
	if (size_first) {
		gen_value(g, to);
		gen_own_bytes(g, first);
		return;
	}
	gen_value(g, size);
	struct temp bytes = temp_push(g, R0);
	temp_read(g, first, R0);
	gen_own_bytes(g, bytes);
	temp_pop(g, first, R3);
}

/* The test of R2 bytes at R3, the value of FROM; they will be copied to R1. */
static void gen_copied_source_test(struct gen *g, const struct texpr *from)
{
	struct code *c = &g->code;
	if (!plan_may_be_scratch(g->plan, from))
		return;
	int mark = c->frame_used;
	int to = frame_alloc(c, 8);
	emit_store(c, 8, FP, to, R1);
	gen_source_test(g, from);
	emit_load(c, 8, R1, FP, to);
	frame_release(c, mark);
}

/* The arguments are evaluated as they are written: FROM, then TO or, of copyinto(), SIZE. */
void gen_copy_into(struct gen *g, const struct texpr *from, const struct texpr *to,
		   const struct texpr *size, bool user)
{
	struct code *c = &g->code;
	bool size_first = user;
	label nowhere = label_new(c);
	if (is_constant_size(size))
		gen_source(g, from, user, (uint32_t)size->integer);
	else
		gen_value(g, from);
	struct temp address = temp_push(g, R0);
	if (plan_has_known_room(g->plan, to)) {
		gen_owned_part(g, to->operand, size, size_first, nowhere);
	} else if (is_constant_size(size)) {
		gen_value(g, to);
		gen_own_pointer(g, (uint32_t)size->integer);
		emit_mov(c, R1, R0);
		emit_number(c, R2, size->integer);
	} else {
		gen_own_part(g, to, size, size_first);
	}
	temp_pop(g, address, R3);
	if (!user && !is_constant_size(size))
		gen_copied_source_test(g, from);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	if (to->kind == TEXPR_ADDRESS || plan_writes_variables(g->plan))
		gen_effect(g); /* a read that fails leaves zeros, too */
	gen_read(g, user);
	label_place(c, nowhere);
	emit_number(c, R0, 0);
}
