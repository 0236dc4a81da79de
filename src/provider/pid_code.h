/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_code - a function's instructions: where each begins, and which leave the function
 *
 * Code is read from its first byte to its last; data in between would be
 * decoded as instructions, and is mostly recognized by bytes that are not an
 * instruction.
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

/* All instructions of SYMBOL, without the data between them that they load; false: some bytes are
 * not a known instruction. */
bool pid_code_instructions(const struct elf_file *elf, const struct elf_symbol *symbol,
			   instruction_vector *ret);

/* Is the instruction at ADDRESS so, in its function? */
bool pid_code_is_exclusive(struct elf_file *elf, uint64_t address);

/* Does the instruction at the file offset AT return to the caller? */
bool pid_code_returns_at(const struct elf_file *elf, uint64_t at);

/*
 * Offsets of the instructions that leave SYMBOL: returns, and jumps to other functions (the one
 * jumped to returns in its place).  Instructions in other parts of the function (pid_parts.h) may
 * be before its begin: offsets wrap at 32 bits.  None: the function never returns.  The result is
 * NULL, or why they are not known.
 */
const char *pid_code_exits(struct image *image, const struct elf_symbol *symbol,
			   struct code_uses **uses, offset_vector *ret);

#endif
