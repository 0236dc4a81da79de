/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Encodings of x86_64: the opcodes are in internal.h, their forms are here
 *
 *	[lock] [0x66: 2 bytes] [REX] opcode, ModRM [SIB] [displacement] [number]
 *
 * Intel's manual, volume 2, chapter 2; all instructions are of the first x86_64 processors.
 */
#include "translate/internal.h"

void put(struct assembler *a, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++, a->used++)
		if (a->used < a->size)
			a->bytes[a->used] = (unsigned char)(value >> 8 * i);
}

static bool number_fits(int64_t n, unsigned bits)
{
	return n == (bits == 8 ? (int8_t)n : (int32_t)n);
}

/* --- operands --------------------------------------------------------------------------------- */

/* rbp and r13 without a displacement mean something else; rsp and r12 as base need a SIB. */
static void put_operand(struct assembler *a, unsigned field, struct machine_operand o)
{
	unsigned low = o.base & 7, mode = 3;
	if (o.is_memory)
		mode = !o.offset && low != RBP ? 0 : number_fits(o.offset, 8) ? 1 : 2;
	put(a, mode << 6 | (field & 7) << 3 | low, 1);
	if (o.is_memory && low == RSP)
		put(a, 0x24, 1);
	if (mode == 1 || mode == 2)
		put(a, (uint64_t)o.offset, mode == 1 ? 1 : 4);
}

/* FIELD: a register or a digit.  sil, dil and bpl are bytes only after a REX. */
static void put_whole(struct assembler *a, unsigned opcode, unsigned width, unsigned field,
		      struct machine_operand o, bool needs_rex)
{
	unsigned rex = (width == 8) << 3 | (field >> 3) << 2 | (unsigned)o.base >> 3;
	if (width == 2)
		put(a, 0x66, 1);
	if (rex || needs_rex)
		put(a, 0x40 | rex, 1);
	if (opcode > 0xff)
		put(a, opcode >> 8, 1);
	put(a, opcode & 0xff, 1);
	put_operand(a, field, o);
	if (!o.is_memory)
		a->changed |= 1u << o.base;
}

void put_operation(struct assembler *a, enum operation op, unsigned width, enum machine_register r,
		   struct machine_operand o)
{
	put_whole(a, op, width, r, o, op == STORE_BYTE && r >= RSP);
	a->changed |= 1u << r;
}

