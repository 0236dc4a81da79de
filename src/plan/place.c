/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which clauses one executor must run together
 *
 * Two clauses move together if both use something that one of them changes, or are at the same
 * probe, whose clauses run in the order of the text and share `this`.  A use of it by one clause
 * that needs the other executor moves all that use it, and so on.
 *
 * Not shared: what only BEGIN assigns, as a copy does (its value is there before others fire); what
 * printa(), clear() and trunc() do to an aggregation, which the consumer does.  ERROR runs with the
 * clause that has the error, in both executors, unless it has variables.
 */
#include <stdlib.h>

#include "plan/plan_internal.h"

enum share {
	SHARE_GLOBAL,
	SHARE_SELF,
	SHARE_AGGREGATION,
	SHARE_PROBE,
	SHARE_SPECULATIONS,
	SHARE_ENTRY,
	SHARE_ERROR
};

struct use {
	enum share share;
	const void *what; /* a variable, an aggregation, a probe, a clause; else NULL */
	unsigned clause;
	bool changes;
};

struct placer {
	const struct typed_program *typed;
	VECTOR(struct use) uses;
	unsigned clause; /* is walked */
	bool at_begin;	 /* it is of BEGIN alone */
};

/* --- what a clause uses ----------------------------------------------------------------------- */

static void add_use(struct placer *p, enum share share, const void *what, bool changes)
{
	vector_push(&p->uses, ((struct use) { share, what, p->clause, changes }));
}

/* Addresses in a copy would be of the other executor's memory. */
static bool variable_may_be_copied(const struct variable *v)
{
	return !v->is_array && (type_is_integer(v->type) || type_is_string(v->type));
}

static void use_variable(struct placer *p, const struct variable *v, bool changes)
{
	if (v->scope == SCOPE_THIS)
		return;
	bool is_copied = p->at_begin && variable_may_be_copied(v);
	add_use(p, v->scope == SCOPE_GLOBAL ? SHARE_GLOBAL : SHARE_SELF, v, changes && !is_copied);
}

static const struct variable *variable_in(const struct texpr *e)
{
	while (e->kind == TEXPR_FIELD)
		e = e->field.base;
	if (e->kind == TEXPR_ELEMENT)
		return e->element.variable;
	return e->kind == TEXPR_VARIABLE ? e->variable : NULL;
}

static void use_expression(void *placer, const struct texpr *e)
{
	struct placer *p = placer;
	const struct variable *named = variable_in(e), *changed = NULL;
	if (e->kind == TEXPR_ASSIGN)
		changed = variable_in(e->assign.target);
	else if (e->kind == TEXPR_UPDATE)
		changed = variable_in(e->update.target);
	else if (e->kind == TEXPR_ADDRESS)
		changed = variable_in(e->operand);
	if (named)
		use_variable(p, named, false);
	if (changed)
		use_variable(p, changed, true);
	if (e->kind == TEXPR_CALL && e->call.function == SUBROUTINE_speculation)
		add_use(p, SHARE_SPECULATIONS, NULL, true);
	texpr_each_part(e, use_expression, p);
}

static void use_list(struct placer *p, const struct texpr *e)
{
	for (; e; e = e->next)
		use_expression(p, e);
}

static void use_statements(struct placer *p, const struct tstmt *s);

static void use_branches(struct placer *p, const struct tstmt *s)
{
	use_list(p, s->if_.condition);
	if (s->if_.array)
		use_variable(p, s->if_.array, true);
	if (s->if_.aggregation)
		add_use(p, SHARE_AGGREGATION, s->if_.aggregation, true);
	use_statements(p, s->if_.then);
	use_statements(p, s->if_.otherwise);
}

static void use_statements(struct placer *p, const struct tstmt *s)
{
	for (; s; s = s->next) {
		if (s->kind == TSTMT_EXPRESSION)
			use_list(p, s->expr);
		if (tstmt_has_branches(s))
			use_branches(p, s);
		if (s->kind == TSTMT_ACTION)
			use_list(p, s->action.args);
		if (s->kind == TSTMT_SPECULATION) {
			use_list(p, s->speculation.id);
			add_use(p, SHARE_SPECULATIONS, NULL, true);
		}
		if (s->kind != TSTMT_AGGREGATE)
			continue;
		add_use(p, SHARE_AGGREGATION, s->aggregate.aggregation, true);
		use_list(p, s->aggregate.keys);
		use_list(p, s->aggregate.value);
		use_list(p, s->aggregate.weight);
	}
}

/* Values that the clause AT saves, if C reads them, or is it. */
static void use_entries(struct placer *p, const struct tclause *c)
{
	for (const struct entry_value *e = c->entries; e; e = e->next)
		add_use(p, SHARE_ENTRY, e->at, true);
	if (c->saves)
		add_use(p, SHARE_ENTRY, c, true);
}

