/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86_64, in the assembler syntax of AT&T:
 *
 *	$12   %rax   -8(%rbp)   (%rdi,%rcx,8)   4+8(%rsp)   table(%rip)   table+8(%rip)   table
 */
#include "arch/operand.h"

/* The names of one register's 8, 4, 2, 1 bytes; `high`: of its second byte. */
static const struct register_names {
	const char *names[4], *high;
	uint16_t offset; /* in struct pt_regs */
} registers[] = {
	{ { "rax", "eax", "ax", "al" }, "ah", 80 },
	{ { "rbx", "ebx", "bx", "bl" }, "bh", 40 },
	{ { "rcx", "ecx", "cx", "cl" }, "ch", 88 },
	{ { "rdx", "edx", "dx", "dl" }, "dh", 96 },
	{ { "rsi", "esi", "si", "sil" }, NULL, 104 },
	{ { "rdi", "edi", "di", "dil" }, NULL, 112 },
	{ { "rbp", "ebp", "bp", "bpl" }, NULL, 32 },
	{ { "rsp", "esp", "sp", "spl" }, NULL, 152 },
	{ { "r8", "r8d", "r8w", "r8b" }, NULL, 72 },
	{ { "r9", "r9d", "r9w", "r9b" }, NULL, 64 },
	{ { "r10", "r10d", "r10w", "r10b" }, NULL, 56 },
	{ { "r11", "r11d", "r11w", "r11b" }, NULL, 48 },
	{ { "r12", "r12d", "r12w", "r12b" }, NULL, 24 },
	{ { "r13", "r13d", "r13w", "r13b" }, NULL, 16 },
	{ { "r14", "r14d", "r14w", "r14b" }, NULL, 8 },
	{ { "r15", "r15d", "r15w", "r15b" }, NULL, 0 },
	{ { "rip", "eip", "ip", "ip" }, NULL, 128 },
};

/* %NAME; *IS_HIGH: its second byte. */
static bool x86_64_register_take(struct operand_text *t, uint16_t *ret, bool *is_high)
{
	if (!operand_take(t, '%'))
		return false;
	struct operand_text word = operand_word(t);
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		const struct register_names *r = &registers[i];
		bool found = false;
		for (size_t k = 0; k < ARRAY_SIZE(r->names); k++)
			found |= operand_is(word, r->names[k]);
		*is_high = r->high && operand_is(word, r->high);
		*ret = r->offset;
		if (found || *is_high)
			return true;
	}
	return false;
}

static bool address_register_take(struct operand_text *t, uint16_t *ret)
{
	bool is_high;
	return x86_64_register_take(t, ret, &is_high) && !is_high;
}

/* A sum of numbers and at most one symbol; nothing is a sum, too. */
static bool sum_take(struct operand_text *t, struct operand *ret)
{
	while (t->at < t->end && *t->at != '(') {
		int64_t number;
		if (operand_number(t, &number)) {
			ret->value = (int64_t)((uint64_t)ret->value + (uint64_t)number);
			continue;
		}
		operand_take(t, '+');
		struct operand_text word = operand_word(t);
		if (word.at == word.end || ret->symbol)
			return false;
		ret->symbol = word.at;
		ret->symbol_length = (size_t)(word.end - word.at);
	}
	return true;
}

static bool scale_take(struct operand_text *t, struct operand *ret)
{
	int64_t scale;
	if (!operand_take(t, ','))
		return true;
	if (!operand_number(t, &scale) || scale < 1 || scale > 8 || (scale & (scale - 1)))
		return false;
	ret->shift = (uint8_t)__builtin_ctzll((uint64_t)scale);
	return true;
}

/* (BASE,INDEX,SCALE), all of which may be missing, and so may the whole. */
static bool registers_take(struct operand_text *t, struct operand *ret)
{
	if (!operand_take(t, '('))
		return ret->symbol;
	if (t->at < t->end && *t->at == '%' && !address_register_take(t, &ret->base))
		return false;
	if (operand_take(t, ',') && (!address_register_take(t, &ret->index) || !scale_take(t, ret)))
		return false;
	return operand_take(t, ')');
}

bool operand_x86_64(struct operand_text t, struct operand *ret)
{
	bool is_high = false;
	if (t.at < t.end && *t.at == '%') {
		ret->kind = OPERAND_REGISTER;
		if (!x86_64_register_take(&t, &ret->base, &is_high) || (is_high && ret->size != 1))
			return false;
		ret->base += is_high;
		return t.at == t.end;
	}
	if (operand_take(&t, '$')) {
		ret->kind = OPERAND_CONSTANT;
		return operand_number(&t, &ret->value) && t.at == t.end;
	}
	ret->kind = OPERAND_MEMORY;
	return sum_take(&t, ret) && registers_take(&t, ret) && t.at == t.end;
}
