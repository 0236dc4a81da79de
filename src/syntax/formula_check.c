/* SPDX-License-Identifier: BSD-2-Clause */
/* formula_check - what must hold of a probe of a formula as it is written; its provider's lists */
#include "syntax/formula.h"

#include "syntax/syntax.h"

bool formula_has(const struct formula_source *source, enum formula_statement_kind kind)
{
	const struct formula_statement *t = source->statements;
	while (t && t->kind != kind)
		t = t->next;
	return t;
}

const struct param_node *formula_output(const struct formula_probe *probe, const char *name)
{
	const struct param_node *p = probe->outputs;
	while (p && !string_equal(p->declarator->name, name))
		p = p->next;
	return p;
}

static void diagnose_repeated(const char *name, struct range range, struct diagnostics *d)
{
	diagnose(d, range, D_SYNTAX, "%s is here already", name);
}

/* Do both give a value to the same thing? */
static bool is_same_thing(const struct formula_statement *a, const struct formula_statement *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == FORMULA_RAW)
		return a->number == b->number;
	return (a->kind == FORMULA_LET || a->kind == FORMULA_SELF || a->kind == FORMULA_OUTPUT) &&
	       string_equal(a->name, b->name);
}

static void formula_fields_check(const struct formula_statement *t, struct diagnostics *d)
{
	for (const struct formula_field *f = t->fields; f; f = f->next)
		for (const struct formula_field *q = t->fields; q != f; q = q->next)
			if (string_equal(q->name, f->name))
				diagnose_repeated(f->name, f->param->range, d);
}

static void formula_statements_check(const struct formula_source *source, struct diagnostics *d)
{
	for (const struct formula_statement *t = source->statements; t; t = t->next) {
		const struct formula_statement *q = source->statements;
		while (q != t && !is_same_thing(q, t))
			q = q->next;
		if (q != t)
			diagnose_repeated(t->kind == FORMULA_RAW ? "this argument" : t->name,
					  t->range, d);
		formula_fields_check(t, d);
	}
}

/* An event of each alternative fires the probe. */
static void alternative_check(const struct formula_alternative *a, struct diagnostics *d)
{
	bool fires = false;
	for (const struct formula_source *s = a->sources; s; s = s->next) {
		fires |= !formula_has(s, FORMULA_SILENT);
		formula_statements_check(s, d);
	}
	if (!fires)
		diagnose(d, a->range, D_SYNTAX,
			 "the probe never fires: all of its events are silent");
}

void formula_check(const struct formula_probe *probe, const struct formula_probe *others,
		   struct diagnostics *d)
{
	for (const struct formula_probe *q = others; q; q = q->next)
		if (string_equal(q->name, probe->name))
			diagnose_repeated(probe->name, probe->range, d);
	for (const struct formula_alternative *a = probe->alternatives; a; a = a->next)
		alternative_check(a, d);
}

/* --- the provider of a probe ------------------------------------------------------------------ */

/* A parameter without a type has that of the probe's argument of its name. */
static void type_parameters(struct param_node *params, const struct formula_probe *probe)
{
	for (struct param_node *p = params; p; p = p->next) {
		if (p->is_untyped)
			p->like = formula_output(probe, p->declarator->name);
		if (!p->like)
			continue;
		p->spec = p->like->spec;
		p->declarator->parts = p->like->declarator->parts;
	}
}

static void add_saved(struct formula_provider *provider, struct formula_field *f)
{
	struct formula_field **end = &provider->saved;
	while (*end && !string_equal((*end)->name, f->name))
		end = &(*end)->next_saved;
	if (!*end)
		*end = f;
}

static void add_self(struct formula_provider *provider, struct formula_statement *t)
{
	*(provider->last_self ? &provider->last_self->next_self : &provider->selfs) = t;
	provider->last_self = t;
}

static void own_source(struct formula_source *s, const struct formula_probe *probe,
		       struct formula_provider *provider)
{
	type_parameters(s->event.params, probe);
	s->probe = probe;
	s->provider = provider;
	for (struct formula_statement *t = s->statements; t; t = t->next) {
		t->source = s;
		if (t->kind == FORMULA_SELF)
			add_self(provider, t);
		for (struct formula_field *f = t->fields; f; f = f->next)
			add_saved(provider, f);
	}
}

void formula_own(struct formula_probe *probe, struct formula_provider *provider)
{
	for (struct formula_alternative *a = probe->alternatives; a; a = a->next)
		for (struct formula_source *s = a->sources; s; s = s->next)
			own_source(s, probe, provider);
}
