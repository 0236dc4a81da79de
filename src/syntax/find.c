/* SPDX-License-Identifier: BSD-2-Clause */
/* find - the first node of a tree that fits */
#include "syntax/ast.h"

static const struct node *find_in_two(const struct node *a, const struct node *b,
				      node_fits_fn *fits, const void *arg)
{
	const struct node *found = node_find(a, fits, arg);
	return found ? found : node_find(b, fits, arg);
}

static const struct node *find_in_three(const struct node *a, const struct node *b,
					const struct node *c, node_fits_fn *fits, const void *arg)
{
	const struct node *found = node_find(a, fits, arg);
	return found ? found : find_in_two(b, c, fits, arg);
}

static const struct node *find_below(const struct node *n, node_fits_fn *fits, const void *arg)
{
	switch (n->kind) {
	case NODE_UNARY:
	case NODE_STRINGOF:
		return node_find(n->unary.operand, fits, arg);
	case NODE_BINARY:
		return find_in_two(n->binary.left, n->binary.right, fits, arg);
	case NODE_CONDITIONAL:
		return find_in_three(n->conditional.condition, n->conditional.then,
				     n->conditional.otherwise, fits, arg);
	case NODE_ASSIGN:
		return find_in_two(n->assign.left, n->assign.right, fits, arg);
	case NODE_CALL:
		return node_find(n->call.args, fits, arg);
	case NODE_INDEX:
		return find_in_two(n->index.base, n->index.args, fits, arg);
	case NODE_MEMBER:
		return node_find(n->member.base, fits, arg);
	case NODE_CAST:
	case NODE_XLATE:
		return node_find(n->cast.operand, fits, arg);
	case NODE_AGGREGATION:
		return node_find(n->aggregation.keys, fits, arg);
	case NODE_EXPRESSION:
		return node_find(n->statement.expr, fits, arg);
	case NODE_IF:
		return find_in_three(n->if_.condition, n->if_.then, n->if_.otherwise, fits, arg);
	default:
		return NULL;
	}
}

const struct node *node_find(const struct node *list, node_fits_fn *fits, const void *arg)
{
	const struct node *found = NULL;
	for (const struct node *n = list; n && !found; n = n->next)
		found = fits(arg, n) ? n : find_below(n, fits, arg);
	return found;
}
