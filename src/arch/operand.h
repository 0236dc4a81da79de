/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operand - where the arguments of a static probe are, as its note says in assembler
 *
 * In:   "-4@$-1 8@%rdi 4@-20(%rbp) 8@table(%rip)", or on aarch64 "-4@-1 8@x0 4@[sp, 12]".
 * Out:  a struct operand for each: a number, a register, or memory.
 *
 * An argument is SIZE@OPERAND; a negative size means a signed number, an `f` after it a floating
 * one.  The size says how much of a register counts, whatever the register's name is.  Notes of
 * handwritten assembler may lack sizes: then it is an unsigned word.
 *
 * An argument that cannot be read (of 16 bytes, in a vector register, not understood) is
 * OPERAND_UNREADABLE and spoils none of the others.
 *
 * To add an architecture: a function that takes apart one operand (struct arch's operand).
 */
#ifndef ARCH_OPERAND_H
#define ARCH_OPERAND_H

#include "arch/arch.h"

enum operand_kind {
	OPERAND_UNREADABLE,
	OPERAND_CONSTANT, /* value, extended from its size */
	OPERAND_REGISTER, /* base */
	OPERAND_MEMORY,	  /* at base + (index << shift) + value + the address of symbol */
};

#define OPERAND_NO_REGISTER UINT16_MAX
#define OPERANDS_MOST 12 /* arguments that a probe can have */

struct operand {
	enum operand_kind kind;
	uint8_t size; /* 1, 2, 4, 8 */
	bool is_signed, is_float;
	uint8_t shift;
	uint16_t base, index; /* offsets in struct pt_regs, or OPERAND_NO_REGISTER */
	int64_t value;
	const char *symbol; /* in the text, symbol_length bytes; NULL: none */
	size_t symbol_length;
	const char *text; /* the operand without its size, text_length bytes */
	size_t text_length;
};

/* The arguments that TEXT names, for A, into RET; their count, at most OPERANDS_MOST. */
unsigned operands_parse(const struct arch *a, const char *text, struct operand ret[OPERANDS_MOST]);

/* --- for struct arch's operand() --- */

/* A text that is taken apart from its front. */
struct operand_text {
	const char *at, *end;
};

bool operand_take(struct operand_text *t, char c); /* is C next?  Then it is taken */
/* A number: decimal or 0x..., maybe with a sign. */
bool operand_number(struct operand_text *t, int64_t *ret);
/* Letters, digits, _ . $; empty if there are none. */
struct operand_text operand_word(struct operand_text *t);
bool operand_is(struct operand_text word, const char *name);

bool operand_x86_64(struct operand_text text, struct operand *ret);
bool operand_aarch64(struct operand_text text, struct operand *ret);

#endif
