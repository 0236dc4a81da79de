/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an x86_64 instruction changes (Intel SDM volume 2)
 *
 * Of the instructions that functions begin with; all others are unknown, and so are those that
 * read the stack.  What is said to be changed may in truth be left alone (cmov), never the other
 * way round.
 */
#include "arch/internal.h"

/* Of an opcode; 0: unknown. */
enum {
	KNOWN = 1, /* nothing else: vector registers */
	FLAGS = 2,
	REG = 4,   /* the register in ModRM's middle */
	RM = 8,	   /* the other operand: a register, memory */
	LOW = 16,  /* the register in the opcode's lowest bits */
	BYTE = 32, /* these are of one byte */
	AX = 64,
	DX = 128,
	PUSH = 256,
};

#define WORD_FLAGS 18
#define WORD_STACK 19

static bool is_between(unsigned char c, unsigned char first, unsigned char last)
{
	return c >= first && c <= last;
}

/* Opcodes of groups: ModRM's middle bits are part of the opcode. */
static unsigned group_changes(unsigned char c, unsigned field)
{
	switch (c) {
	case 0x80:
	case 0x81:
	case 0x83:
		return field == 7 ? FLAGS : RM | FLAGS;
	case 0xc6:
	case 0xc7:
		return field ? 0 : RM;
	case 0xf6:
	case 0xf7:
		if (field < 2)
			return FLAGS;
		return field == 2 ? RM : field == 3 ? RM | FLAGS : AX | DX | FLAGS;
	case 0xfe:
	case 0xff:
		return field < 2 ? RM | FLAGS : c == 0xff && field == 6 ? PUSH : 0;
	default:
		return 0;
	}
}

static unsigned one_byte_changes(const struct decoder *d)
{
	static const unsigned arithmetic[] = { RM, RM, REG, REG, AX, AX, 0, 0 };
	unsigned char c = d->opcode;
	if (c < 0x40)
		return FLAGS | (c >= 0x38 ? 0 : arithmetic[c & 7]);
	if (is_between(c, 0x50, 0x57) || c == 0x68 || c == 0x6a)
		return PUSH;
	if (is_between(c, 0x91, 0x97) || (c == 0x90 && d->rex & REX_B))
		return LOW | AX;
	if (is_between(c, 0x70, 0x7f) || c == 0x90)
		return KNOWN;
	if (is_between(c, 0xb0, 0xbf))
		return LOW;
	switch (c) {
	case 0x63:
	case 0x8a:
	case 0x8b:
	case 0x8d:
		return REG;
	case 0x69:
	case 0x6b:
		return REG | FLAGS;
	case 0x84:
	case 0x85:
	case 0xa8:
	case 0xa9:
		return FLAGS;
	case 0x86:
	case 0x87:
		return RM | REG;
	case 0x88:
	case 0x89:
		return RM;
	case 0x98:
		return AX;
	case 0x99:
		return DX;
	case 0xc0:
	case 0xc1:
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
		return RM | FLAGS;
	default:
		return group_changes(c, d->modrm >> 3 & 7);
	}
}

/* Of 0f, with and without VEX or EVEX: moves and arithmetic of vector registers. */
static unsigned vector_changes(const struct decoder *d)
{
	unsigned char c = d->opcode;
	bool is_register = d->modrm >> 6 == 3;
	switch (c) {
	case 0x11:
	case 0x13:
	case 0x17:
	case 0x29:
	case 0x2b:
	case 0x7f:
	case 0xd6:
	case 0xe7:
		return is_register ? KNOWN : RM;
	case 0x2e:
	case 0x2f:
		return FLAGS;
	case 0xc5: /* to general registers */
	case 0xd7:
	case 0xf7: /* to memory at rdi */
	case 0xf0:
	case 0xff:
		return 0;
	}
	return is_between(c, 0x10, 0x16) || c == 0x28 || c == 0x2a || is_between(c, 0x51, 0x77) ||
			       c == 0xc6 || c >= 0xd0
		       ? KNOWN
		       : 0;
}

