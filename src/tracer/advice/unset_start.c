/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unset_start - a warning about clauses that subtract a start which was perhaps not seen
 *
 *	syscall::read:entry { self->t = timestamp; }
 *	syscall::read:return { @ = quantize(timestamp - self->t); }
 *
 * A call that began before we did has no start, and then the difference is the age of the machine.
 * The predicate /self->t/ is missing.  A clause is left alone if one of its conditions reads any
 * variable of a thread or element of an array, since that may say the same.
 */
#include "tracer/advice/advice.h"

/* The name of the variable self->x, self->x[...] or x[...]; NULL: N is something else. */
static const char *kept_name(const struct node *n)
{
	const struct node *base = n->kind == NODE_INDEX ? n->index.base : n;
	if (base->kind == NODE_SCOPED)
		return base->ident.scope == SCOPE_SELF ? base->ident.name : NULL;
	return n->kind == NODE_INDEX && base->kind == NODE_IDENT ? base->ident.name : NULL;
}

static bool is_clock(const struct node *n)
{
	return n->kind == NODE_IDENT && (string_equal(n->ident.name, "timestamp") ||
					 string_equal(n->ident.name, "vtimestamp") ||
					 string_equal(n->ident.name, "walltimestamp"));
}

/* timestamp - self->t */
static bool is_interval(const void *arg, const struct node *n)
{
	return n->kind == NODE_BINARY && n->binary.op == OP_SUB && is_clock(n->binary.left) &&
	       kept_name(n->binary.right);
}

static bool is_kept(const void *arg, const struct node *n)
{
	return n->kind == NODE_SCOPED || n->kind == NODE_INDEX;
}

static bool is_condition_on_kept(const void *arg, const struct node *n)
{
	if (n->kind == NODE_FOREACH && !n->if_.names)
		return true; /* foreach (self->x) */
	if (n->kind == NODE_IF)
		return node_find(n->if_.condition, is_kept, NULL);
	if (n->kind == NODE_CONDITIONAL)
		return node_find(n->conditional.condition, is_kept, NULL);
	return n->kind == NODE_BINARY && (n->binary.op == OP_LAND || n->binary.op == OP_LOR) &&
	       node_find(n->binary.left, is_kept, NULL);
}

static bool is_start(const void *wanted, const struct node *n)
{
	const char *name = n->kind == NODE_ASSIGN ? kept_name(n->assign.left) : NULL;
	bool is_zero = name && n->assign.right->kind == NODE_INTEGER;
	return name && !is_zero && string_equal(name, wanted);
}

static bool descriptions_meet(const struct clause_node *a, const struct clause_node *b)
{
	for (const struct pdesc_node *d = a->pdescs; d; d = d->next)
		for (const struct pdesc_node *e = b->pdescs; e; e = e->next)
			if (string_equal(d->provider, e->provider) &&
			    string_equal(d->module, e->module) &&
			    string_equal(d->function, e->function) &&
			    string_equal(d->name, e->name))
				return true;
	return false;
}

/* Does C, or a clause before it at the same probe, set the variable NAME? */
static bool is_set_before(const struct program_node *program, const struct clause_node *c,
			  const char *name)
{
	for (const struct node *item = program->items; item; item = item->next) {
		if (item->kind != NODE_CLAUSE)
			continue;
		if (descriptions_meet(item->clause, c) &&
		    node_find(item->clause->body, is_start, name))
			return true;
		if (item->clause == c)
			return false;
	}
	return false;
}

static bool tests_kept(const struct clause_node *c)
{
	return node_find(c->predicate, is_kept, NULL) ||
	       node_find(c->body, is_condition_on_kept, NULL);
}

void unset_start_warn(const struct program_node *program)
{
	for (const struct node *item = program->items; item; item = item->next) {
		const struct clause_node *c = item->kind == NODE_CLAUSE ? item->clause : NULL;
		const struct node *interval =
			c && !tests_kept(c) ? node_find(c->body, is_interval, NULL) : NULL;
		const struct node *start = interval ? interval->binary.right : NULL;
		if (!start || is_set_before(program, c, kept_name(start)))
			continue;
		const struct range *r = &start->range;
		int len = (int)(r->end - r->begin);
		message("warning: line %u: %.*s is 0 where the start was not seen: the predicate "
			"/%.*s/ leaves that out",
			r->line, len, r->source->text + r->begin, len, r->source->text + r->begin);
	}
}
