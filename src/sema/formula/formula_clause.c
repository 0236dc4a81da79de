/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula_clause - clauses that change the saved values of formulas
 *
 * What a source saves or deletes must happen at each of its firings, whatever the predicates of
 * clauses are, and after all of them.  So sema adds clauses at the end of a program: one for each
 * source of the program's probes that changes state; and, if one of these reads or changes what
 * other sources do, one for each source of the provider that changes it.  Of every process
 * (plockstat*) a source is that of many files' probes, which share its clauses; files that come
 * later join them (tracer/live/rematch.c).
 */
#include "sema/formula/formula.h"

/* --- which sources have state ---------------------------------------------------------------- */

static bool assigns_state(const struct formula_source *source)
{
	return formula_has(source, FORMULA_SAVE) || formula_has(source, FORMULA_DELETE) ||
	       formula_has(source, FORMULA_SELF) || source->keeps_parameters;
}

static bool changes_state(const struct formula_source *source)
{
	return assigns_state(source) || formula_self_is_removed(source);
}

/* The same of what other sources may read: not what a function's entry keeps for its return. */
static bool changes_shared(const struct formula_source *source)
{
	return !source->keeps_parameters && changes_state(source);
}

static bool has_shared(const struct formula_source *source)
{
	return changes_shared(source) || source->reads_self || source->asks_exists ||
	       formula_has(source, FORMULA_LOAD);
}

static bool has_state(const struct formula_source *source)
{
	return changes_state(source) || source->entry || has_shared(source);
}

/* --- one clause ------------------------------------------------------------------------------ */

/* All fields of all saves of the provider: what is under a key is forgotten as a whole. */
static struct tstmt **add_delete(struct sema *s, struct tstmt **end,
				 const struct formula_source *source,
				 const struct formula_statement *t)
{
	for (const struct formula_field *f = source->provider->saved; f; f = f->next_saved)
		end = formula_add_assignment(s, end, formula_state(s, source, t, f));
	return formula_add_assignment(s, end, formula_state(s, source, t, NULL));
}

static struct tstmt *state_statements(struct sema *s, const struct formula_source *source)
{
	struct tstmt *first = NULL, **end = &first;
	for (const struct formula_statement *t = source->statements; t; t = t->next) {
		if (t->kind == FORMULA_DELETE)
			end = add_delete(s, end, source, t);
		if (t->kind == FORMULA_SELF)
			end = formula_add_assignment(s, end, formula_self_set(s, source, t));
		if (t->kind != FORMULA_SAVE)
			continue;
		for (const struct formula_field *f = t->fields; f; f = f->next)
			end = formula_add_assignment(s, end, formula_state(s, source, t, f));
		end = formula_add_assignment(s, end, formula_state(s, source, t, NULL));
	}
	if (source->keeps_parameters)
		end = formula_kept_set(s, end, source);
	if (formula_self_is_removed(source))
		formula_self_remove(s, end, source);
	return first;
}

static struct tstmt *kept_statements(struct sema *s, const struct formula_source *source)
{
	struct tstmt *first = NULL;
	formula_kept_remove(s, &first, source);
	return first;
}

static bool is_of_every_process(const struct sema *s, const struct tclause *c)
{
	return probe_db_of_every_process(s->probes, c->desc.provider);
}

/* A clause for P, a probe of OF's provider, with the statements that MAKE makes, where the
 * condition of CONDITIONAL is fulfilled. */
static void add_clause(struct sema *s, const struct tclause *of, const struct probe *p,
		       const struct formula_source *source,
		       const struct formula_source *conditional,
		       struct tstmt *(*make)(struct sema *s, const struct formula_source *source))
{
	static const struct clause_node nothing;
	struct tclause *c = ARENA_NEW(s->arena, struct tclause);
	c->index = (unsigned)s->clauses.count;
	c->node = &nothing;
	c->range = source->range;
	c->desc = (struct probe_desc) { p->provider, p->module, p->function, p->name };
	if (is_of_every_process(s, of))
		c->desc = (struct probe_desc) { of->desc.provider, of->desc.module, "", p->name };
	c->probes = arena_alloc(s->arena, sizeof(*c->probes));
	c->probes[0] = p;
	c->probe_count = 1;
	c->source = source;
	c->is_made = true;
	c->attributes =
		(struct attributes) { STABILITY_STANDARD, STABILITY_STANDARD, CLASS_COMMON };
	s->clause = c;
	s->budget = EXPRESSION_BUDGET;
	c->predicate = formula_condition(s, conditional);
	c->body = make(s, source);
	unsigned number = 0;
	for (struct tstmt *t = c->body; t; t = t->next)
		t->number = ++number;
	s->clause = NULL;
	vector_push(&s->clauses, c);
}

/* --- all state clauses of a program --------------------------------------------------------- */

/* Does a source of P, for which SOURCE keeps parameters, change what others read? */
static bool keeps_for_shared(const struct probe *p, const struct formula_source *source)
{
	for (const struct probe_event *e = p->events; e; e = e->next)
		if (e->source && e->source->entry == source && changes_shared(e->source))
			return true;
	return false;
}

