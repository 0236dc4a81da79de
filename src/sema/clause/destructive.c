/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * destructive - actions that change the traced process, at the firing
 *
 * They record nothing, so they are checked and generated like subroutines; but they must be
 * statements, and need -w.  Some of them compile although no kernel permits them in a BPF program:
 * the tracer refuses to enable those.
 */
#include "sema/clause/action.h"

struct tstmt *destructive_check(struct sema *s, const struct node *n)
{
	const struct builtin_row *row =
		&subroutine_rows[subroutine_find(n->call.callee->ident.name)];
	rule_note(s, RULE_DESTRUCTIVE, n->range);
	if (row->purity == PURITY_DESTRUCTIVE && formula_refuses(s, row->name, n->range))
		return NULL;
	struct texpr *e = subroutine_statement(s, n);
	if (texpr_is_poison(e))
		return NULL;
	if (row->purity == PURITY_IMPOSSIBLE)
		s->result.impossible = row->name;
	struct tstmt *t = tstmt_new(s, TSTMT_EXPRESSION, n->range);
	t->expr = e;
	return t;
}