static bool is_of_begin_alone(const struct tclause *c)
{
	for (unsigned i = 0; i < c->probe_count; i++)
		for (const struct probe_event *e = c->probes[i]->events; e; e = e->next)
			if (e->event.kind != EVENT_BEGIN)
				return false;
	return c->probe_count;
}

/* An ERROR clause with variables, or which the first executor cannot run, is shared by all. */
static void use_error(struct placer *p, size_t first, bool moves)
{
	bool is_shared = moves;
	for (size_t i = first; i < p->uses.count; i++)
		is_shared |= p->uses.items[i].share != SHARE_AGGREGATION;
	p->uses.count = first;
	for (p->clause = 0; is_shared && p->clause < p->typed->clause_count; p->clause++)
		add_use(p, SHARE_ERROR, NULL, true);
}

static void use_clause(struct placer *p, const struct tclause *c, bool moves)
{
	size_t first = p->uses.count;
	p->clause = c->index;
	p->at_begin = is_of_begin_alone(c);
	use_list(p, c->predicate);
	use_statements(p, c->body);
	use_entries(p, c);
	if (is_error_clause(c)) {
		use_error(p, first, moves);
		return;
	}
	for (unsigned i = 0; i < c->probe_count; i++)
		add_use(p, SHARE_PROBE, c->probes[i], true);
}

/* --- who moves -------------------------------------------------------------------------------- */

static int by_what(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	if (x->share != y->share)
		return x->share < y->share ? -1 : 1;
	if (x->what != y->what)
		return (uintptr_t)x->what < (uintptr_t)y->what ? -1 : 1;
	return x->clause < y->clause ? -1 : x->clause > y->clause;
}

static const char *share_words(struct arena *a, const struct use *u)
{
	switch (u->share) {
	case SHARE_GLOBAL:
	case SHARE_SELF: {
		const struct variable *v = u->what;
		return v->of_call ? "a value of the entry"
				  : arena_printf(a, "%s%s", u->share == SHARE_SELF ? "self->" : "",
						 v->name);
	}
	case SHARE_AGGREGATION: {
		const char *name = ((const struct aggregation *)u->what)->name;
		return arena_printf(a, "@%s", string_equal(name, "_") ? "" : name);
	}
	case SHARE_PROBE:
		return "a probe";
	case SHARE_SPECULATIONS:
		return "speculations";
	case SHARE_ENTRY:
		return "a value of the entry";
	case SHARE_ERROR:
		return "the clause of ERROR";
	}
	return "";
}

/* The COUNT uses U of one thing: if one of their clauses moves, all do.  True: some that did not.
 */
static bool move_users(struct arena *a, const struct use *u, size_t count, struct clause_place *ret)
{
	const struct use *mover = NULL;
	bool changes = false, any = false;
	for (size_t i = 0; i < count; i++) {
		changes |= u[i].changes;
		if (!mover && ret[u[i].clause].moves)
			mover = &u[i];
	}
	for (size_t i = 0; i < count && mover && changes; i++) {
		struct clause_place *place = &ret[u[i].clause];
		any |= !place->moves;
		if (!place->moves)
			*place = (struct clause_place) { true, mover->clause, share_words(a, u) };
	}
	return any;
}

static bool move_all(struct arena *a, const struct placer *p, struct clause_place *ret)
{
	const struct use *uses = p->uses.items;
	bool any = false;
	for (size_t begin = 0, end; begin < p->uses.count; begin = end) {
		for (end = begin + 1; end < p->uses.count && uses[end].share == uses[begin].share &&
				      uses[end].what == uses[begin].what;)
			end++;
		any |= move_users(a, &uses[begin], end - begin, ret);
	}
	return any;
}

struct clause_place *plan_places(struct arena *a, const struct typed_program *t, const bool *needs)
{
	struct placer p = { .typed = t };
	struct clause_place *ret = arena_alloc(a, (t->clause_count + 1) * sizeof(*ret));
	for (unsigned i = 0; i < t->clause_count; i++) {
		ret[i] = (struct clause_place) { .moves = needs[i], .because = i };
		use_clause(&p, t->clauses[i], needs[i]);
	}
	if (p.uses.count)
		qsort(p.uses.items, p.uses.count, sizeof(*p.uses.items), by_what);
	while (move_all(a, &p, ret))
		;
	vector_free(&p.uses);
	return ret;
}

uint32_t plan_copy_size(const struct plan *p, const struct variable *v)
{
	bool is_copied =
		v->used && variable_may_be_copied(v) && plan_variable(p, v)->home == HOME_BLOCK;
	return is_copied ? plan_variable_size(p, v) : 0;
}
