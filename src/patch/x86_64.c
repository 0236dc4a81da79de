/* SPDX-License-Identifier: BSD-2-Clause */
/* Jumps and moved instructions of x86_64 (Intel SDM volume 2) */
#include "patch/internal.h"

#define JMP 0xe9       /* with a displacement of 4 bytes from its end */
#define JMP_SHORT 0xeb /* of 1 byte */
#define JUMP_SIZE 5
#define BREAKPOINT 0xcc

static bool has_prefix(const struct bytes *code, size_t opcode, unsigned char prefix)
{
	return memchr(code->data, prefix, opcode) != NULL;
}

/* Where the opcode is, after legacy prefixes and REX. */
static size_t opcode_at(const struct bytes *code)
{
	static const unsigned char prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
						  0x66, 0x67, 0xf0, 0xf2, 0xf3 };
	size_t at = 0;
	while (at + 1 < code->size && memchr(prefixes, code->data[at], sizeof(prefixes)))
		at++;
	return at + 1 < code->size && (code->data[at] & 0xf0) == 0x40 ? at + 1 : at;
}

static bool has_opcode(const struct bytes *code, size_t at, unsigned char first,
		       unsigned char second)
{
	return at + 1 < code->size && code->data[at] == first && code->data[at + 1] == second;
}

static unsigned mark_size(const struct bytes *code)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	bool is_mark =
		code->size >= sizeof(endbr64) && memcmp(code->data, endbr64, sizeof(endbr64)) == 0;
	return is_mark ? sizeof(endbr64) : 0;
}

/* Nops of one and of several bytes, and what linkers fill code with. */
static bool is_padding(const struct bytes *code, const struct instruction *i)
{
	size_t at = opcode_at(code);
	bool is_short = i->length == at + 1 && code->data[at] == 0x90 &&
			!has_prefix(code, at, 0xf3) && !(at && (code->data[at - 1] & 0xf1) == 0x41);
	return is_short || has_opcode(code, at, 0x0f, 0x1f) || code->data[0] == BREAKPOINT;
}

/* A call by an operand that the pushed return address would change, or of another segment. */
static bool is_hard_call(const struct bytes *code)
{
	size_t at = opcode_at(code);
	unsigned modrm = code->data[at + 1], low = modrm & 7;
	bool is_register = modrm >> 6 == 3, is_far = (modrm >> 3 & 7) == 3;
	bool has_sib = !is_register && low == 4;
	bool by_stack = has_sib ? (code->data[at + 2] & 7) == 4 : is_register && low == 4;
	return is_far || by_stack;
}

static bool can_move(const struct bytes *code, const struct instruction *i)
{
	size_t at = opcode_at(code);
	if (i->length > code->size || mark_size(code) || code->data[0] == BREAKPOINT)
		return false;
	if (instruction_has_target(i) || i->is_call)
		return !has_prefix(code, at, 0x66) &&
		       (instruction_has_target(i) || !is_hard_call(code));
	bool is_begin_of_transaction = has_opcode(code, at, 0xc7, 0xf8);
	return !is_begin_of_transaction;
}

static void jump_put(struct patch_code *to, uint64_t target)
{
	patch_put_number(to, JMP, 1);
	patch_put_distance(to, target);
}

/* loop and jrcxz have no long form: they jump over a jump that goes on. */
static void loop_put(const struct bytes *code, const struct instruction *i, uint64_t target,
		     struct patch_code *to)
{
	patch_put(to, code->data, i->displacement_at / 8);
	patch_put_number(to, 2, 1);
	patch_put_number(to, JMP_SHORT, 1);
	patch_put_number(to, JUMP_SIZE, 1);
	jump_put(to, target);
}

static void branch_put(const struct bytes *code, const struct instruction *i, uint64_t target,
		       struct patch_code *to)
{
	unsigned char opcode = code->data[i->displacement_at / 8 - 1];
	if (i->displacement_bits == 8 && opcode >= 0xe0) {
		loop_put(code, i, target, to);
		return;
	}
	patch_put_number(to, 0x0f, 1);
	patch_put_number(to, 0x80 | (opcode & 15), 1);
	patch_put_distance(to, target);
}

/* The same bytes, with a displacement from the pc for the new place; AT: of the first. */
static void put_copy(const struct bytes *code, const struct instruction *i, uint64_t from,
		     struct patch_code *to)
{
	size_t at = i->displacement_at / 8;
	if (!i->displacement_bits) {
		patch_put(to, code->data, i->length);
		return;
	}
	int32_t displacement;
	memcpy(&displacement, code->data + at, sizeof(displacement));
	int64_t moved = displacement + (int64_t)(from - (to->address + to->used));
	to->is_far |= moved != (int32_t)moved;
	patch_put(to, code->data, at);
	patch_put_number(to, (uint64_t)moved, sizeof(displacement));
	patch_put(to, code->data + at + sizeof(displacement),
		  i->length - at - sizeof(displacement));
}

/* push $ADDRESS, which is of 32 bits and sign-extended; its upper half is stored then. */
static void push_address(struct patch_code *to, uint64_t address)
{
	patch_put_number(to, 0x68, 1);
	patch_put_number(to, address, 4);
	if (address == (uint64_t)(int64_t)(int32_t)address)
		return;
	patch_put_number(to, 0x042444c7, 4); /* movl $N, 4(%rsp) */
	patch_put_number(to, address >> 32, 4);
}

/* Through a pointer or register: jmp has the same operand, and 4 for 2 in the middle of ModRM. */
static void put_indirect_call(const struct bytes *code, const struct instruction *i, uint64_t from,
			      struct patch_code *to)
{
	unsigned char jump[16];
	memcpy(jump, code->data, i->length);
	unsigned char *modrm = &jump[opcode_at(code) + 1];
	*modrm = (unsigned char)((*modrm & ~0x38) | 4 << 3);
	struct bytes as_jump = bytes_of(jump, i->length);
	put_copy(&as_jump, i, from, to);
}

static void move(const struct bytes *code, const struct instruction *i, uint64_t from,
		 struct patch_code *to)
{
	uint64_t target = from + (uint64_t)i->target;
	if (i->is_call)
		push_address(to, from + i->length);
	if (i->flow == FLOW_JUMP || i->flow == FLOW_CALL)
		jump_put(to, target);
	else if (i->flow == FLOW_BRANCH)
		branch_put(code, i, target, to);
	else if (i->is_call)
		put_indirect_call(code, i, from, to);
	else
		put_copy(code, i, from, to);
}

static enum patch_refusal foreign(unsigned char byte, size_t at)
{
	if (byte == BREAKPOINT)
		return PATCH_BREAKPOINT;
	return byte == JMP && !at ? PATCH_FOREIGN_JUMP : PATCH_TEXT_DIFFERS;
}

const struct patch_machine patch_x86_64 = {
	.arch = &arch_x86_64,
	.jump_size = JUMP_SIZE,
	.mark_size = mark_size,
	.is_padding = is_padding,
	.can_move = can_move,
	.move = move,
	.jump = jump_put,
	.foreign = foreign,
};
