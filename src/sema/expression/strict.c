/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * strict - does an inline evaluate a parameter in any case, and then again?
 *
 * Such an argument may be evaluated once, before the others: where it faults, it would have
 * faulted anyway.  An argument after a ?, && or || may not be, nor one that only other inlines are
 * given: what they do with it is not asked.
 */
#include "sema/sema_internal.h"

struct uses {
	const char *name;
	unsigned count;
	bool is_unclear; /* its address is taken, or there is more than operators and calls */
};

static void note(struct uses *u, const struct node *n);

static void note_list(struct uses *u, const struct node *list)
{
	for (; list; list = list->next)
		note(u, list);
}

static void note(struct uses *u, const struct node *n)
{
	switch (n->kind) {
	case NODE_IDENT:
		u->count += string_equal(n->ident.name, u->name);
		break;
	case NODE_INTEGER:
	case NODE_STRING:
	case NODE_SCOPED:
	case NODE_HAS:
		break;
	case NODE_UNARY:
		u->is_unclear |= n->unary.op == OP_ADDROF;
		note(u, n->unary.operand);
		break;
	case NODE_STRINGOF:
		note(u, n->unary.operand);
		break;
	case NODE_BINARY:
		note(u, n->binary.left);
		note(u, n->binary.right);
		break;
	case NODE_CONDITIONAL:
		note(u, n->conditional.condition);
		note(u, n->conditional.then);
		note(u, n->conditional.otherwise);
		break;
	case NODE_CALL:
		note_list(u, n->call.args);
		break;
	case NODE_INDEX:
		note(u, n->index.base);
		note_list(u, n->index.args);
		break;
	case NODE_MEMBER:
		note(u, n->member.base);
		break;
	case NODE_CAST:
		note(u, n->cast.operand);
		break;
	default:
		u->is_unclear = true;
		break;
	}
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
	note(&u, value);
	return u.count > 1 && !u.is_unclear && always_evaluates(value, name);
}
