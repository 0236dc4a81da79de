/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long an x86 instruction is, of 64-bit and 32-bit code (Intel SDM volume 2, 2.1 and appendix
 * A):
 *
 *   prefixes, REX or VEX or EVEX | opcode | ModRM | SIB | displacement | immediate
 *
 * Tables say for each opcode whether a ModRM byte follows and which immediate;
 * instructions of newer CPUs that are not in the tables are unknown.
 */
#include <string.h>

#include "arch/internal.h"

#define LENGTH_MAX 15

enum {
	M = 1,	  /* ModRM */
	I1 = 2,	  /* immediate of 1 byte */
	I2 = 4,	  /* 2 bytes */
	IZ = 8,	  /* 4 bytes, with the operand size prefix 2 */
	IV = 16,  /* as IZ, with REX.W 8 */
	I4 = 32,  /* 4 bytes: branches */
	OFF = 64, /* an address of 8 bytes, with the address size prefix 4 */
	X = 128,  /* no instruction in 64-bit code, or a prefix */
};

/* clang-format off */
#define ARITHMETIC M, M, M, M, I1, IZ, X, X
static const unsigned char one_byte[256] = {
	/* 00 */ ARITHMETIC, ARITHMETIC, ARITHMETIC, ARITHMETIC,
	/* 20 */ ARITHMETIC, ARITHMETIC, ARITHMETIC, ARITHMETIC,
	/* 40 */ X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* 50 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* 60 */ X, X, X, M, X, X, X, X, IZ, M | IZ, I1, M | I1, 0, 0, 0, 0,
	/* 70 */ I1, I1, I1, I1, I1, I1, I1, I1, I1, I1, I1, I1, I1, I1, I1, I1,
	/* 80 */ M | I1, M | IZ, X, M | I1, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, 0, 0, 0, 0, 0,
	/* a0 */ OFF, OFF, OFF, OFF, 0, 0, 0, 0, I1, IZ, 0, 0, 0, 0, 0, 0,
	/* b0 */ I1, I1, I1, I1, I1, I1, I1, I1, IV, IV, IV, IV, IV, IV, IV, IV,
	/* c0 */ M | I1, M | I1, I2, 0, X, X, M | I1, M | IZ, I2 | I1, 0, I2, 0, 0, I1, X, 0,
	/* d0 */ M, M, M, M, X, X, X, 0, M, M, M, M, M, M, M, M,
	/* e0 */ I1, I1, I1, I1, I1, I1, I1, I1, I4, I4, X, I1, 0, 0, 0, 0,
	/* f0 */ X, 0, X, X, 0, 0, M, M, 0, 0, 0, 0, 0, 0, M, M,
};

