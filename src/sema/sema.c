/* SPDX-License-Identifier: BSD-2-Clause */
/* sema - programs, clauses, statements */
#include "sema/sema.h"

#include "sema/sema_internal.h"

struct sema *sema_new(struct arena *a, struct types *types, struct probe_db *probes,
		      const struct sema_env *env)
{
	struct sema *s = mem_zalloc(sizeof(*s));
	s->arena = a;
	s->types = types;
	s->probes = probes;
	s->env = env;
	for (unsigned i = 0; i < ARRAY_SIZE(s->variable_names); i++)
		s->variable_names[i] = hash_new();
	s->aggregation_names = hash_new();
	s->inlines = hash_new();
	s->externs = hash_new();
	s->prototypes_of_headers = hash_new();
	s->notes = hash_new();
	s->providers = hash_new();
	s->provider_attributes = hash_new();
	return s;
}

void sema_free(struct sema *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < ARRAY_SIZE(s->variable_names); i++) {
		hash_free(s->variable_names[i]);
		vector_free(&s->variables[i]);
	}
	vector_free(&s->aggregations);
	vector_free(&s->clauses);
	hash_free(s->aggregation_names);
	hash_free(s->inlines);
	hash_free(s->externs);
	hash_free(s->prototypes_of_headers);
	hash_free(s->notes);
	hash_free(s->providers);
	hash_free(s->provider_attributes);
	free(s);
}

bool sema_is_type(struct sema *s, const char *name)
{
	if (strchr(name, '`'))
		return types_find(s->types, name) != NULL;
	enum library_kind kind = library_kind(s, name);
	if (kind == LIBRARY_TYPE)
		return true;
	if (kind == LIBRARY_VALUE || name_find(s, name).kind != NAME_UNKNOWN)
		return false;
	return types_is_typedef(s->types, name);
}

struct typed_program *sema_result(struct sema *s)
{
	struct typed_program *p = &s->result;
	p->clauses = s->clauses.items;
	p->clause_count = (unsigned)s->clauses.count;
	for (unsigned i = 0; i < ARRAY_SIZE(s->variables); i++) {
		p->variables[i] = s->variables[i].items;
		p->variable_count[i] = (unsigned)s->variables[i].count;
	}
	p->aggregations = s->aggregations.items;
	p->aggregation_count = (unsigned)s->aggregations.count;
	return p;
}

/* --- statements --- */

struct tstmt *tstmt_new(struct sema *s, enum tstmt_kind kind, struct range range)
{
	struct tstmt *t = ARENA_NEW(s->arena, struct tstmt);
	t->kind = kind;
	t->range = range;
	return t;
}

static struct tstmt *statements_check(struct sema *s, const struct node *list);

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
	if (action_is_call(n))
		return version_check_call(s, n) ? action_check(s, n) : NULL;
	if (n->kind == NODE_ASSIGN && n->assign.left->kind == NODE_AGGREGATION)
		return aggregate_check(s, n);
	if (n->kind == NODE_AGGREGATION) {
		diagnose(s->diagnostics, n->range, D_AGG_NULL,
			 "@%s alone is no statement: assign an aggregating function to it",
			 n->aggregation.name);
		return NULL;
	}
	struct texpr *e = expression_plain(s, expression_any(s, n), D_CG_DYN);
	e = expression_operand(s, e);
	if (texpr_is_poison(e))
		return NULL;
	struct tstmt *t = tstmt_new(s, TSTMT_EXPRESSION, n->range);
	t->expr = object_unwanted(e);
	return t;
}

static struct tstmt *statements_check(struct sema *s, const struct node *list)
{
	struct tstmt *first = NULL, **end = &first;
	for (; list; list = list->next) {
		struct tstmt *t = list->kind == NODE_IF
					  ? if_check(s, list)
					  : expression_statement(s, list->statement.expr);
		if (!t)
			continue;
		*end = t;
		end = &t->next;
	}
	return first;
}

/* --- clauses --- */

/* What a failed attempt leaves behind, to be undone before the next. */
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

