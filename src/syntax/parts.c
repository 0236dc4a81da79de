/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of each kind of node, in the order of the text: the only list of them, but for the
 * values after `with` (verify.c).  The callee of a call and the operand of sizeof are parts, too.
 */
#include <stddef.h>

#include "syntax/ast.h"

struct part {
	enum { PART_NONE, PART_ONE, PART_LIST } kind;
	size_t offset; /* of its pointer in struct node */
};

#define ONE(member) ((struct part) { PART_ONE, offsetof(struct node, member) })
#define LIST(member) ((struct part) { PART_LIST, offsetof(struct node, member) })

static const struct part parts[NODE_FORMULA + 1][4] = {
	[NODE_AGGREGATION] = { LIST(aggregation.keys) },
	[NODE_UNARY] = { ONE(unary.operand) },
	[NODE_BINARY] = { ONE(binary.left), ONE(binary.right) },
	[NODE_CONDITIONAL] = { ONE(conditional.condition), ONE(conditional.then),
			       ONE(conditional.otherwise) },
	[NODE_ASSIGN] = { ONE(assign.left), ONE(assign.right) },
	[NODE_CALL] = { ONE(call.callee), LIST(call.args) },
	[NODE_INDEX] = { ONE(index.base), LIST(index.args) },
	[NODE_MEMBER] = { ONE(member.base) },
	[NODE_CAST] = { ONE(cast.operand) },
	[NODE_SIZEOF] = { ONE(unary.operand) },
	[NODE_STRINGOF] = { ONE(unary.operand) },
	[NODE_XLATE] = { ONE(cast.operand) },
	[NODE_EXPRESSION] = { ONE(statement.expr) },
	[NODE_IF] = { ONE(if_.condition), LIST(if_.then), LIST(if_.otherwise) },
	[NODE_FOREACH] = { ONE(if_.condition), LIST(if_.then) },
	[NODE_LOOP] = { ONE(if_.condition), LIST(if_.then), LIST(if_.otherwise) },
};

void node_each_part(const struct node *n, node_visit_fn *visit, void *arg)
{
	for (const struct part *part = parts[n->kind]; part->kind != PART_NONE; part++) {
		const struct node *child = *(struct node *const *)((const char *)n + part->offset);
		if (part->kind == PART_ONE)
			visit(arg, child);
		else
			for (; child; child = child->next)
				visit(arg, child);
	}
}

struct search {
	node_fits_fn *fits;
	const void *arg;
	const struct node *found;
};

static void search_in(void *arg, const struct node *n)
{
	struct search *s = arg;
	if (s->found)
		return;
	if (s->fits(s->arg, n))
		s->found = n;
	else
		node_each_part(n, search_in, s);
}

const struct node *node_find(const struct node *list, node_fits_fn *fits, const void *arg)
{
	struct search s = { .fits = fits, .arg = arg };
	for (; list; list = list->next)
		search_in(&s, list);
	return s.found;
}
