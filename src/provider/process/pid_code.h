/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_code - instructions in ranges of code: where each begins, and those that say where it leads
 *
 * Code is read from its first byte to its last; data in between would be
 * decoded as instructions, and is mostly recognized by bytes that are not an
 * instruction.
 *
 * Decoding is most of the work where all functions of a library get return probes.  So a range is
 * decoded once, into the steps that all who look at it share: three in ten instructions, with 16
 * bytes for each.  What few need of an instruction, as the operand of a jump, is decoded again.
 */
#ifndef PROVIDER_PROCESS_PID_CODE_H
#define PROVIDER_PROCESS_PID_CODE_H

#include "arch/arch.h"
#include "base/base.h"
#include "object/object.h"

#define INSTRUCTION_MOST 16 /* bytes */

struct code_range {
	uint64_t begin, end; /* link-time */
};

static inline bool range_holds(const struct code_range *r, uint64_t address)
{
	return address >= r->begin && address < r->end;
}

/* An instruction that jumps, calls or returns, or names an address. */
struct code_step {
	uint32_t at;	/* from the first byte of the range */
	uint8_t flow;	/* enum flow */
	uint8_t reg;	/* gets the address TARGET, nothing else; or JUMP_NO_REGISTER */
	uint8_t before; /* the length of the instruction before it; 0: it is the first */
	/* Link-time: where it jumps, if code_step_jumps(), else what it names; 0: nothing. */
	uint64_t target;
};

struct pid_code {
	struct code_range range;
	VECTOR(struct code_step) steps;
	bool is_whole; /* else some bytes are not a known instruction: what follows is missing */
	bool calls, is_below_stack; /* some instruction (struct instruction) */
};
typedef VECTOR(struct pid_code *) code_vector;

/* Does S jump to TARGET, or call it? */
static inline bool code_step_jumps(const struct code_step *s)
{
	return s->flow == FLOW_JUMP || s->flow == FLOW_BRANCH || s->flow == FLOW_CALL;
}

struct pid_code *pid_code_decode(const struct elf_file *elf, struct code_range r);
void pid_code_free(struct pid_code *c); /* NULL is fine */

/* Is ADDRESS in one of CODES? */
bool pid_codes_hold(const code_vector *codes, uint64_t address);
void pid_codes_free(code_vector *codes);

/* The instruction at ADDRESS; false: unknown. */
bool pid_instruction_at(const struct elf_file *elf, uint64_t address, struct instruction *ret);

struct pid_instruction {
	uint32_t offset;
	bool is_exclusive; /* between an exclusive load and its store: struct instruction */
};
typedef VECTOR(struct pid_instruction) instruction_vector;

/* All instructions of SYMBOL, without the data between them that they load; false: some bytes are
 * not a known instruction. */
bool pid_code_instructions(const struct elf_file *elf, const struct elf_symbol *symbol,
			   instruction_vector *ret);

/* Why the instructions of SYMBOL are not known, if there is no better reason. */
const char *pid_code_unreadable(const struct elf_symbol *symbol);

/* Is the instruction at ADDRESS so, in its function? */
bool pid_code_is_exclusive(struct elf_file *elf, uint64_t address);

/* --- pid_parts.c --- */

/* The jumps to and calls of the nameless functions of one file. */
struct code_uses;
void code_uses_free(struct code_uses *u); /* NULL is fine */

struct pid_object;
/* The ranges of FUNCTION of OBJECT, the one of its symbol first.  The caller frees them. */
void pid_parts(struct pid_object *object, const struct elf_symbol *function, code_vector *ret);

#endif