/* P among C's, by id. */
static void clause_join(struct sema *s, struct tclause *c, const struct probe *p)
{
	const struct probe **all = arena_alloc(s->arena, (c->probe_count + 1) * sizeof(*all));
	unsigned count = 0;
	for (unsigned i = 0; i < c->probe_count; i++) {
		if (c->probes[i] == p)
			return;
		if (c->probes[i]->id < p->id)
			all[count++] = c->probes[i];
	}
	all[count++] = p;
	for (unsigned i = count - 1; i < c->probe_count; i++)
		all[count++] = c->probes[i];
	c->probes = all;
	c->probe_count = count;
}

/* Does P of another file join the clauses that SOURCE has? */
static bool joins_clauses(struct sema *s, const struct tclause *of, const struct probe *p,
			  const struct formula_source *source)
{
	bool any = false;
	if (!is_of_every_process(s, of))
		return false;
	for (size_t i = s->clauses.count; i && s->clauses.items[i - 1]->is_made; i--) {
		struct tclause *c = s->clauses.items[i - 1];
		if (c->source != source || !is_of_every_process(s, c))
			continue;
		clause_join(s, c, p);
		any = true;
	}
	return any;
}

/*
 * For the sources of P, a probe of OF's provider, that change state: all, if P is ENABLED; else
 * those that change what others read, if a clause reads it (SHARED).
 */
static void add_state_clauses(struct sema *s, const struct tclause *of, const struct probe *p,
			      bool enabled, bool shared)
{
	const struct formula_source *last = NULL;
	for (const struct probe_event *e = p->events; e; e = e->next) {
		const struct formula_source *source = e->source;
		bool is_needed = source && (enabled || (shared && (changes_shared(source) ||
								   keeps_for_shared(p, source))));
		bool is_new = is_needed && source != last && sema_formula_is_right(s, p) &&
			      !joins_clauses(s, of, p, source);
		if (is_new && changes_state(source))
			add_clause(s, of, p, source, source, state_statements);
		if (is_new && source->entry) /* whatever its condition: the entry has none */
			add_clause(s, of, p, source, source->entry, kept_statements);
		last = source;
	}
}

/* Does one of the first WRITTEN clauses, of a probe of PROVIDER's (of a process), read or change
 * what others do? */
static bool uses_shared(const struct sema *s, size_t written, const char *provider)
{
	for (size_t i = 0; i < written; i++) {
		const struct tclause *c = s->clauses.items[i];
		if (c->source && string_equal(c->probes[0]->provider, provider) &&
		    has_shared(c->source))
			return true;
	}
	return false;
}

/* Is P a probe of one of the first WRITTEN clauses? */
static bool is_enabled(const struct sema *s, size_t written, const struct probe *p)
{
	for (size_t i = 0; i < written; i++)
		for (unsigned k = 0; k < s->clauses.items[i]->probe_count; k++)
			if (s->clauses.items[i]->probes[k] == p)
				return true;
	return false;
}

/* Of C, one of the first WRITTEN: all probes that DESC means. */
static void add_described(struct sema *s, const struct tclause *c, size_t written,
			  const struct probe_desc *desc)
{
	probe_vector probes = { 0 };
	auto_error struct error *err = probe_db_match_whole(s->probes, desc, &probes);
	if (err)
		diagnose(s->diagnostics, c->range, error_tag_of(err),
			 "cannot determine the saved values of %s: %s", desc->provider,
			 error_text(err));
	for (size_t i = 0; i < probes.count; i++)
		if (string_equal(probes.items[i]->provider, c->probes[0]->provider))
			add_state_clauses(s, c, probes.items[i],
					  is_enabled(s, written, probes.items[i]), true);
	vector_free(&probes);
}

/* Of the provider of C, one of the first WRITTEN; of every process, in the files that they mean. */
static void add_provider(struct sema *s, const struct tclause *c, size_t written)
{
	const struct probe_desc desc = { c->probes[0]->provider, "", "", "" };
	if (!is_of_every_process(s, c)) {
		add_described(s, c, written, &desc);
		return;
	}
	for (size_t i = 0; i < written; i++) {
		const struct probe_desc *d = &s->clauses.items[i]->desc;
		const struct probe_desc all = { d->provider, d->module, "", "" };
		if (string_equal(d->provider, c->desc.provider))
			add_described(s, c, written, &all);
	}
}

/* Is P among DONE, or, if what its provider has is SHARED, another probe of that? */
static bool is_done(const probe_vector *done, const struct probe *p, bool shared)
{
	for (size_t i = 0; i < done->count; i++)
		if (shared ? string_equal(done->items[i]->provider, p->provider)
			   : done->items[i] == p)
			return true;
	return false;
}

void formulas_end(struct sema *s)
{
	probe_vector done = { 0 };
	size_t written = s->clauses.count;
	for (size_t i = 0; i < written; i++) {
		const struct tclause *c = s->clauses.items[i];
		for (unsigned k = 0; c->source && has_state(c->source) && k < c->probe_count; k++) {
			const struct probe *p = c->probes[k];
			bool shared = uses_shared(s, written, p->provider);
			if (is_done(&done, p, shared))
				continue;
			vector_push(&done, p);
			if (shared)
				add_provider(s, c, written);
			else
				add_state_clauses(s, c, p, true, false);
		}
	}
	vector_free(&done);
}

void formulas_begin(struct sema *s)
{
	while (s->clauses.count && s->clauses.items[s->clauses.count - 1]->is_made)
		s->clauses.count--;
}
