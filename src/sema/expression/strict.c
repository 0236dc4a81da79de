/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * strict - does an inline evaluate a parameter in any case, and then again?
 *
 * Such an argument may be evaluated once, before the others: where it faults, it would have
 * faulted anyway.  An argument after a ?, && or || may not be, nor one that only other inlines are
 * given: their values are not searched.
 */
#include "sema/sema_internal.h"

struct uses {
	const char *name;
	unsigned count;
	bool is_unclear; /* its address is taken, or there is more than operators and calls */
};

static void uses_note(void *uses, const struct node *n)
{
	struct uses *u = uses;
	switch (n->kind) {
	case NODE_IDENT:
		u->count += string_equal(n->ident.name, u->name);
		break;
	case NODE_UNARY:
		u->is_unclear |= n->unary.op == OP_ADDROF;
		break;
	case NODE_INTEGER:
	case NODE_STRING:
	case NODE_SCOPED:
	case NODE_HAS:
	case NODE_STRINGOF:
	case NODE_BINARY:
	case NODE_CONDITIONAL:
	case NODE_CALL:
	case NODE_INDEX:
	case NODE_MEMBER:
	case NODE_CAST:
		break;
	default:
		u->is_unclear = true;
		break;
	}
	node_each_part(n, uses_note, u);
}

/* Does N evaluate NAME, whatever the values of the rest are? */
static bool always_evaluates(const struct node *n, const char *name)
{
	switch (n->kind) {
	case NODE_IDENT:
		return string_equal(n->ident.name, name);
	case NODE_UNARY:
	case NODE_STRINGOF:
		return always_evaluates(n->unary.operand, name);
	case NODE_BINARY:
		return always_evaluates(n->binary.left, name) ||
		       (n->binary.op != OP_LAND && n->binary.op != OP_LOR &&
			always_evaluates(n->binary.right, name));
	case NODE_CONDITIONAL:
		return always_evaluates(n->conditional.condition, name) ||
		       (always_evaluates(n->conditional.then, name) &&
			always_evaluates(n->conditional.otherwise, name));
	case NODE_MEMBER:
		return always_evaluates(n->member.base, name);
	case NODE_CAST:
		return always_evaluates(n->cast.operand, name);
	default:
		return false;
	}
}

bool strict_repeats(const struct node *value, const char *name)
{
	struct uses u = { .name = name };
	uses_note(&u, value);
	return u.count > 1 && !u.is_unclear && always_evaluates(value, name);
}
