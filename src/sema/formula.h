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
/* The assignment by T, a save or delete, to the field F; NULL: to the mark that there is something.
 */
struct texpr *formula_state(struct sema *s, const struct formula_source *source,
			    const struct formula_statement *t, const struct formula_field *f);

/* What all sources of PROVIDER save; the caller frees the vector. */
typedef VECTOR(const struct formula_field *) formula_fields;
formula_fields formula_saved_fields(const struct formula_provider *provider);
/* The type of a parameter or an argument, as declared. */
const struct type *formula_param_type(struct sema *s, const struct param_node *p);

#endif
