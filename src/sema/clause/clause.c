/* SPDX-License-Identifier: BSD-2-Clause */
/* clause - predicates, bodies and their statements, once for each probe description */
#include "sema/clause/action.h"

/* --- statements --- */

static struct tstmt *if_check(struct sema *s, const struct node *n)
{
	struct tstmt *t = tstmt_new(s, TSTMT_IF, n->range);
	t->if_.condition = expression_condition(s, n->if_.condition, D_OP_SCALAR);
	/* The order of statements is that of the text, whichever branch they are in. */
	t->if_.then = statements_check(s, n->if_.then);
	t->if_.otherwise = statements_check(s, n->if_.otherwise);
	return t;
}

static struct tstmt *expression_statement(struct sema *s, const struct node *n)
{
	n = conditional_statement(s, n);
	if (!n)
		return NULL;
	if (action_is_call(n))
		return version_check_call(s, n) ? action_check(s, n) : NULL;
	if (n->kind == NODE_ASSIGN && n->assign.left->kind == NODE_AGGREGATION)
		return aggregate_check(s, n);
	if (n->kind == NODE_AGGREGATION) {
		diagnose(s->diagnostics, n->range, D_AGG_NULL,
			 "@%s alone is not a statement: assign an aggregating function to it",
			 n->aggregation.name);
		return NULL;
	}
	struct texpr *e = expression_plain(s, expression_any(s, n), D_CG_DYN);
	e = expression_statement_value(s, e);
	if (texpr_is_poison(e))
		return NULL;
	struct tstmt *t = tstmt_new(s, TSTMT_EXPRESSION, n->range);
	t->expr = object_unwanted(e);
	return t;
}

static struct tstmt *statement_check(struct sema *s, const struct node *n,
				     const struct tstmt *before)
{
	switch (n->kind) {
	case NODE_IF:
		return if_check(s, n);
	case NODE_LOOP:
		return loop_check(s, n, before);
	case NODE_FOREACH:
		return foreach_check(s, n);
	case NODE_BREAK:
	case NODE_CONTINUE:
		return loop_leave_check(s, n);
	default:
		return expression_statement(s, n->statement.expr);
	}
}

struct tstmt *statements_check(struct sema *s, const struct node *list)
{
	struct tstmt *first = NULL, **end = &first, *before = NULL;
	for (; list; list = list->next) {
		struct tstmt *t = statement_check(s, list, before);
		before = t;
		if (!t)
			continue;
		*end = t;
		end = &t->next;
	}
	return first;
}

/* --- clauses --- */

/* The state before an attempt, to be restored if the attempt fails. */
struct checkpoint {
	size_t diagnostics, variables[3], aggregations;
};

static struct checkpoint checkpoint_of(const struct sema *s)
{
	struct checkpoint c = { s->diagnostics->list.count, { 0 }, s->aggregations.count };
	for (unsigned i = 0; i < ARRAY_SIZE(c.variables); i++)
		c.variables[i] = s->variables[i].count;
	return c;
}

/*
 * Remove variables from FIRST on, except those of a library, which are fetched only once, and those
 * whose assignments come later.
 */
static void forget_variables(struct sema *s, enum scope scope, size_t first)
{
	variable_vector *list = &s->variables[scope];
	size_t kept = first;
	for (size_t i = first; i < list->count; i++) {
		struct variable *v = list->items[i];
		if (!v->declared && !v->is_kept) {
			hash_put_string(s->names[v->declarer].variables[scope], v->name, NULL);
			continue;
		}
		v->index = (unsigned)kept;
		list->items[kept++] = v;
	}
	list->count = kept;
}

static void roll_back(struct sema *s, const struct checkpoint *c)
{
	while (s->diagnostics->list.count > c->diagnostics)
		free(s->diagnostics->list.items[--s->diagnostics->list.count].text);
	for (unsigned i = 0; i < ARRAY_SIZE(c->variables); i++)
		forget_variables(s, (enum scope)i, c->variables[i]);
	while (s->aggregations.count > c->aggregations) {
		const struct aggregation *a = s->aggregations.items[--s->aggregations.count];
		hash_put_string(s->aggregation_names, a->name, NULL);
	}
}

static bool found_undefined(const struct sema *s, size_t since)
{
	for (size_t i = since; i < s->diagnostics->list.count; i++) {
		enum diagnostic_tag tag = s->diagnostics->list.items[i].tag;
		if (tag == D_IDENT_UNDEF || tag == D_VAR_UNDEF)
			return true;
	}
	return false;
}

