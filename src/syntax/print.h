/* SPDX-License-Identifier: BSD-2-Clause */
/* print - what print.c, print_expression.c and print_type.c share */
#ifndef SYNTAX_PRINT_H
#define SYNTAX_PRINT_H

#include "syntax/lexer.h"

struct printer {
	struct strbuf *out;
	unsigned indent; /* in levels, of the next line */
};

/* What a mistake left out (NULL) is "?". */
static inline void puts_out(struct printer *pr, const char *s)
{
	strbuf_puts(pr->out, s ? s : "?");
}

void expr_print(struct printer *pr, const struct node *n);

/* D may be NULL: the type without a declarator. */
void type_node_print(struct printer *pr, const struct type_spec *spec, const struct declarator *d);
void params_print(struct printer *pr, const struct param_node *param, bool varargs);

#endif
