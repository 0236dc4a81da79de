/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_call - where a call of a process's function passes its arguments and result
 *
 * The types come from types/dwarf_function.c, types/btf_function.c or object/btf/ctf.c, the places
 * from object/dwarf/parameter.c, else from the calling convention (arch/call.h).  The expression
 * args[n] is sema/expression/process_argument.c.
 */
#ifndef PROVIDER_PID_CALL_H
#define PROVIDER_PID_CALL_H

#include "arch/arch.h"
#include "probe/probe.h"

/* Fill in the places and problems of LIST, F's parameters.  ARCH: what F's code is for. */
void pid_call_arguments(const struct arch *arch, struct types *t, const struct object_function *f,
			struct probe_argument *list);
/* The place of F's result in RET, which has its type. */
void pid_call_result(const struct arch *arch, struct types *t, const struct object_function *f,
		     struct probe_argument *ret);

/* Go's functions have several results: their places in LIST, which has their types. */
void pid_call_go_results(const struct arch *arch, struct types *t, const struct object_function *f,
			 struct probe_argument *list);

#endif
