/* SPDX-License-Identifier: BSD-2-Clause */
/* formula - clauses on probes that are made by formulas (syntax/formula.h) */
#ifndef SEMA_FORMULA_H
#define SEMA_FORMULA_H

#include "sema/sema_internal.h"
#include "syntax/formula.h"

/* --- formula_source.c: in the scope of a source --- */

/* The value of N, a part of T, which may be translated. */
struct texpr *formula_expression(struct sema *s, const struct formula_source *source,
				 const struct formula_statement *t, const struct node *n);
static inline struct texpr *formula_value(struct sema *s, const struct formula_source *source,
					  const struct formula_statement *t)
{
	return formula_expression(s, source, t, t->value);
}
/* The value of the parameter NAME of SOURCE's event, or of its result; NULL: it has neither. */
struct texpr *formula_bound(struct sema *s, const struct formula_source *source, const char *name);
/* exists(KEY) in the current source. */
struct texpr *formula_exists(struct sema *s, const struct node *n);
/* Is the key of T, a load, one? Else it is reported. */
void formula_load_check(struct sema *s, const struct formula_source *source,
			const struct formula_statement *t);
/* The assignment by T, a save or delete, to the field F; NULL: to the mark that there is something.
 */
struct texpr *formula_state(struct sema *s, const struct formula_source *source,
			    const struct formula_statement *t, const struct formula_field *f);

/* V becomes an array whose key is a number; its element of KEY, a long. */
void formula_make_array(struct sema *s, struct variable *v);
struct texpr *formula_element(struct sema *s, struct variable *v, struct texpr *key,
			      struct range range);

/* Expressions until formula_leave() are in SOURCE before the statement END (NULL: in its
 * condition). */
struct context formula_enter(struct sema *s, const struct formula_source *source,
			     const struct formula_statement *end);
void formula_leave(struct sema *s, struct context before);

/* The type of a parameter or an argument, as declared; as a pointer to the process's memory, if it
 * is a pointer; of a parameter of the current source's event: of whose memory that is. */
const struct type *formula_param_type(struct sema *s, const struct param_node *p);
const struct type *formula_event_type(struct sema *s, const struct param_node *p);
/* The value of P, parameter NUMBER of the current source's event. */
struct texpr *formula_parameter(struct sema *s, const struct param_node *p, unsigned number);

/* Append ASSIGNMENT, unless it is a mistake. */
struct tstmt **formula_add_assignment(struct sema *s, struct tstmt **end, struct texpr *assignment);

/* --- formula_self.c: what is kept for a thread --- */

/* The variable NAME of the provider, or its element of KEY, a long; TYPE: if it is new. */
struct texpr *formula_self_value(struct sema *s, const char *name, const struct type *type,
				 struct range range);
struct texpr *formula_self_element(struct sema *s, const char *name, const struct type *type,
				   struct texpr *key, struct range range);
/* self.NAME in the current source. */
struct texpr *formula_self(struct sema *s, const char *name, struct range range);
/* The assignment by T: `self.x = value`. */
struct texpr *formula_self_set(struct sema *s, const struct formula_source *source,
			       const struct formula_statement *t);
/* Does SOURCE, when it fires, remove what is kept?  Append these assignments at END. */
bool formula_self_is_removed(const struct formula_source *source);
void formula_self_remove(struct sema *s, struct tstmt **end, const struct formula_source *source);

/* --- formula_kept.c: parameters of a function, from its entry to its return --- */

/* Append to END, and return the new end: SOURCE, an entry, keeps the parameters of a call. */
struct tstmt **formula_kept_set(struct sema *s, struct tstmt **end,
				const struct formula_source *source);
/* Has the entry of SOURCE, a return of a user function, been seen?  NULL if SOURCE is something
 * else. */
struct texpr *formula_kept_known(struct sema *s, const struct formula_source *source);
/* In the scope of the return: what P was at the entry. */
struct texpr *formula_kept_value(struct sema *s, const struct param_node *p);
/* Append to END: the call that SOURCE is the return of is over. */
void formula_kept_remove(struct sema *s, struct tstmt **end, const struct formula_source *source);

#endif