/* Forget variables from FIRST on, but for those of a library, which are fetched only once. */
static void forget_variables(struct sema *s, enum scope scope, size_t first)
{
	variable_vector *list = &s->variables[scope];
	size_t kept = first;
	for (size_t i = first; i < list->count; i++) {
		struct variable *v = list->items[i];
		if (!v->declared) {
			hash_put_string(s->variable_names[scope], v->name, NULL);
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
		if (t->kind != TSTMT_IF)
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

static void check_predicate(struct sema *s, struct tclause *c)
{
	if (!c->node->predicate)
		return;
	if (c->range.source->kind == SOURCE_SPECIFIER)
		s->diagnostics->where = "in predicate";
	c->predicate = expression_condition(s, c->node->predicate, D_PRED_SCALAR);
	s->diagnostics->where = NULL;
}

/*
 * Actions first, so that a predicate may read what they create; the other way
 * round when they read what the predicate creates.
 */
static void check_contents(struct sema *s, struct tclause *c)
{
	struct checkpoint begin = checkpoint_of(s);
	stability_begin(s);
	check_body(s, c);
	if (c->node->predicate && found_undefined(s, begin.diagnostics)) {
		roll_back(s, &begin);
		stability_begin(s);
		check_predicate(s, c);
		check_body(s, c);
	} else {
		check_predicate(s, c);
	}
}

static void check_clause(struct sema *s, struct tclause *c)
{
	s->clause = c;
	s->budget = EXPRESSION_BUDGET;
	s->out_of_budget = false;
	stability_use_probes(s, c);
	check_contents(s, c);
	c->attributes = s->attributes;
	s->clause = NULL;
	c->default_action = !c->node->body || (c->body && speculation_is_all(c->body));
}

/* --- probes --- */

static const char *desc_text(struct sema *s, const struct probe_desc *d)
{
	return arena_printf(s->arena, "%s:%s:%s:%s", d->provider, d->module, d->function, d->name);
}

/* Was N written with $target, where there is none? */
static bool lacks_target(const struct sema *s, const struct pdesc_node *n)
{
	static const char target[] = "$target";
	size_t len = n->range.end - n->range.begin;
	return !s->env->target && n->range.end <= n->range.source->len &&
	       memmem(n->range.source->text + n->range.begin, len, target, sizeof(target) - 1);
}

/* Is ERR no more than the reason why there is no such probe?  -Z and -l live with that. */
static bool means_nothing(const struct error *err)
{
	int tag = error_tag_of(err);
	return tag == D_PDESC_ZERO || tag == D_PROC_FUNC || tag == D_PROC_LIB;
}

static void desc_refused(struct sema *s, const struct pdesc_node *n, const struct error *err)
{
	int tag = error_tag_of(err);
	diagnose(s->diagnostics, n->range,
		 tag == D_UNKNOWN ? D_PDESC_ZERO : (enum diagnostic_tag)tag, "%s%s",
		 error_text(err),
		 lacks_target(s, n) ? ": $target is set by -c COMMAND or -p PID" : "");
}

/* What may be wrong with DESC, which matches nothing; "": no idea.  The caller frees it. */
static char *why_unmatched(struct sema *s, const struct probe_desc *desc)
{
	auto_free char *meant = probe_db_suggest(s->probes, desc);
	const char *of_process = probe_db_without_pid(s->probes, desc->provider);
	if (meant)
		return mem_printf(" (did you mean %s?)", meant);
	if (of_process)
		return mem_printf(" (\"%s\" is no process id: provider %s is that of one process, "
				  "as in %s1234 or %s$target)",
				  desc->provider + strlen(of_process), of_process, of_process,
				  of_process);
	if (probe_db_is_announced(s->probes, desc->provider))
		return mem_printf(" (provider %s is not yet supported)", desc->provider);
	if (probe_db_lacks_provider(s->probes, desc->provider))
		return mem_printf(" (there is no provider %s: dtrace -l lists what there is)",
				  desc->provider);
	return mem_strdup("");
}

static void desc_unmatched(struct sema *s, const struct pdesc_node *n,
			   const struct probe_desc *desc)
{
	auto_free char *why = why_unmatched(s, desc);
	diagnose(s->diagnostics, n->range, D_PDESC_ZERO,
		 "probe description %s does not match any probes%s", desc_text(s, desc), why);
}

static bool find_by_desc(struct sema *s, const struct pdesc_node *n, struct probe_desc *desc,
			 probe_vector *ret)
{
	*desc = (struct probe_desc) { n->provider, n->module, n->function, n->name };
	auto_error struct error *err = probe_db_match(s->probes, desc, ret);
	if (err) {
		if (s->env->zdefs && means_nothing(err))
			return true;
		desc_refused(s, n, err);
		return false;
	}
	if (ret->count || s->env->zdefs)
		return true;
	desc_unmatched(s, n, desc);
	return false;
}

/* Ids are those of -l, which lists all probes that need not be asked for. */
static const struct probe *probe_by_id(struct sema *s, uint32_t id)
{
	const struct probe *p = probe_db_get(s->probes, id);
	if (!p && !s->discovered_all) {
		s->discovered_all = true;
		error_free(probe_db_discover_all(s->probes));
		p = probe_db_get(s->probes, id);
	}
	return p;
}

static bool find_by_id(struct sema *s, const struct pdesc_node *n, struct probe_desc *desc,
		       probe_vector *ret)
{
	*desc = (struct probe_desc) { "", "", "", "" };
	for (uint64_t id = n->first_id; id <= n->last_id; id++) {
		const struct probe *p = probe_by_id(s, (uint32_t)id);
		if (!p) {
			diagnose(s->diagnostics, n->range, D_PDESC_INVAL,
				 "invalid probe identifier %llu: Unknown probe identifier",
				 (unsigned long long)id);
			return false;
		}
		vector_push(ret, p);
	}
	if (ret->count == 1)
		*desc = (struct probe_desc) { ret->items[0]->provider, ret->items[0]->module,
					      ret->items[0]->function, ret->items[0]->name };
	return true;
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

/*
 * One whose probes were not found is checked, too: its mistakes are told in the same run, and what
 * it defines may be used by others.
 */
static void enabling_check(struct sema *s, const struct clause_node *node,
			   const struct pdesc_node *n)
{
	probe_vector probes = { 0 };
	struct probe_desc desc;
	bool found =
		n->by_id ? find_by_id(s, n, &desc, &probes) : find_by_desc(s, n, &desc, &probes);
	struct tclause *c = clause_new(s, node, n, &probes);
	c->desc = desc;
	if (!c->probe_count)
		provider_describe(s, c);
	size_t mistakes = s->diagnostics->list.count;
	check_clause(s, c);
	if (found)
		vector_push(&s->clauses, c);
	else
		forget_untyped_arguments(s->diagnostics, mistakes);
	vector_free(&probes);
}

/* The same mistakes need not be told for each description: the first that has some is enough. */
static void clause_check(struct sema *s, const struct clause_node *node)
{
	size_t before = s->diagnostics->list.count;
	for (const struct pdesc_node *n = node->pdescs; n; n = n->next) {
		if (s->diagnostics->list.count > before)
			return;
		enabling_check(s, node, n);
	}
}

/* A library's clause: its mistakes count, and of the rest nothing stays. */
static void clause_try(struct sema *s, const struct clause_node *node)
{
	struct checkpoint begin = checkpoint_of(s);
	struct typed_program result = s->result;
	size_t clauses = s->clauses.count;
	s->hidden++;
	clause_check(s, node);
	s->hidden--;
	begin.diagnostics = s->diagnostics->list.count;
	roll_back(s, &begin);
	s->clauses.count = clauses;
	s->result = result;
}

/* --- programs --- */

void item_check(struct sema *s, const struct node *n)
{
	s->budget = EXPRESSION_BUDGET;
	s->out_of_budget = false;
	switch (n->kind) {
	case NODE_CLAUSE:
		if (n->range.source->kind == SOURCE_LIBRARY)
			clause_try(s, n->clause);
		else
			clause_check(s, n->clause);
		break;
	case NODE_DECLARATION:
		declare(s, n->declaration, n->range);
		break;
	case NODE_INLINE:
		inline_define(s, n->inline_, n->range);
		break;
	case NODE_TRANSLATOR:
		translator_define(s, n->translator, n->range);
		break;
	default:
		provider_declare(s, n->provider, n->range);
	}
}

void sema_program(struct sema *s, const struct program_node *program, struct diagnostics *d)
{
	size_t before = d->list.count;
	s->diagnostics = d;
	types_set_string_size(s->types, s->env->string_size);
	s->program = program;
	pragmas_begin(s, program);
	for (const struct node *n = program->items; n; n = n->next)
		if (!item_is_broken(program, n))
			item_check(s, n);
	pragmas_end(s, program);
	forget_consequences(program, d, before);
	s->program = NULL;
	s->diagnostics = NULL;
}
