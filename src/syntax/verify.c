/* SPDX-License-Identifier: BSD-2-Clause */
/* Are the statements of syntax.h true of a tree?  The first that is not, and where. */
#include <limits.h>
#include <string.h>

#include "syntax/formula.h"
#include "syntax/parse/parser.h"

struct verify {
	const struct program_node *program;
	bool has_mistakes; /* then names may be missing, and text may be left out */
	bool is_preprocessed;
	const struct node *parent; /* of the expression that is being verified, or NULL */
	const struct range *where; /* the item or statement that it is in */
	struct error *err;	   /* the first; later ones are not reported */
};

#define holds(v, it, range, ...) error_unless(&(v)->err, it, (range)->line, __VA_ARGS__)

static void verify_range(struct verify *v, const struct range *r)
{
	const struct source *source = v->program->source;
	holds(v, r->source == source && r->begin <= r->end && r->end <= source->len, r,
	      "a node is outside of its source");
}

/* --- expressions ---------------------------------------------------------------------------- */

static void node_verify(void *verify, const struct node *n);

static void verify_type_name(struct verify *v, const struct type_name *t, const struct range *where)
{
	if (holds(v, t && t->spec && t->declarator, where, "a type is missing"))
		holds(v, !t->declarator->name, &t->range, "the name of a type has a declarator's");
}

/* What is too high is a mistake, but its tree is there. */
static int height_most(const struct verify *v)
{
	if (v->parent)
		return v->parent->height - 1;
	return v->has_mistakes ? INT_MAX : HEIGHT_MAX;
}

static void node_verify_kind(struct verify *v, const struct node *n)
{
	switch (n->kind) {
	case NODE_STRING:
		holds(v, n->string.text != NULL, &n->range, "a string without text");
		return;
	case NODE_IDENT:
	case NODE_SCOPED:
		holds(v, n->ident.name != NULL, &n->range, "a name is missing");
		return;
	case NODE_AGGREGATION:
		holds(v, n->aggregation.name != NULL, &n->range, "a name is missing");
		return;
	case NODE_MEMBER:
		holds(v, n->member.name || v->has_mistakes, &n->range, "a name is missing");
		return;
	case NODE_CAST:
	case NODE_XLATE:
		verify_type_name(v, n->cast.type, &n->range);
		for (const struct translator_member *m = n->cast.with; m; m = m->next)
			node_verify(v, m->value);
		return;
	case NODE_SIZEOF_TYPE:
	case NODE_ALIGNOF:
		verify_type_name(v, n->type, &n->range);
		return;
	case NODE_OFFSETOF:
		verify_type_name(v, n->offset_of.type, &n->range);
		return;
	case NODE_HAS:
		holds(v, n->has.type || n->has.name, &n->range, "has() of nothing");
		return;
	default:
		holds(v, n->kind < NODE_EXPRESSION, &n->range,
		      "a statement or an item is part of an expression");
	}
}

static void node_verify(void *verify, const struct node *n)
{
	struct verify *v = verify;
	const struct node *parent = v->parent;
	if (v->err || !holds(v, n, parent ? &parent->range : v->where, "an expression is missing"))
		return;
	verify_range(v, &n->range);
	holds(v, n->height <= height_most(v), &n->range,
	      "an expression is higher than what it is a part of");
	v->parent = n;
	node_verify_kind(v, n);
	if (!v->err)
		node_each_part(n, node_verify, v);
	v->parent = parent;
}

static void verify_whole(struct verify *v, const struct node *n, const struct range *where)
{
	v->where = where;
	node_verify(v, n);
}

/* --- items ---------------------------------------------------------------------------------- */

static void statement_nodes_verify(struct verify *v, const struct node *n)
{
	for (; n && !v->err; n = n->next) {
		verify_range(v, &n->range);
		if (n->kind == NODE_EXPRESSION) {
			verify_whole(v, n->statement.expr, &n->range);
			continue;
		}
		if (n->kind == NODE_BREAK || n->kind == NODE_CONTINUE)
			continue;
		if (!holds(v, n->kind == NODE_IF || n->kind == NODE_LOOP || n->kind == NODE_FOREACH,
			   &n->range, "this is not a statement"))
			return;
		verify_whole(v, n->if_.condition, &n->range);
		statement_nodes_verify(v, n->if_.then);
		statement_nodes_verify(v, n->if_.otherwise);
	}
}

static void clause_node_verify(struct verify *v, const struct clause_node *c,
			       const struct range *where)
{
	holds(v, v->has_mistakes || c->pdescs, where, "a clause without a description");
	holds(v, c->has_body || !c->body, where, "statements without braces");
	for (const struct pdesc_node *d = c->pdescs; d; d = d->next) {
		verify_range(v, &d->range);
		holds(v, d->provider && d->module && d->function && d->name, &d->range,
		      "a field of a description is missing");
	}
	if (c->predicate)
		verify_whole(v, c->predicate, where);
	statement_nodes_verify(v, c->body);
}

