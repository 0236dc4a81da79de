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
#include "provider/pid_parts.h"

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

/* Does SYMBOL call itself, as far as its own instructions tell? */
bool pid_code_calls_itself(const struct elf_file *elf, const struct elf_symbol *symbol);

/*
 * Offsets of the instructions that leave SYMBOL: returns, and jumps to other functions (the
 * one jumped to returns in its place).  Those in other parts of it (pid_parts.h) may be before it:
 * offsets wrap at 32 bits.  None: it never returns.  NULL, or why they are not known.
 */
const char *pid_code_exits(struct image *image, const struct elf_symbol *symbol,
			   struct code_uses **uses, offset_vector *ret);

#endif
