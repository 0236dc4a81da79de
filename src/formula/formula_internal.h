/* SPDX-License-Identifier: BSD-2-Clause */
/* formula_internal - declarations shared by the files of formula/ */
#ifndef FORMULA_INTERNAL_H
#define FORMULA_INTERNAL_H

#include "base/base.h"
#include "formula/formula.h"
#include "syntax/formula.h"
#include "syntax/syntax.h"

/* A file, and the provider that it is. */
struct formula_file {
	struct provider provider; /* the first member: probes point to it */
	struct formulas *owner;
	struct source source;
	const char *names;	       /* of its probes, each with a blank; or NULL */
	struct formula_provider *tree; /* NULL: not read yet, or without a provider */
	bool is_read, is_listed;
	VECTOR(struct probe *) probes;		    /* of each of the tree's, in their order */
	VECTOR(struct formula_process *) processes; /* instead, if its probes are of processes */
};

struct formulas {
	struct formulas_env env;
	struct arena *arena;
	VECTOR(struct formula_file *) files;
	unsigned choosing; /* alternatives are being chosen: formula_choose() */
};

/* probe.c: a formula's probe, in DB; then the events of those that DESC means. */
void formula_probe_add(struct formula_file *f, struct probe_db *db, const char *module,
		       const char *name);
void formula_probes_choose(struct formula_file *f, struct probe_db *db,
			   const struct probe_desc *desc);

/* The alternative that P, FORMULA's, is, in the process PID or 0, or NULL; P says why. */
const struct formula_alternative *formula_choose(struct formula_file *f, struct probe_db *db,
						 const struct formula_probe *formula,
						 struct probe *p, int pid);

/* process.c: the probes of F's that DESC means, in the process of its provider; what is known of
 * processes is freed; struct provider's function. */
MUST_CHECK struct error *formula_process_probes(struct formula_file *f, struct probe_db *db,
						const struct probe_desc *desc);
void formula_processes_free(struct formula_file *f);

/* Why S, whose event is of a process, cannot be used in the process PID, as event_problem(). */
const char *process_event_problem(struct arena *a, struct probe_db *db,
				  const struct formula_source *s, int pid);

/* mistake.c: probes of TREE's with an event that no kernel has are reported to D and left out. */
void formula_leave_out_wrong(struct arena *a, struct formula_provider *tree, struct diagnostics *d);

/* condition.c: is N, a condition for the kernel, true? */
bool condition_is_true(struct probe_db *db, const struct node *n);

/* event.c */
/* Why S cannot be used here (in the process PID; 0: its provider is not of processes), in a few
 * words, in A; NULL: it can. */
const char *event_problem(struct arena *a, struct probe_db *db, const struct formula_source *s,
			  int pid);
/* Add the events of S, which has no problem, to P. */
void event_add(struct arena *a, struct probe_db *db, struct probe *p,
	       const struct formula_source *s);
/* The period of E, perf timer RATE; false: RATE is none. */
bool timer_period(const struct formula_event *e, uint64_t *ret);
/* "sched:sched_switch": its two parts, in A; false: it has not two. */
bool record_parse(struct arena *a, const char *name, struct event_record *ret);
/* Why E, whose event has MOST arguments, has too many parameters, in A; NULL: it has not. */
const char *parameters_problem(struct arena *a, const struct formula_event *e, unsigned most);

/* parameter.c */
/* Why P cannot be WHAT ("tracepoint sched_switch: its argument 2"), which has the kernel's TYPE, in
 * A; NULL: it can. */
const char *parameter_mismatch(struct arena *a, struct probe_db *db, const struct param_node *p,
			       const char *what, const struct type *type);
/* The same of all parameters of E, which are those of FUNCTION (NULL: unknown) from its parameter
 * FIRST on; EVENT: "tracepoint sched_switch". */
const char *prototype_mismatch(struct arena *a, struct probe_db *db, const struct formula_event *e,
			       const char *event, const struct type *function, unsigned first);
/* The type of P as the file has it, in A. */
const char *parameter_type_text(struct arena *a, const struct param_node *p);

/* function.c: the same of functions of the kernel */
const char *function_problem(struct arena *a, struct probe_db *db, const struct formula_event *e);
void function_add(struct arena *a, struct probe_db *db, struct probe *p,
		  const struct formula_source *s);
/* instruction.c: the same of single instructions */
const char *instruction_problem(struct arena *a, struct probe_db *db,
				const struct formula_event *e);
void instruction_add(struct arena *a, struct probe_db *db, struct probe *p,
		     const struct formula_source *s);
/* The source that keeps the parameters of S, a function's return, at its entry; NULL: it has none.
 */
const struct formula_source *source_of_entry(struct arena *a, const struct formula_source *s);

#endif