static unsigned two_byte_changes(const struct decoder *d)
{
	unsigned char c = d->opcode;
	if (is_between(c, 0x40, 0x4f) || c == 0x50 || c == 0xd7 || c == 0xc5 || c == 0x2c ||
	    c == 0x2d || c == 0xb6 || c == 0xb7 || c == 0xbe || c == 0xbf)
		return REG;
	if (is_between(c, 0x90, 0x9f) || c == 0x7e || c == 0xc3)
		return RM;
	if (is_between(c, 0xc8, 0xcf))
		return LOW;
	switch (c) {
	case 0x0d:
	case 0x18:
	case 0x1f:
		return KNOWN;
	case 0x1e: /* but rdssp */
		return d->modrm >> 6 != 3 || d->modrm == 0xfa || d->modrm == 0xfb ? KNOWN : 0;
	case 0xa3:
		return FLAGS;
	case 0xa4:
	case 0xa5:
	case 0xab:
	case 0xac:
	case 0xad:
	case 0xb3:
	case 0xbb:
		return RM | FLAGS;
	case 0xaf:
	case 0xb8:
	case 0xbc:
	case 0xbd:
		return REG | FLAGS;
	case 0xb0:
	case 0xb1:
		return RM | AX | FLAGS;
	case 0xba:
		return (d->modrm >> 3 & 7) == 4 ? FLAGS : RM | FLAGS;
	case 0xc0:
	case 0xc1:
		return RM | REG | FLAGS;
	default:
		return is_between(c, 0x80, 0x8f) ? KNOWN : vector_changes(d);
	}
}

static unsigned changes_of(const struct decoder *d)
{
	bool is_byte = false;
	unsigned ret = 0;
	if (!d->map) {
		ret = one_byte_changes(d);
		is_byte =
			d->opcode >= 0xb0 && d->opcode < 0xc0 ? d->opcode < 0xb8 : !(d->opcode & 1);
	} else if (d->map == 1) {
		ret = d->vector ? vector_changes(d) : two_byte_changes(d);
		is_byte = true;
	} else if (d->map == 2 && d->vector) { /* broadcasts, of vectors or general registers */
		unsigned char c = d->opcode;
		bool is_broadcast = c == 0x18 || c == 0x19 || c == 0x58 || c == 0x59 ||
				    is_between(c, 0x78, 0x7c);
		ret = is_broadcast ? KNOWN : 0;
	}
	return ret && is_byte ? ret | BYTE : ret;
}

/* Numbers 4 to 7 of a byte mean ah, ch, dh and bh, unless there is a REX; it is not looked for. */
static uint32_t register_word(unsigned low, bool has_more, bool is_byte)
{
	unsigned number = low | (has_more ? 8u : 0);
	uint32_t alias = is_byte && number >= 4 && number < 8 ? 1u << x86_64_words[number - 4] : 0;
	return 1u << x86_64_words[number] | alias;
}

/* sub $N, %rsp; add $N, %rsp; lea N(%rsp), %rsp: what they add. */
static bool stack_step(const struct decoder *d, int32_t *ret)
{
	if (d->map || d->vector || !(d->rex & REX_W) || d->rex & (REX_B | REX_R | REX_X))
		return false;
	if (d->opcode == 0x8d && (d->modrm == 0x64 || d->modrm == 0xa4) && d->sib == 0x24) {
		*ret = d->displacement;
		return true;
	}
	if ((d->opcode != 0x81 && d->opcode != 0x83) || (d->modrm != 0xec && d->modrm != 0xc4))
		return false;
	int32_t number = 0;
	unsigned size = d->opcode == 0x83 ? 1 : 4;
	memcpy(&number, d->b.data + d->b.pos - size, size);
	number = size == 1 ? (int8_t)number : number;
	if (d->modrm == 0xec && number == INT32_MIN)
		return false;
	*ret = d->modrm == 0xec ? -number : number;
	return true;
}

bool x86_64_effects(const struct bytes *code, struct instruction_effects *ret)
{
	struct decoder d = { 0 };
	unsigned form;
	if (!x86_take_instruction(&d, code, &form))
		return false;
	unsigned changes = changes_of(&d);
	bool is_byte = changes & BYTE;
	struct instruction_effects e = { .is_stack_known = true };
	if (!changes)
		return false;
	if (changes & FLAGS)
		e.words |= 1u << WORD_FLAGS;
	if (changes & REG)
		e.words |= register_word(d.modrm >> 3 & 7, d.rex & REX_R, is_byte);
	if (changes & RM && d.modrm >> 6 == 3)
		e.words |= register_word(d.modrm & 7, d.rex & REX_B, is_byte);
	if (changes & LOW)
		e.words |= register_word(d.opcode & 7, d.rex & REX_B, is_byte);
	if (changes & AX)
		e.words |= 1u << x86_64_words[0];
	if (changes & DX)
		e.words |= 1u << x86_64_words[2];
	e.memory = changes & RM && d.modrm >> 6 != 3;
	if (changes & PUSH)
		e.stack = d.operand16 ? -2 : -8;
	else if (stack_step(&d, &e.stack))
		e.words &= ~(1u << WORD_STACK);
	e.is_stack_known = !(e.words & 1u << WORD_STACK);
	*ret = e;
	return true;
}