void put_locked(struct assembler *a, enum operation op, unsigned width, enum machine_register r,
		struct machine_operand o)
{
	put(a, 0xf0, 1);
	put_operation(a, op, width, r, o);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static bool is_shift(enum digit_operation op)
{
	return op >> 4 == NUMBER_SHL >> 4;
}

/* Additions and the like have a form for numbers of one byte: 0x83 in the place of 0x81. */
void put_number(struct assembler *a, enum digit_operation op, unsigned width,
		struct machine_operand o, int32_t number)
{
	bool has_byte_form = op >> 4 == NUMBER_ADD >> 4 && number_fits(number, 8);
	unsigned bytes = has_byte_form || is_shift(op) ? 1 : MIN(width, 4u);
	put_whole(a, (unsigned)op >> 4 | (has_byte_form ? 2 : 0), width, op & 7, o, false);
	put(a, (uint64_t)number, bytes);
}

void put_one(struct assembler *a, enum digit_operation op, unsigned width, struct machine_operand o)
{
	put_whole(a, (unsigned)op >> 4, width, op & 7, o, false);
}

void put_multiply(struct assembler *a, unsigned width, enum machine_register r, int32_t number)
{
	put_operation(a, number_fits(number, 8) ? 0x6b : 0x69, width, r, operand_in_register(r));
	put(a, (uint64_t)number, number_fits(number, 8) ? 1 : 4);
}

void put_move(struct assembler *a, unsigned width, enum machine_register to,
	      enum machine_register from)
{
	if (to != from || width < 8) /* which clears the upper half */
		put_operation(a, STORE, width, from, operand_in_register(to));
}

/* From all of the place: so it does not depend on how much code comes before. */
static bool is_near(const struct assembler *a, uint64_t address)
{
	return number_fits((int64_t)(address - a->address), 32) &&
	       number_fits((int64_t)(address - a->address - a->size), 32);
}

void put_constant(struct assembler *a, enum machine_register r, uint64_t value)
{
	a->changed |= 1u << r;
	if (!value) {
		put_operation(a, STORE_XOR, 4, r, operand_in_register(r));
	} else if (value <= UINT32_MAX) {
		put(a, r >= R8 ? 0x41 : 0, r >= R8);
		put(a, 0xb8 | (r & 7), 1);
		put(a, value, 4);
	} else if (number_fits((int64_t)value, 32)) {
		put_number(a, NUMBER_STORE, 8, operand_in_register(r), (int32_t)value);
	} else if (is_near(a, value)) {
		put_near_address(a, r, (int64_t)(value - a->address));
	} else {
		put(a, r >= R8 ? 0x49 : 0x48, 1);
		put(a, 0xb8 | (r & 7), 1);
		put(a, value, 8);
	}
}

void put_swap(struct assembler *a, unsigned bits, enum machine_register r)
{
	a->changed |= 1u << r;
	if (bits == 16) {
		put_number(a, NUMBER_ROTATE, 2, operand_in_register(r), 8);
		put_operation(a, LOAD_2, 4, r, operand_in_register(r));
		return;
	}
	unsigned rex = (bits == 64) << 3 | r >> 3;
	put(a, 0x40 | rex, rex != 0);
	put(a, 0xc80f | (r & 7) << 8, 2);
}

/* --- stack, calls, jumps ---------------------------------------------------------------------- */

static void put_short(struct assembler *a, unsigned opcode, enum machine_register r)
{
	put(a, 0x41, r >= R8);
	put(a, opcode | (r & 7), 1);
}

void put_push(struct assembler *a, enum machine_register r)
{
	put_short(a, 0x50, r);
}

void put_pop(struct assembler *a, enum machine_register r)
{
	put_short(a, 0x58, r);
}

void put_leave(struct assembler *a)
{
	put(a, 0xc9, 1);
}

void put_return(struct assembler *a)
{
	put(a, 0xc3, 1);
}

/* The distance from the end of an instruction that ends with it. */
static void put_distance(struct assembler *a, int64_t to, unsigned bytes)
{
	put(a, (uint64_t)(to - (int64_t)a->used - bytes), bytes);
}

void put_near_call(struct assembler *a, int64_t to)
{
	a->changed |= CHANGED_BY_CALLS;
	put(a, 0xe8, 1);
	put_distance(a, to, 4);
}

void put_call(struct assembler *a, uint64_t address)
{
	if (is_near(a, address)) {
		put_near_call(a, (int64_t)(address - a->address));
		return;
	}
	a->changed |= CHANGED_BY_CALLS;
	put_constant(a, RAX, address);
	put_one(a, ONE_CALL, 4, operand_in_register(RAX));
}

void put_near_address(struct assembler *a, enum machine_register r, int64_t to)
{
	a->changed |= 1u << r;
	put(a, r >= R8 ? 0x4c : 0x48, 1);
	put(a, LOAD_ADDRESS, 1);
	put(a, (r & 7) << 3 | 5, 1); /* relative to the end */
	put_distance(a, to, 4);
}

void put_jump(struct assembler *a, enum condition when, int64_t to, bool is_short)
{
	if (is_short)
		put(a, when == ALWAYS ? 0xeb : 0x70u | when, 1);
	else if (when == ALWAYS)
		put(a, 0xe9, 1);
	else
		put(a, 0x800f | (unsigned)when << 8, 2);
	put_distance(a, to, is_short ? 1 : 4);
}

size_t put_hop(struct assembler *a, enum condition when)
{
	put_jump(a, when, (int64_t)a->used + 2, true);
	return a->used;
}

void land(struct assembler *a, size_t hop)
{
	if (hop <= a->size)
		a->bytes[hop - 1] = (unsigned char)(a->used - hop);
}