/* The number of the last one, when N stood before LIST. */
static unsigned number_statements(struct tstmt *list, unsigned n)
{
	for (struct tstmt *t = list; t; t = t->next) {
		t->number = ++n;
		if (!tstmt_has_branches(t))
			continue;
		n = number_statements(t->if_.then, n);
		n = number_statements(t->if_.otherwise, n);
	}
	return n;
}

static void check_body(struct sema *s, struct tclause *c)
{
	if (c->range.source->kind == SOURCE_SPECIFIER)
		s->diagnostics->where = "in action list";
	s->done = 0;
	c->body = statements_check(s, c->node->body);
	number_statements(c->body, 0);
	s->diagnostics->where = NULL;
}

/* The condition of a formula comes before the predicate. */
static void check_predicate(struct sema *s, struct tclause *c)
{
	c->predicate = c->source ? formula_condition(s, c->source) : NULL;
	c->predicate = conditional_and(s, c->predicate, formula_task_test(s));
	if (!c->node->predicate)
		return;
	if (c->range.source->kind == SOURCE_SPECIFIER)
		s->diagnostics->where = "in predicate";
	struct texpr *own = expression_condition(s, c->node->predicate, D_PRED_SCALAR);
	c->predicate = conditional_and(s, c->predicate, own);
	s->diagnostics->where = NULL;
}

/*
 * Actions first, so that a predicate may read their variables; the other way round if they read
 * variables that the predicate creates.
 */
static void check_contents(struct sema *s, struct tclause *c)
{
	struct checkpoint begin = checkpoint_of(s);
	struct entry_value *known = c->entries;
	stability_begin(s);
	s->entries_read = 0;
	check_body(s, c);
	if (c->node->predicate && found_undefined(s, begin.diagnostics)) {
		roll_back(s, &begin);
		stability_begin(s);
		s->entries_read = 0;
		c->entries = known;
		check_predicate(s, c);
		check_body(s, c);
	} else {
		check_predicate(s, c);
	}
	entry_finish(s, c, known);
}

static void tclause_check(struct sema *s, struct tclause *c)
{
	s->clause = c;
	s->budget = EXPRESSION_BUDGET;
	s->out_of_budget = false;
	if (c->saves) {
		entry_check_saving(s, c);
		s->clause = NULL;
		return;
	}
	stability_use_probes(s, c);
	check_contents(s, c);
	c->attributes = s->attributes;
	s->clause = NULL;
	c->default_action = !c->node->body || (c->body && speculation_is_all(c->body));
}

static struct tclause *clause_new(struct sema *s, const struct clause_node *node,
				  const struct pdesc_node *desc, const probe_vector *probes)
{
	struct tclause *c = ARENA_NEW(s->arena, struct tclause);
	c->index = (unsigned)s->clauses.count;
	c->range = desc->range;
	c->node = node;
	c->probe_count = (unsigned)probes->count;
	c->probes = arena_alloc(s->arena, (probes->count + 1) * sizeof(*c->probes));
	if (probes->count)
		memcpy(c->probes, probes->items, probes->count * sizeof(*c->probes));
	return c;
}

/* Those of C's probes that UNIT declares; NULL: that no unit does. */
static void probes_of_unit(struct sema *s, const struct tclause *c, const struct probe_unit *unit,
			   probe_vector *ret)
{
	for (unsigned i = 0; i < c->probe_count; i++)
		if (unit_of_probe(s, c->probes[i]) == unit)
			vector_push(ret, c->probes[i]);
}

/* Has an earlier probe of C the same unit as the WHICH-th one? */
static bool is_repeated_unit(struct sema *s, const struct tclause *c, unsigned which)
{
	const struct probe_unit *unit = unit_of_probe(s, c->probes[which]);
	for (unsigned i = 0; i < which; i++)
		if (unit_of_probe(s, c->probes[i]) == unit)
			return true;
	return false;
}

