/* SPDX-License-Identifier: BSD-2-Clause */
/* print - declarations shared by print.c, print_expression.c, print_type.c and print_formula.c */
#ifndef SYNTAX_PRINT_H
#define SYNTAX_PRINT_H

#include "syntax/lexer.h"

struct printer {
	struct strbuf *out;
	unsigned indent; /* in levels, of the next line */
};

/* A part that is missing because of a mistake (NULL) is printed as "?". */
static inline void puts_out(struct printer *pr, const char *s)
{
	strbuf_puts(pr->out, s ? s : "?");
}

void expr_print(struct printer *pr, const struct node *n);

/* D may be NULL: the type without a declarator. */
void type_node_print(struct printer *pr, const struct type_spec *spec, const struct declarator *d);
void params_print(struct printer *pr, const struct param_node *param, bool varargs);

/* print_formula.c */
struct formula_provider;
void formulas_print(struct printer *pr, const struct formula_provider *f);

#endif
