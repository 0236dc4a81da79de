/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_code - a function's instructions: where each begins, and which leave the function
 *
 * Code is read from its first byte to its last; data in between would be
 * decoded as instructions, and is mostly recognized by bytes that are not an
 * instruction.
 */
#ifndef PROVIDER_PROCESS_PID_CODE_H
#define PROVIDER_PROCESS_PID_CODE_H

#include "abi/exit.h"
#include "base/base.h"
#include "provider/process/pid_parts.h"

typedef VECTOR(uint32_t) offset_vector;

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

/* An instruction that leaves its function: a return, or a jump to another function. */
struct code_exit {
	uint64_t address;
	bool jumps;
	uint64_t target; /* it jumps there; 0: to an address in memory or in a register */
	struct jump_operand operand; /* then it says where, if it is known: maybe in the function */
	struct branch_test test;     /* when it jumps; is_not alone: always */
};
typedef VECTOR(struct code_exit) exit_vector;

struct code_exits {
	exit_vector list;
	struct exit_extent extent; /* of the function, if it jumps to computed addresses */
};

/*
 * The exits of SYMBOL, also of its other parts (pid_parts.h), which may be before its begin.  None:
 * the function never returns.  The caller frees the list.  The result is NULL, or why they are not
 * known.
 */
const char *pid_code_exits(struct image *image, const struct elf_symbol *symbol,
			   struct code_uses **uses, struct code_exits *ret);

#endif