/* One clause for the probes of each unit; all must agree on the types of args[]. */
static void check_for_units(struct sema *s, const struct tclause *c, const struct pdesc_node *n)
{
	struct tclause *first = NULL;
	size_t mistakes = s->diagnostics->list.count;
	for (unsigned i = 0; i < c->probe_count && s->diagnostics->list.count == mistakes; i++) {
		if (is_repeated_unit(s, c, i))
			continue;
		probe_vector probes = { 0 };
		probes_of_unit(s, c, unit_of_probe(s, c->probes[i]), &probes);
		struct tclause *one = clause_new(s, c->node, n, &probes);
		vector_free(&probes);
		one->desc = c->desc;
		tclause_check(s, one);
		one->reads_args = true; /* a constant condition of this unit may leave args[] out */
		if (!one->declaration)
			one->declaration = unit_declaration(s, one->probes[0]);
		vector_push(&s->clauses, one);
		if (first)
			unit_check_alike(s, first, one);
		first = first ? first : one;
	}
}

/* Has an earlier probe of C the same file as the WHICH-th one? */
static bool is_repeated_file(const struct tclause *c, unsigned which)
{
	for (unsigned i = 0; i < which; i++)
		if (probe_same_file(c->probes[i], c->probes[which]))
			return true;
	return false;
}

/* C, whose probes differ, with those of them that are of the WHICH-th one's file. */
static struct tclause *clause_of_file(struct sema *s, const struct tclause *c,
				      const struct pdesc_node *n, unsigned which)
{
	probe_vector probes = { 0 };
	for (unsigned i = 0; i < c->probe_count; i++)
		if (probe_same_file(c->probes[which], c->probes[i]))
			vector_push(&probes, c->probes[i]);
	struct tclause *one = clause_new(s, c->node, n, &probes);
	one->desc = c->desc;
	vector_free(&probes);
	return one;
}

/*
 * C for the first file for which it can be compiled: the others get versions of it (sema_version())
 * before tracing begins.  If there is no such file, the mistakes are those of the first.  BEGIN:
 * before C was checked.
 */
static struct tclause *check_for_files(struct sema *s, const struct tclause *c,
				       const struct pdesc_node *n, const struct checkpoint *begin)
{
	struct tclause *one = NULL;
	bool is_right = false;
	for (unsigned i = 0; i < c->probe_count && !is_right; i++) {
		if (is_repeated_file(c, i))
			continue;
		roll_back(s, begin);
		one = clause_of_file(s, c, n, i);
		tclause_check(s, one);
		is_right = s->diagnostics->list.count == begin->diagnostics;
	}
	if (!is_right) {
		roll_back(s, begin);
		one = clause_of_file(s, c, n, 0);
		tclause_check(s, one);
	}
	s->result.has_other_files = true;
	return one;
}

/* One for each source of the formula of P. */
static void clause_check_sources(struct sema *s, const struct clause_node *node,
				 const struct pdesc_node *n, const struct probe_desc *desc,
				 const struct probe *p)
{
	size_t mistakes = s->diagnostics->list.count;
	probe_vector alone = { 0 };
	vector_push(&alone, p);
	const struct formula_source *last = NULL;
	for (const struct probe_event *e = p->events; e; e = e->next) {
		if (e->source == last || !formula_fires(e->source) ||
		    s->diagnostics->list.count > mistakes)
			continue;
		struct tclause *c = clause_new(s, node, n, &alone);
		c->desc = *desc;
		c->source = e->source;
		c->is_of_task = formula_is_of_task(e->source);
		c->is_repeated = last != NULL;
		last = e->source;
		tclause_check(s, c);
		vector_push(&s->clauses, c);
	}
	vector_free(&alone);
}

static bool probe_is_of_formula(const struct probe *p)
{
	return p->events && p->events->source;
}

/* Clauses for those of PROBES that are made by formulas, which are removed from PROBES. */
static void clause_check_formulas(struct sema *s, const struct clause_node *node,
				  const struct pdesc_node *n, const struct probe_desc *desc,
				  probe_vector *probes)
{
	size_t mistakes = s->diagnostics->list.count, kept = 0;
	for (size_t i = 0; i < probes->count; i++) {
		if (!probe_is_of_formula(probes->items[i]))
			probes->items[kept++] = probes->items[i];
		else if (s->diagnostics->list.count == mistakes)
			clause_check_sources(s, node, n, desc, probes->items[i]);
	}
	probes->count = kept;
}

/*
 * A clause without matching probes is checked, too: its mistakes are reported in the same run, and
 * others may use the names that it defines.
 */