static const unsigned char two_bytes[256] = {
	/* 00 */ M, M, M, M, X, 0, 0, 0, 0, 0, X, 0, X, M, 0, M | I1,
	/* 10 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 20 */ M, M, M, M, X, X, X, X, M, M, M, M, M, M, M, M,
	/* 30 */ 0, 0, 0, 0, 0, 0, X, 0, X, X, X, X, X, X, X, X,
	/* 40 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 50 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 60 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 70 */ M | I1, M | I1, M | I1, M | I1, M, M, M, 0, M, M, X, X, M, M, M, M,
	/* 80 */ I4, I4, I4, I4, I4, I4, I4, I4, I4, I4, I4, I4, I4, I4, I4, I4,
	/* 90 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* a0 */ 0, 0, 0, M, M | I1, M, X, X, 0, 0, 0, M, M | I1, M, M, M,
	/* b0 */ M, M, M, M, M, M, M, M, M, M, M | I1, M, M, M, M, M,
	/* c0 */ M, M, M | I1, M, M | I1, M | I1, M | I1, M, 0, 0, 0, 0, 0, 0, 0, 0,
	/* d0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* e0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* f0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
};
/* clang-format on */

/*
 * 32-bit code has more one-byte opcodes, those of REX prefixes among them.  Those of VEX and EVEX
 * are instructions there if what follows means memory.
 */
static unsigned narrow_form(unsigned char opcode)
{
	switch (opcode) {
	case 0x06:
	case 0x07:
	case 0x0e:
	case 0x16:
	case 0x17:
	case 0x1e:
	case 0x1f:
	case 0x27:
	case 0x2f:
	case 0x37:
	case 0x3f:
	case 0x60:
	case 0x61:
	case 0xce:
		return 0;
	case 0x62:
	case 0xc4:
	case 0xc5:
		return M;
	case 0x82:
		return M | I1;
	case 0x9a:
	case 0xea:
		return I4 | I2;
	case 0xd4:
	case 0xd5:
		return I1;
	default:
		return (opcode & 0xf0) == 0x40 ? 0 : one_byte[opcode];
	}
}

static unsigned char decoder_next(struct decoder *d)
{
	return bytes_u8(&d->b);
}

/* Legacy prefixes and REX; the byte after them. */
static unsigned char take_prefixes(struct decoder *d)
{
	for (;;) {
		unsigned char c = decoder_next(d);
		switch (c) {
		case 0x66:
			d->operand16 = true;
			continue;
		case 0x67:
			d->address32 = true;
			continue;
		case 0x3e:
			d->notrack = true;
			continue;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0xf0:
		case 0xf2:
		case 0xf3:
			continue;
		case 0x64:
		case 0x65:
			d->segment = true;
			continue;
		}
		if (d->is_narrow || (c & 0xf0) != 0x40)
			return c;
		d->rex = c & 15;
		return decoder_next(d);
	}
}

static bool begins_vector(const struct decoder *d, unsigned char c)
{
	bool is_one = c == 0xc4 || c == 0xc5 || c == 0x62;
	if (is_one && d->is_narrow)
		return bytes_left(&d->b) && d->b.data[d->b.pos] >= 0xc0;
	return is_one;
}

static void take_opcode(struct decoder *d)
{
	unsigned char c = take_prefixes(d);
	d->vector = begins_vector(d, c);
	if (!d->vector && c != 0x0f) {
		d->opcode = c;
		return;
	}
	if (c == 0xc5) {
		decoder_next(d);
		d->map = 1;
	} else if (c == 0xc4) {
		d->map = decoder_next(d) & 0x1f;
		decoder_next(d);
	} else if (c == 0x62) {
		d->map = decoder_next(d) & 7;
		decoder_next(d);
		decoder_next(d);
	} else {
		c = decoder_next(d);
		d->map = c == 0x38 ? 2 : c == 0x3a ? 3 : 1;
		d->opcode = d->map == 1 ? c : decoder_next(d);
		return;
	}
	d->opcode = decoder_next(d);
}

static unsigned form_of(const struct decoder *d)
{
	switch (d->map) {
	case 0:
		if (d->is_narrow)
			return d->vector ? X : narrow_form(d->opcode);
		return d->vector ? X : one_byte[d->opcode];
	case 1:
		return two_bytes[d->opcode];
	case 2:
		return M;
	case 3:
		return M | I1;
	case 5:
	case 6:
		return d->vector ? M : X;
	default:
		return X;
	}
}

/* SIZE: 0, 1 or 4 bytes. */
static int32_t displacement_of(const signed char *bytes, unsigned size)
{
	int32_t four = 0;
	if (size == 1)
		return *bytes;
	memcpy(&four, bytes, size);
	return four;
}

static void take_modrm(struct decoder *d)
{
	d->modrm = decoder_next(d);
	unsigned mode = d->modrm >> 6, rm = d->modrm & 7;
	if (mode == 3)
		return;
	if (rm == 4)
		d->sib = decoder_next(d);
	if (mode == 0 && rm == 5 && !d->is_narrow)
		d->relative_at = d->b.pos;
	bool no_base = mode == 0 && (rm == 5 || (rm == 4 && (d->sib & 7) == 5));
	unsigned size = mode == 1 ? 1 : mode == 2 || no_base ? 4 : 0;
	const signed char *below = bytes_take(&d->b, size);
	d->displacement = below ? displacement_of(below, size) : 0;
	/* Of r12, which has the same number, too: the REX prefix is not looked at. */
	bool by_stack_pointer = rm == 4 && (d->sib & 7) == 4 && mode;
	d->below_stack = by_stack_pointer && d->displacement < 0;
}

static unsigned immediate_size(const struct decoder *d, unsigned form)
{
	unsigned z = d->operand16 ? 2 : 4, size = 0;
	size += form & I1 ? 1 : 0;
	size += form & I2 ? 2 : 0;
	size += form & I4 ? 4 : 0;
	size += form & IZ ? z : 0;
	size += form & IV ? (d->rex & REX_W ? 8 : z) : 0;
	size += form & OFF ? (d->address32 || d->is_narrow ? 4 : 8) : 0;
	bool is_test = !d->map && (d->opcode & 0xfe) == 0xf6 && (d->modrm & 0x30) == 0;
	if (is_test)
		size += d->opcode == 0xf6 ? 1 : z;
	return size;
}

/*
 * A switch jumps through a table: by an index and no base register, or (position
 * independent) by a register that a sum was just put into, which only the caller
 * sees; compilers mark both by notrack where they care for CET.
 */
static enum flow indirect_flow(const struct decoder *d)
{
	bool is_register = d->modrm >> 6 == 3;
	bool is_indexed = d->modrm >> 6 == 0 && (d->modrm & 7) == 4 && (d->sib & 7) == 5;
	if (d->notrack || is_indexed)
		return FLOW_TABLE;
	return is_register ? FLOW_REGISTER : FLOW_POINTER;
}

static enum flow flow_of(const struct decoder *d)
{
	unsigned char c = d->opcode;
	if (d->vector || d->map > 1)
		return FLOW_NEXT;
	if (d->map == 1)
		return (c & 0xf0) == 0x80 ? FLOW_BRANCH : FLOW_NEXT;
	if (c == 0xc2 || c == 0xc3 || c == 0xca || c == 0xcb)
		return FLOW_RETURN;
	if (c == 0xe9 || c == 0xeb)
		return FLOW_JUMP;
	if (c == 0xe8)
		return FLOW_CALL;
	if ((c & 0xf0) == 0x70 || (c >= 0xe0 && c <= 0xe3))
		return FLOW_BRANCH;
	if (c == 0xff && (d->modrm & 0x38) == 0x20)
		return indirect_flow(d);
	return FLOW_NEXT;
}

/* Numbers in struct pt_regs of registers by their numbers in instructions, and of rip. */
const uint8_t x86_64_words[16] = { 10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0 };
#define RIP 16

static struct jump_operand memory_operand(const struct decoder *d)
{
	unsigned mode = d->modrm >> 6, rm = d->modrm & 7, sib = d->sib;
	unsigned index = (sib >> 3 & 7) | (d->rex & REX_X ? 8 : 0);
	unsigned base = (rm == 4 ? sib & 7 : rm) | (d->rex & REX_B ? 8 : 0);
	struct jump_operand ret = { true, x86_64_words[base],	JUMP_NO_REGISTER,
				    0,	  d->is_narrow ? 4 : 8, d->displacement };
	if (mode == 0 && (base & 7) == 5)
		ret.base = rm == 5 && !d->is_narrow ? RIP : JUMP_NO_REGISTER;
	if (ret.base == RIP)
		ret.displacement = (int32_t)((uint32_t)ret.displacement + (uint32_t)d->b.pos);
	if (rm == 4 && index != 4) {
		ret.index = x86_64_words[index];
		ret.scale = (uint8_t)(1 << (sib >> 6));
	}
	return ret;
}

/* Of jmp *OPERAND. */
static struct jump_operand jump_operand(const struct decoder *d)
{
	unsigned number = (d->modrm & 7) | (d->rex & REX_B ? 8 : 0);
	if (d->segment || d->address32 || d->operand16)
		return (struct jump_operand) { 0 };
	if (d->modrm >> 6 != 3)
		return memory_operand(d);
	return (struct jump_operand) { true, x86_64_words[number], JUMP_NO_REGISTER, 0, 0, 0 };
}

enum { CARRY = 0x1, PARITY = 0x4, ZERO = 0x40, SIGN = 0x80, OVERFLOW = 0x800 };

/* Jcc: the low four bits of the opcode (Intel SDM volume 2, appendix B.1.4.7). */
static struct branch_test test_of(const struct decoder *d)
{
	static const struct branch_test tests[] = {
		{ OVERFLOW },
		{ CARRY },
		{ ZERO },
		{ CARRY | ZERO },
		{ SIGN },
		{ PARITY },
		{ 0, SIGN | OVERFLOW },
		{ ZERO, SIGN | OVERFLOW },
	};
	bool is_jcc = d->map == 1 || (d->opcode & 0xf0) == 0x70;
	struct branch_test ret = { 0 };
	if (is_jcc) /* the others test rcx */
		ret = tests[d->opcode >> 1 & 7];
	ret.is_not = is_jcc && d->opcode & 1;
	return ret;
}

static bool decoder_is_call(const struct decoder *d)
{
	unsigned operation = d->modrm >> 3 & 7;
	if (d->map || d->vector)
		return false;
	return d->opcode == 0xe8 || (d->opcode == 0xff && (operation == 2 || operation == 3));
}

/* add REGISTER, REGISTER: the last step of a jump through a table. */
static bool is_sum(const struct decoder *d)
{
	return !d->map && !d->vector && (d->opcode == 0x01 || d->opcode == 0x03) &&
	       (d->rex & REX_W || d->is_narrow);
}

/* Of the registers that ModRM names: REG, or the one that is no memory. */
static uint8_t modrm_register(const struct decoder *d, bool is_reg)
{
	unsigned low = is_reg ? d->modrm >> 3 & 7 : d->modrm & 7;
	return x86_64_words[low | (d->rex & (is_reg ? REX_R : REX_B) ? 8 : 0)];
}

static void set_registers(const struct decoder *d, struct instruction *ret)
{
	bool loads_address =
		!d->map && !d->vector && d->opcode == 0x8d && d->rex & REX_W && d->relative_at;
	ret->address_register = loads_address ? modrm_register(d, true) : JUMP_NO_REGISTER;
	ret->summands[0] = ret->summands[1] = JUMP_NO_REGISTER;
	if (!ret->is_sum || d->modrm >> 6 != 3)
		return;
	ret->summands[0] = modrm_register(d, d->opcode == 0x03);
	ret->summands[1] = modrm_register(d, d->opcode != 0x03);
}

static int64_t displacement(const struct bytes *code, const struct instruction *i)
{
	const unsigned char *at = code->data + i->displacement_at / 8;
	int32_t four;
	if (i->displacement_bits == 8)
		return (signed char)*at;
	memcpy(&four, at, sizeof(four));
	return four;
}

bool x86_take_instruction(struct decoder *d, const struct bytes *code, unsigned *form)
{
	/* Not a struct: it would be copied by one load over two stores, a fourth of all time. */
	d->b.data = code->data;
	d->b.size = MIN(code->size, LENGTH_MAX);
	take_opcode(d);
	*form = form_of(d);
	/* Addresses of 16 bits have other forms, and nobody writes them. */
	if (*form & X || (d->is_narrow && d->address32))
		return false;
	if (*form & M)
		take_modrm(d);
	bytes_take(&d->b, immediate_size(d, *form));
	return !d->b.failed;
}

static bool decode(const struct bytes *code, bool is_narrow, struct instruction *ret)
{
	struct decoder d = { .is_narrow = is_narrow };
	unsigned form;
	if (!x86_take_instruction(&d, code, &form))
		return false;
	*ret = (struct instruction) { .length = (unsigned)d.b.pos, .flow = flow_of(&d) };
	ret->is_sum = is_sum(&d);
	set_registers(&d, ret);
	ret->is_call = decoder_is_call(&d);
	ret->is_below_stack = d.below_stack;
	if (ret->flow == FLOW_BRANCH)
		ret->test = test_of(&d);
	bool may_leave = ret->flow == FLOW_TABLE ? !d.notrack : ret->flow >= FLOW_POINTER;
	if (may_leave)
		ret->operand = jump_operand(&d);
	bool has_target = instruction_has_target(ret);
	if (has_target)
		d.relative_at = ret->length - (form & I1 ? 1 : 4);
	ret->displacement_at = (uint8_t)(d.relative_at * 8);
	ret->displacement_bits = !d.relative_at ? 0 : has_target && form & I1 ? 8 : 32;
	if (has_target)
		ret->target = ret->length + displacement(code, ret);
	return true;
}

bool x86_64_decode(const struct bytes *code, struct instruction *ret)
{
	return decode(code, false, ret);
}

#define SHORT_REACH 130 /* of a displacement of 8 bits, from the instruction's first byte */

/* Displacements of 32 bits count from their own end. */
bool arch_may_branch(const struct arch *a, const struct bytes *code, int64_t target)
{
	int64_t size = (int64_t)code->size;
	bool may = a != &arch_x86_64 || (target >= -SHORT_REACH && target < size + SHORT_REACH);
	for (int64_t at = 0; at + 4 <= size && !may; at++) {
		int32_t distance;
		memcpy(&distance, code->data + at, sizeof(distance));
		may = at + 4 + distance == target;
	}
	return may;
}

bool i386_decode(const struct bytes *code, struct instruction *ret)
{
	return decode(code, true, ret);
}
