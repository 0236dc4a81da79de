/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * advice - the wing of what is reported about a program and its run: costs, and clauses that cannot
 * be right
 */
#ifndef TRACER_ADVICE_ADVICE_H
#define TRACER_ADVICE_ADVICE_H

#include "tracer/internal.h"

/* unset_start.c: once PROGRAM is checked */
void unset_start_warn(const struct program_node *program);
/* loop_variable.c: the same */
void loop_variable_warn(const struct program_node *program);
/* detach.c: an error if P's end would take long */
MUST_CHECK struct error *detach_check(const struct tracer *t, const struct program *p);
/* cost.c: of the probes of functions of P, if they are many or of every process */
void cost_report(const struct tracer *t, const struct program *p);
/* cost.c: of the return of a function that has many jumps to computed addresses */
void jumps_report(const struct tracer *t, const struct program *p);
/* kernel_cost.c: the same of functions of the kernel */
void kernel_cost_report(const struct tracer *t, const struct program *p);
/* compat_calls.c: warn of clauses that 32-bit programs alone fire */
void compat_calls_report(const struct tracer *t);
/* unbuilt.c: with -Z, once tracing begins */
void unbuilt_report(const struct tracer *t);
/* quiet_calls.c: at the end, before END */
void quiet_calls_report(struct tracer *t);

/* unseen_entries.c: the same of clauses with entry() */
void unseen_entries_report(const struct tracer *t);

#endif
