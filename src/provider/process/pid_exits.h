/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_exits - where a return probe is
 *
 * It is at the exits of its function, and at those of the functions that it ends by a jump to, and
 * so on (abi/exit.h).  These destinations are functions of the same file: an exit of a library's
 * free() would be stepped in each call of it, for the sake of a function that ends by it.  They are
 * found by
 *
 *     the target of a direct jump, also into the middle of a function
 *     a stub (PLT) whose symbol is this file's and no other file's of the process: whichever
 *     order the dynamic linker searches them in, it finds this one.  Of every process nobody
 *     knows the other files.
 *
 * Other jumps, through a pointer, a register, a table of functions or a stub, are looked up when
 * they fire: they are followed to functions, also of other files, whose exits have sites for
 * another reason.  A stub's pointer that the dynamic linker has not resolved yet leads to none.
 *
 * A destination is not covered, so that the return fires at the jump, if its exits are not all
 * known, if another function has a part of its code, and beyond DESTINATIONS_MOST of one probe; nor
 * is one of Go, whose stacks move.
 */
#ifndef PROVIDER_PID_EXITS_H
#define PROVIDER_PID_EXITS_H

#include "provider/process/pid_object.h"

#define DESTINATIONS_MOST 32

typedef VECTOR(struct event_site) site_vector;

/*
 * Append the sites of SYMBOL's return probe, those of SYMBOL itself first.  None: it never
 * returns.  ONLY_EMULATED: none that the kernel would single-step.  The result is NULL, or why the
 * exits are not known.
 */
const char *pid_exits(struct pid_object *object, const struct elf_symbol *symbol,
		      bool only_emulated, site_vector *ret);

/* What pid_exits() knows of the functions of an object. */
void pid_exits_free(struct hash *exits); /* NULL is fine */

#endif
