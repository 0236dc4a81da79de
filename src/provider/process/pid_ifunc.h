/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_ifunc - functions with several implementations
 *
 * The code at the symbol of an ifunc (strlen of the C library) runs once, when the program starts,
 * and chooses one of several implementations for this processor.  Calls reach only that one, so
 * that is where the probes are.
 *
 * An implementation often has a local name, too (__strlen_evex), which a stripped file lacks.  Its
 * code is one function with several names, as with aliases: the ifunc's name is the better one, and
 * of several ifuncs that choose the same code (memcpy, memmove) the one with the best name.
 */
#ifndef PROVIDER_PID_IFUNC_H
#define PROVIDER_PID_IFUNC_H

#include "provider/process/pid_object.h"

enum pid_choice {
	PID_CHOICE_UNKNOWN,
	PID_CHOICE_KNOWN, /* known: at a link-time address of OBJECT */
	PID_CHOICE_VDSO,  /* in the kernel's vDSO, in no file */
};

/*
 * The implementation that OBJECT's ifunc NAME chooses.  It is known if our own process maps the
 * same file (the C library), or a copy with the same build id: both run on the same processor.
 */
enum pid_choice pid_ifunc_chosen(const struct pid_object *object, const char *name,
				 uint64_t *address);

/* The ifunc of OBJECT, whose file is open, that chooses the code at ADDRESS: the one with the best
 * name.  NULL: none is known. */
const struct elf_symbol *pid_ifunc_at(struct pid_object *object, uint64_t address);

#endif
