/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_parts - the ranges of a function's code: compilers move rarely executed code elsewhere
 *
 * GCC calls such a part f.cold, a name that stripped programs have lost.  But each part has an FDE
 * in .eh_frame.  A jump out of a function leads to a part, and not to another function, if the
 * range of the FDE of the target contains no symbol, and
 *
 *     the FDE's state at its first byte is not that of a function just called, or
 *   the jump leads into the middle of the range, or
 *   the jump is conditional, and only this function's code jumps to or calls the range.
 *
 * So does the table of a switch (pid_switch.h) that leads into the function, too: to a part with a
 * name; to ranges without one only as far as the next address that code of the file names, where
 * the table of another function may begin.
 *
 * Stubs for functions of libraries (PLT) have no names either, but are not parts.
 *
 * The sources of jumps and calls are found by a pass over all code of the file, made when the last
 * condition is first checked.  Calls through pointers are not seen.  What that pass has decoded is
 * saved for the functions that come after it, of most files all.
 */
#ifndef PROVIDER_PROCESS_PID_PARTS_H
#define PROVIDER_PROCESS_PID_PARTS_H

#include "image/image.h"
#include "provider/process/pid_code.h"

/*
 * A stub for a function of a library jumps where a pointer says at once; such stubs share an FDE.
 * *POINTER: that pointer's address, or 0 if it is not among the displacements that we decode.
 */
bool code_is_stub(const struct elf_file *elf, uint64_t address, uint64_t *pointer);

/* The jumps to and calls of the nameless functions of one file. */
struct code_uses;
void code_uses_free(struct code_uses *u); /* NULL is fine */

struct pid_object;
/* The ranges of FUNCTION of OBJECT, the one of its symbol first.  The caller frees them. */
void pid_parts(struct pid_object *object, const struct elf_symbol *function, code_vector *ret);

#endif
