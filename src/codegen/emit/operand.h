/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operand - names of registers and words of memory, for listings
 *
 * A listing with offsets changes whenever a field moves.  So the instructions are followed in the
 * order of the text, and the known contents of a register (the slot, a probe table's entry, the
 * control block ...) name the memory that it points to: by the struct's field, or by a number for
 * each word, counted as the words appear.  A word of the frame has the name of the value last
 * stored there.
 */
#ifndef CODEGEN_EMIT_OPERAND_H
#define CODEGEN_EMIT_OPERAND_H

#include "abi/abi.h"
#include "base/base.h"

enum region {
	REGION_NONE,
	REGION_VALUE, /* no address: a number that has a name */
	REGION_CONTEXT,
	REGION_FRAME,
	REGION_SLOT,
	REGION_SLOT_AT, /* the slot's address as a number */
	REGION_CONTROL,
	REGION_GLOBALS,
	REGION_KEYLESS,
	REGION_SELF,
	REGION_PROBE, /* an entry of the group's probe table */
	REGION_SUSPENDED,
	REGION_ERROR_INFO,
	REGION_COUNT,
};

struct operand {
	enum region region;
	int64_t offset;
	const char *name; /* the frame's word that it is stored to is called so; NULL: unknown */
};

#define OPERAND_REGISTERS 11

/* One path through the code. */
struct operand_registers {
	struct operand reg[OPERAND_REGISTERS];
	bool reached;
};

struct operand_word {
	enum region region;
	int64_t word; /* offset / 8 */
	unsigned number;
	struct operand holds;
};

struct operands {
	struct operand_registers now;
	struct operand_registers *at; /* by instruction, where jumps go */
	VECTOR(struct operand_word) words;
	unsigned numbers[REGION_COUNT];
};

void operands_init(struct operands *o, uint32_t instruction_count);
void operands_deinit(struct operands *o);
/* A function begins: R1 is the context, R2 is SECOND. */
void operands_begin(struct operands *o, enum region second);
/* Words are counted from here on. */
void operands_renumber(struct operands *o);

/* The state before instruction AT, and after it. */
void operands_enter(struct operands *o, uint32_t at);
void operands_follow(struct operands *o, const struct bpf_insn *n, uint32_t at,
		     const struct relocation *r);

/* "frame.3", "control.activity+4": the memory at OFFSET from BASE.  False: BASE is unknown. */
bool operand_print(struct operands *o, int base, int64_t offset, struct strbuf *out);

#endif
