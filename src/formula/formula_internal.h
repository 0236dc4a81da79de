/* SPDX-License-Identifier: BSD-2-Clause */
/* formula_internal - declarations shared by the files of formula/ */
#ifndef FORMULA_INTERNAL_H
#define FORMULA_INTERNAL_H

#include "base/base.h"
#include "formula/formula.h"
#include "process/process.h"
#include "syntax/formula.h"
#include "syntax/syntax.h"

/* A file, and the provider that it is. */
struct formula_file {
	struct provider provider; /* the first member: probes point to it */
	struct formulas *owner;
	struct source source;
	const struct embedded_formulas *ours; /* or NULL; source.text is NULL until it is read */
	struct formula_provider *tree;	      /* NULL: not read yet, or without a provider */
	bool is_read, is_listed;
	VECTOR(struct probe *) probes;		    /* of each of the tree's, in their order */
	VECTOR(struct formula_process *) processes; /* instead, if its probes are of processes */
};

/* A probe of the file in one process, or in one file of every process. */
struct formula_made {
	const struct formula_alternative *chosen; /* NULL: none yet */
	struct probe *probe;			  /* the last of the names; NULL: not looked for */
	probe_vector used; /* of pid and usdt, whose events the probes have */
};

/* Where probes of processes are: a process, or a file in each process that maps it. */
struct formula_process {
	const char *provider; /* plockstat1234; plockstat */
	int pid;	      /* 0: of every process, */
	const char *module;   /* of the probes */
	const char *object;   /* as what a description named the file; NULL: it did not */
	bool has_file;	      /* false: all files that are meant */
	struct file_key file;
	size_t count;		   /* of the formulas */
	struct formula_made *made; /* of each of them */
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

/* The alternative that P, FORMULA's, is at IN or NULL, or NULL; P says why. */
const struct formula_alternative *formula_choose(struct formula_file *f, struct probe_db *db,
						 const struct formula_probe *formula,
						 struct probe *p, const struct formula_process *in);

/* process.c: the probes of F's that DESC means, in the process of its provider; what is known of
 * processes is freed; struct provider's function. */
MUST_CHECK struct error *formula_process_probes(struct formula_file *f, struct probe_db *db,
						const struct probe_desc *desc);
void formula_processes_free(struct formula_file *f);

/* Why S, whose event is of a process, cannot be used at IN, as event_problem(). */
const char *process_event_problem(struct arena *a, struct probe_db *db,
				  const struct formula_source *s, const struct formula_process *in);
/* The probes of pid and usdt that E is at IN; a problem, or NULL. */
const char *formula_process_find(struct arena *a, struct probe_db *db,
				 const struct formula_event *e, const struct formula_process *in,
				 probe_vector *ret);
/* PROVIDER's place, or places, in F's list. */
struct formula_process *formula_process_new(struct formula_file *f, const char *provider,
					    const char *module);

/* What is being made: the probe of a formula of FILE at PROCESS. */
struct making {
	struct formula_file *file;
	struct probe_db *db;
	const struct formula_process *process;
	struct formula_made *made;
};

/* The probe that FORMULA is at M's place, with the events of its first alternative. */
void formula_make_first(const struct making *m, const struct formula_probe *formula);
/* Of two formulas with one name the first one counts: is FORMULA the second? */
bool formula_is_repeated(const struct formula_file *f, const struct formula_probe *formula);

/* every.c: the same of every process: plockstat*:::mutex-acquire */
bool formula_is_of_every_process(const struct provider *self, const struct probe_db *db,
				 const char *field);
MUST_CHECK struct error *formula_every_process_probes(struct formula_file *f, struct probe_db *db,
						      const struct probe_desc *desc);
/* Why M's probe, which has an alternative now, cannot be that; NULL: it can.  *HAS_KERNELS: events
 * of the kernel are another probe's already. */
const char *formula_every_process_problem(const struct making *m, bool *has_kernels);
extern const struct provider_files formula_files;

/* mistake.c: probes of TREE's with an event that no kernel has are reported to D and left out. */
void formula_leave_out_wrong(struct arena *a, struct formula_provider *tree, struct diagnostics *d);

/* condition.c: is N, a condition for the kernel, true? */
bool condition_is_true(struct probe_db *db, const struct node *n);

/* event.c */
/* Why S cannot be used here (at IN; NULL: its provider is not of processes), in a few words, in A;
 * NULL: it can. */
const char *event_problem(struct arena *a, struct probe_db *db, const struct formula_source *s,
			  const struct formula_process *in);
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