static void verify_translator(struct verify *v, const struct translator_node *t,
			      const struct range *where)
{
	verify_type_name(v, t->output, where);
	if (t->pattern)
		verify_whole(v, t->value, where);
	else
		verify_type_name(v, t->input, where);
	for (const struct translator_member *m = t->members; m; m = m->next)
		verify_whole(v, m->value, &m->range);
}

static void verify_source(struct verify *v, const struct formula_source *s)
{
	verify_range(v, &s->range);
	holds(v, s->probe && s->provider, &s->range, "a source without a probe");
	holds(v, s->event.names != NULL, &s->range, "an event without a name");
	for (const struct formula_statement *t = s->statements; t && !v->err; t = t->next) {
		verify_range(v, &t->range);
		holds(v, t->value || t->kind == FORMULA_SILENT || t->kind == FORMULA_KEEP,
		      &t->range, "a statement of a formula has no value");
		holds(v, (t->kind == FORMULA_SAVE) == (t->fields != NULL), &t->range,
		      "a save has no fields, or another statement has some");
	}
}

/* A probe with a mistake is not there; the others are whole. */
static void verify_formulas(struct verify *v, const struct formula_provider *f)
{
	for (const struct formula_probe *p = f->probes; p; p = p->next) {
		holds(v, p->name[0] && p->alternatives, &p->range, "a probe without a formula");
		for (const struct formula_alternative *a = p->alternatives; a; a = a->next) {
			holds(v, a->sources != NULL, &a->range, "an alternative without events");
			for (const struct formula_source *s = a->sources; s && !v->err; s = s->next)
				verify_source(v, s);
		}
	}
}

static void verify_item(struct verify *v, const struct node *n)
{
	verify_range(v, &n->range);
	switch (n->kind) {
	case NODE_CLAUSE:
		clause_node_verify(v, n->clause, &n->range);
		return;
	case NODE_DECLARATION:
		holds(v, n->declaration->spec != NULL, &n->range, "a declaration without a type");
		return;
	case NODE_INLINE:
		holds(v, n->inline_->spec && n->inline_->declarator, &n->range,
		      "an inline without a type");
		verify_whole(v, n->inline_->value, &n->range);
		return;
	case NODE_TRANSLATOR:
		verify_translator(v, n->translator, &n->range);
		return;
	case NODE_FORMULA:
		verify_formulas(v, n->formula);
		return;
	default:
		holds(v, n->kind == NODE_PROVIDER, &n->range, "this is not an item");
	}
}

/* --- the program ---------------------------------------------------------------------------- */

/* Is there nothing but blanks, comments and semicolons in TEXT?  Control lines may be anything. */
static bool is_blank(const char *text, size_t len)
{
	const char *end = text + len;
	if (memchr(text, '#', len))
		return true;
	while (text < end) {
		const char *stop = NULL;
		if (end - text >= 2 && memcmp(text, "/*", 2) == 0)
			stop = memmem(text + 2, (size_t)(end - text) - 2, "*/", 2);
		else if (end - text >= 2 && memcmp(text, "//", 2) == 0)
			stop = memchr(text, '\n', (size_t)(end - text));
		else if (!strchr(" \t\n\r\v\f;", *text))
			return false;
		text = stop ? stop + 2 : text + 1;
	}
	return true;
}

/* Items follow one another; without mistakes, nothing between them was left out. */
static void verify_order(struct verify *v, const struct node *before, const struct node *n)
{
	const struct source *s = v->program->source;
	uint32_t end = before->range.end;
	if (holds(v, end <= n->range.begin, &n->range, "an item begins in the one before it") &&
	    !v->has_mistakes && !v->is_preprocessed)
		holds(v, is_blank(s->text + end, n->range.begin - end), &n->range,
		      "text before this item was left out without a mistake");
}

/* The output of a preprocessor has items of headers, some of which leave no node. */
static bool is_preprocessed(const struct source *s)
{
	return memmem(s->text, s->len, "# ", 2);
}

struct error *syntax_verify(const struct program_node *p, const struct diagnostics *d)
{
	struct verify v = { .program = p,
			    .has_mistakes = d->list.count > 0,
			    .is_preprocessed = is_preprocessed(p->source) };
	error_unless(&v.err, !p->broken || v.has_mistakes, 0,
		     "a broken item, but no mistake is reported");
	for (const struct broken_node *b = p->broken; b; b = b->next)
		verify_range(&v, &b->range);
	for (const struct node *n = p->items; n && !v.err; n = n->next) {
		verify_item(&v, n);
		if (n->next && !v.err)
			verify_order(&v, n, n->next);
	}
	return v.err;
}
