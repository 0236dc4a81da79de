/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loop_variable - a warning about loops that count in a global variable
 *
 *	for (i = 0; i < 10; i++)
 *
 * Firings on other CPUs count in it, too: passes are left out, or the loop does not end.
 */
#include "tracer/advice/advice.h"

static bool is_change(const void *name, const struct node *n)
{
	const struct node *target = n->kind == NODE_ASSIGN ? n->assign.left : NULL;
	if (n->kind == NODE_UNARY && (n->unary.op == OP_PREINC || n->unary.op == OP_PREDEC ||
				      n->unary.op == OP_POSTINC || n->unary.op == OP_POSTDEC))
		target = n->unary.operand;
	return target && target->kind == NODE_IDENT && string_equal(target->ident.name, name);
}

/* A name in the condition of LOOP that the loop changes. */
static bool is_counter(const void *loop, const struct node *n)
{
	const struct node *l = loop;
	return n->kind == NODE_IDENT && (node_find(l->if_.condition, is_change, n->ident.name) ||
					 node_find(l->if_.then, is_change, n->ident.name) ||
					 node_find(l->if_.otherwise, is_change, n->ident.name));
}

static const struct node *counter_of(const struct node *n)
{
	return n->kind == NODE_LOOP ? node_find(n->if_.condition, is_counter, n) : NULL;
}

static bool is_loop_with_counter(const void *arg, const struct node *n)
{
	return counter_of(n) != NULL;
}

void loop_variable_warn(const struct program_node *program)
{
	for (const struct node *item = program->items; item; item = item->next) {
		const struct node *loop =
			item->kind == NODE_CLAUSE
				? node_find(item->clause->body, is_loop_with_counter, NULL)
				: NULL;
		const struct node *counter = loop ? counter_of(loop) : NULL;
		if (counter)
			message("warning: line %u: the loop counts in %s, which is global: other "
				"firings change it, too (this->%s is the clause's own)",
				counter->range.line, counter->ident.name, counter->ident.name);
	}
}
