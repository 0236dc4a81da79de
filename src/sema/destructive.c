/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * destructive - actions that change what is traced, at the firing
 *
 * They leave nothing in the record, so they are checked and generated like
 * subroutines; but they must be statements, and need -w.  Some of them compile
 * and no kernel lets a BPF program do them: the tracer refuses to enable those.
 */
#include "sema/action.h"

static const struct {
	const char *name;
	bool is_impossible;
} actions[] = {
	{ "breakpoint", true }, { "chill", true },  { "copyout", false }, { "copyoutstr", false },
	{ "panic", true },	{ "raise", false }, { "stop", false },
};

static int place_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (string_equal(actions[i].name, name))
			return (int)i;
	return -1;
}

bool destructive_is_name(const char *name)
{
	return place_of(name) >= 0;
}

struct tstmt *destructive_check(struct sema *s, const struct node *n)
{
	int place = place_of(n->call.callee->ident.name);
	rule_note(s, RULE_DESTRUCTIVE, n->range);
	struct texpr *e = subroutine_statement(s, n);
	if (texpr_is_poison(e))
		return NULL;
	if (actions[place].is_impossible)
		s->result.impossible = actions[place].name;
	struct tstmt *t = tstmt_new(s, TSTMT_EXPRESSION, n->range);
	t->expr = e;
	return t;
}
