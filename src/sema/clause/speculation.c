/* SPDX-License-Identifier: BSD-2-Clause */
/* speculation - speculate(), commit() and discard() */
#include "sema/clause/action.h"

static struct tstmt *verb_check(struct sema *s, enum speculation_verb verb, const struct node *n)
{
	unsigned count = node_count(n->call.args);
	if (count != 1) {
		diagnose(s->diagnostics, n->range, D_PROTO_LEN, "%s() takes one argument, not %u",
			 speculation_name(verb), count);
		return NULL;
	}
	struct texpr *id = expression_number(s, n->call.args);
	if (texpr_is_poison(id))
		return NULL;
	if (!type_is_integer(id->type)) {
		diagnose(s->diagnostics, n->call.args->range, D_PROTO_ARG,
			 "the argument of %s() must be a number that speculation() gave, not %s",
			 speculation_name(verb), type_text(s, id->type));
		return NULL;
	}
	struct tstmt *t = tstmt_new(s, TSTMT_SPECULATION, n->range);
	t->speculation.verb = verb;
	t->speculation.id = id;
	return t;
}

struct tstmt *speculation_check(struct sema *s, enum speculation_verb verb, const struct node *n)
{
	struct tstmt *t = verb_check(s, verb, n);
	if (t && verb != VERB_discard)
		rule_note(s, verb == VERB_commit ? RULE_COMMIT : RULE_SPECULATE, n->range);
	return t;
}

bool speculation_is_all(const struct tstmt *body)
{
	for (const struct tstmt *t = body; t; t = t->next)
		if (t->kind != TSTMT_SPECULATION || t->speculation.verb != VERB_speculate)
			return false;
	return true;
}
