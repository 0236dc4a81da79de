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
	const char *names;		     /* of its probes, each with a blank; or NULL */
	const struct formula_provider *tree; /* NULL: not read yet, or without a provider */
	bool is_read, is_listed;
	VECTOR(struct probe *) probes; /* of each of the tree's, in their order */
};

struct formulas {
	struct formulas_env env;
	struct arena *arena;
	VECTOR(struct formula_file *) files;
};

/* probe.c: a formula's probe, in DB; then the events of those that DESC means. */
void formula_probe_add(struct formula_file *f, struct probe_db *db, const char *module,
		       const char *name);
void formula_probes_choose(struct formula_file *f, struct probe_db *db,
			   const struct probe_desc *desc);

/* condition.c: is N, a condition for the kernel, true? */
bool condition_is_true(struct probe_db *db, const struct node *n);

/* event.c */
/* Why S cannot be used here, in a few words, in A; NULL: it can. */
const char *event_problem(struct arena *a, struct probe_db *db, const struct formula_source *s);
/* Add the events of S, which has no problem, to P. */
void event_add(struct arena *a, struct probe_db *db, struct probe *p,
	       const struct formula_source *s);
unsigned formula_parameter_count(const struct formula_event *e);

/* function.c: the same of functions of the kernel */
const char *function_problem(struct arena *a, struct probe_db *db, const struct formula_event *e);
void function_add(struct arena *a, struct probe_db *db, struct probe *p,
		  const struct formula_source *s);

#endif
