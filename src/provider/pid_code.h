/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_code - a function's instructions: where they begin, and where they leave it
 *
 * Code is read from its first byte to its last; data between would be taken for
 * instructions, and mostly shows by bytes that are none.
 */
#ifndef PROVIDER_PID_CODE_H
#define PROVIDER_PID_CODE_H

#include "base/base.h"
#include "object/object.h"

typedef VECTOR(uint32_t) offset_vector;

struct pid_instruction {
	uint32_t offset;
	bool is_exclusive; /* between an exclusive load and its store: struct instruction */
};
typedef VECTOR(struct pid_instruction) instruction_vector;

/* All instructions of SYMBOL, without the data that they load from between; false: some byte begins
 * none that we know. */
bool pid_code_instructions(const struct elf_file *elf, const struct elf_symbol *symbol,
			   instruction_vector *ret);

/* Does the instruction at ADDRESS lie so, in the function that is there? */
bool pid_code_is_exclusive(struct elf_file *elf, uint64_t address);

/*
 * Offsets of the instructions that leave SYMBOL: returns, and jumps to other functions (the
 * one jumped to returns in its place).  Those in "SYMBOL.cold" may lie before it: offsets wrap
 * at 32 bits.  None: it never returns.  NULL, or why they cannot be told.
 */
const char *pid_code_exits(struct elf_file *elf, const struct elf_symbol *symbol,
			   offset_vector *ret);

#endif
