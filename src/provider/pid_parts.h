/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_parts - where a function's code is: compilers move what is rarely run elsewhere
 *
 * GCC calls such a part f.cold, a name that stripped programs have lost.  But each part has an FDE
 * in .eh_frame.  A jump out of a function leads to a part, and not to another function, if the FDE
 * that covers the target has no name in it, and
 *
 *   its state at the first byte is not that of a function that was just called, or
 *   the jump leads into the middle of it, or
 *   the jump is conditional, and nothing but this function's code jumps there or calls it.
 *
 * Stubs for functions of libraries (PLT) have no names either and are no parts.
 *
 * Who jumps and calls where is found by a pass over all code of the file, made when the last of the
 * three is asked for.  Calls through pointers are not seen.
 */
#ifndef PROVIDER_PID_PARTS_H
#define PROVIDER_PID_PARTS_H

#include "arch/arch.h"
#include "image/image.h"

struct code_range {
	uint64_t begin, end; /* link-time */
};
typedef VECTOR(struct code_range) range_vector;

bool range_holds(const struct code_range *r, uint64_t address);
bool ranges_hold(const range_vector *ranges, uint64_t address);

/* VISIT's answer: go on? */
typedef bool code_visit_fn(void *arg, uint64_t address, const struct instruction *i);

/* All instructions from the first to the last; false: VISIT said so, or bytes are unknown. */
bool code_walk(const struct elf_file *elf, const struct code_range *r, code_visit_fn *visit,
	       void *arg);

/* Who jumps to and calls the functions without a name of one file. */
struct code_uses;
void code_uses_free(struct code_uses *u); /* NULL is fine */

/*
 * The ranges of FUNCTION of IMAGE, its own first.  *USES: of the same image, made when it is
 * needed, the caller's.  The caller frees the vector.
 */
void pid_parts(struct image *image, const struct elf_symbol *function, struct code_uses **uses,
	       range_vector *ret);

#endif
