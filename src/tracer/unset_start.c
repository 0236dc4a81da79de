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
#include "tracer/internal.h"

/* What is searched for in a tree; NAME: of a variable. */
struct search {
	bool (*fits)(const struct search *s, const struct node *n);
	const char *name;
	const struct node *found;
};

static bool search_list(struct search *s, const struct node *list);

/* N and what is below it, in the order of the text. */
static bool search_node(struct search *s, const struct node *n)
{
	if (!n)
		return false;
	if (s->fits(s, n)) {
		s->found = n;
		return true;
	}
	switch (n->kind) {
	case NODE_UNARY:
	case NODE_STRINGOF:
		return search_node(s, n->unary.operand);
	case NODE_BINARY:
		return search_node(s, n->binary.left) || search_node(s, n->binary.right);
	case NODE_CONDITIONAL:
		return search_node(s, n->conditional.condition) ||
		       search_node(s, n->conditional.then) ||
		       search_node(s, n->conditional.otherwise);
	case NODE_ASSIGN:
		return search_node(s, n->assign.left) || search_node(s, n->assign.right);
	case NODE_CALL:
		return search_list(s, n->call.args);
	case NODE_INDEX:
		return search_node(s, n->index.base) || search_list(s, n->index.args);
	case NODE_MEMBER:
		return search_node(s, n->member.base);
	case NODE_CAST:
	case NODE_XLATE:
		return search_node(s, n->cast.operand);
	case NODE_AGGREGATION:
		return search_list(s, n->aggregation.keys);
	case NODE_EXPRESSION:
		return search_node(s, n->statement.expr);
	case NODE_IF:
		return search_node(s, n->if_.condition) || search_list(s, n->if_.then) ||
		       search_list(s, n->if_.otherwise);
	default:
		return false;
	}
}

static bool search_list(struct search *s, const struct node *list)
{
	for (const struct node *n = list; n; n = n->next)
		if (search_node(s, n))
			return true;
	return false;
}

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
static bool is_interval(const struct search *s, const struct node *n)
{
	return n->kind == NODE_BINARY && n->binary.op == OP_SUB && is_clock(n->binary.left) &&
	       kept_name(n->binary.right);
}

static bool is_kept(const struct search *s, const struct node *n)
{
	return n->kind == NODE_SCOPED || n->kind == NODE_INDEX;
}

static bool is_condition_on_kept(const struct search *s, const struct node *n)
{
	struct search kept = { .fits = is_kept };
	if (n->kind == NODE_IF)
		return search_node(&kept, n->if_.condition);
	if (n->kind == NODE_CONDITIONAL)
		return search_node(&kept, n->conditional.condition);
	return n->kind == NODE_BINARY && (n->binary.op == OP_LAND || n->binary.op == OP_LOR) &&
	       search_node(&kept, n->binary.left);
}

static bool is_start(const struct search *s, const struct node *n)
{
	const char *name = n->kind == NODE_ASSIGN ? kept_name(n->assign.left) : NULL;
	bool is_zero = name && n->assign.right->kind == NODE_INTEGER;
	return name && !is_zero && string_equal(name, s->name);
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
	struct search start = { .fits = is_start, .name = name };
	for (const struct node *item = program->items; item; item = item->next) {
		if (item->kind != NODE_CLAUSE)
			continue;
		if (descriptions_meet(item->clause, c) && search_list(&start, item->clause->body))
			return true;
		if (item->clause == c)
			return false;
	}
	return false;
}

void tracer_warn_of_unset_start(const struct program_node *program)
{
	struct search interval = { .fits = is_interval }, condition = { is_condition_on_kept },
		      kept = { .fits = is_kept };
	for (const struct node *item = program->items; item; item = item->next) {
		const struct clause_node *c = item->kind == NODE_CLAUSE ? item->clause : NULL;
		if (!c || search_node(&kept, c->predicate) || search_list(&condition, c->body) ||
		    !search_list(&interval, c->body))
			continue;
		const struct node *start = interval.found->binary.right;
		if (is_set_before(program, c, kept_name(start)))
			continue;
		const struct range *r = &start->range;
		int len = (int)(r->end - r->begin);
		message("warning: line %u: %.*s is 0 where the start was not seen: the predicate "
			"/%.*s/ leaves that out",
			r->line, len, r->source->text + r->begin, len, r->source->text + r->begin);
	}
}