static void enabling_check(struct sema *s, const struct clause_node *node,
			   const struct pdesc_node *n)
{
	probe_vector probes = { 0 };
	struct probe_desc desc;
	bool found = description_find(s, n, &desc, &probes);
	bool had_some = probes.count;
	size_t before = s->diagnostics->list.count;
	clause_check_formulas(s, node, n, &desc, &probes);
	if ((had_some && !probes.count) || s->diagnostics->list.count > before) {
		vector_free(&probes);
		return;
	}
	struct tclause *c = clause_new(s, node, n, &probes);
	c->desc = desc;
	const struct provider_process *process =
		c->probe_count ? c->probes[0]->owner->process : NULL;
	if (!c->probe_count || (process && process->declared_args))
		provider_describe(s, c);
	struct checkpoint begin = checkpoint_of(s);
	size_t mistakes = s->diagnostics->list.count;
	s->differs_in_units = s->differs_in_files = false;
	tclause_check(s, c);
	if (s->differs_in_files && !s->differs_in_units)
		c = check_for_files(s, c, n, &begin);
	if (s->differs_in_units) {
		roll_back(s, &begin);
		check_for_units(s, c, n);
	} else if (found)
		vector_push(&s->clauses, c);
	else
		forget_untyped_arguments(s->diagnostics, mistakes);
	vector_free(&probes);
}

/* Forget the last mistake if one after the first BEFORE says the same. */
static void forget_repeated(struct diagnostics *d, size_t before)
{
	const char *last = d->list.items[d->list.count - 1].text;
	for (size_t i = before; i + 1 < d->list.count; i++)
		if (string_equal(d->list.items[i].text, last)) {
			free(d->list.items[--d->list.count].text);
			return;
		}
}

/* That N matches nothing is a mistake of its own. */
static void description_check(struct sema *s, const struct pdesc_node *n, size_t before)
{
	size_t count = s->diagnostics->list.count;
	probe_vector probes = { 0 };
	struct probe_desc desc;
	description_find(s, n, &desc, &probes);
	vector_free(&probes);
	if (s->diagnostics->list.count > count)
		forget_repeated(s->diagnostics, before);
}

/* The same mistakes need not be reported for each description: those of the first one suffice. */
void clause_check(struct sema *s, const struct clause_node *node)
{
	size_t before = s->diagnostics->list.count;
	for (const struct pdesc_node *n = node->pdescs; n; n = n->next)
		if (s->diagnostics->list.count > before)
			description_check(s, n, before);
		else
			enabling_check(s, node, n);
}

/* What clause_check() changes, is to be undone. */
static void clause_undo(struct sema *s, const struct checkpoint *begin, size_t clauses,
			const struct typed_program *result)
{
	roll_back(s, begin);
	s->clauses.count = clauses;
	s->result = *result;
}

bool clause_check_known(struct sema *s, const struct clause_node *node)
{
	struct checkpoint begin = checkpoint_of(s);
	struct typed_program result = s->result;
	size_t clauses = s->clauses.count;
	clause_check(s, node);
	bool known = !found_undefined(s, begin.diagnostics);
	if (!known)
		clause_undo(s, &begin, clauses, &result);
	return known;
}

void clause_try(struct sema *s, const struct clause_node *node)
{
	struct checkpoint begin = checkpoint_of(s);
	struct typed_program result = s->result;
	size_t clauses = s->clauses.count;
	s->hidden++;
	clause_check(s, node);
	s->hidden--;
	begin.diagnostics = s->diagnostics->list.count;
	clause_undo(s, &begin, clauses, &result);
}

struct variable *clause_variable(struct sema *s, const struct clause_node *node, enum scope scope,
				 const char *name)
{
	struct checkpoint begin = checkpoint_of(s);
	struct typed_program result = s->result;
	size_t clauses = s->clauses.count;
	clause_check(s, node);
	struct variable *v = variable_declared(s, speaker(s), scope, name);
	clause_undo(s, &begin, clauses, &result);
	return v;
}

/* --- versions --------------------------------------------------------------------------------- */

static bool has_grown(const struct sema *s, const struct checkpoint *since)
{
	bool grown = s->aggregations.count > since->aggregations;
	for (unsigned i = 0; i < ARRAY_SIZE(since->variables); i++)
		grown |= s->variables[i].count > since->variables[i];
	return grown;
}

bool clause_check_version(struct sema *s, struct tclause *version)
{
	struct checkpoint begin = checkpoint_of(s);
	tclause_check(s, version);
	bool grown = has_grown(s, &begin);
	begin.diagnostics = s->diagnostics->list.count;
	roll_back(s, &begin);
	return !grown;
}
