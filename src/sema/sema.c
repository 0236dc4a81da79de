/* SPDX-License-Identifier: BSD-2-Clause */
/* sema - the life of a compilation, programs */
#include "sema/sema.h"

#include "sema/declare/declare.h"
#include "sema/sema_internal.h"

static void item_check(struct sema *s, const struct node *n)
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
		declaration_check(s, n->declaration, n->range);
		break;
	case NODE_INLINE:
		inline_define(s, n->inline_, n->range);
		break;
	case NODE_TRANSLATOR:
		if (n->translator->pattern)
			text_rule_define(s, n->translator, n->range);
		else
			translator_define(s, n->translator, n->range);
		break;
	case NODE_FORMULA: /* its probes are in the database */
		break;
	default:
		provider_declare(s, n->provider, n->range);
	}
}

struct sema *sema_new(struct arena *a, struct types *types, struct probe_db *probes,
		      const struct sema_env *env)
{
	struct sema *s = mem_zalloc(sizeof(*s));
	s->arena = a;
	s->types = types;
	s->probes = probes;
	s->env = env;
	s->item_check = item_check;
	s->variable_of_clause = clause_variable;
	s->formula_names = &formula_names;
	s->text_of_struct = text_rule_apply;
	s->entry_value = entry_check;
	s->register_of_entry = entry_register;
	s->argument_is_read = entry_registers_note;
	for (unsigned i = 0; i < DECLARERS; i++)
		declared_names_init(&s->names[i]);
	s->aggregation_names = hash_new();
	s->prototypes_of_headers = hash_new();
	s->providers = hash_new();
	s->formulas_checked = hash_new();
	s->provider_attributes = hash_new();
	s->units = hash_new();
	s->declarations = hash_new();
	return s;
}

void sema_free(struct sema *s)
{
	if (!s)
		return;
	units_free(s);
	for (unsigned i = 0; i < DECLARERS; i++)
		declared_names_deinit(&s->names[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(s->variables); i++)
		vector_free(&s->variables[i]);
	vector_free(&s->aggregations);
	vector_free(&s->pairs);
	vector_free(&s->time_formats);
	vector_free(&s->clauses);
	hash_free(s->aggregation_names);
	hash_free(s->prototypes_of_headers);
	hash_free(s->providers);
	hash_free(s->formulas_checked);
	hash_free(s->provider_attributes);
	free(s);
}

bool sema_is_type(struct sema *s, const char *name)
{
	const char *tick = strrchr(name, '`'), *module;
	auto_free char *scope = tick ? mem_strndup(name, (size_t)(tick - name)) : NULL;
	int pid;
	/* In probes of every process it depends on their file. */
	if (scope && types_scope_of_process(scope, &pid, &module) && !pid)
		return true;
	if (tick)
		return types_find(s->types, name) != NULL;
	for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++) {
		enum library_kind kind = library_kind(s, who, name);
		if (kind == LIBRARY_TYPE || types_declared_typedef(s->types, who, name))
			return true;
		if (kind == LIBRARY_VALUE || name_is_declared(s, who, name))
			return false;
	}
	return !name_is_built_in(name_taken(s, name)) && types_is_typedef(s->types, name);
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
	p->pairs = s->pairs.items;
	p->pair_count = (unsigned)s->pairs.count;
	p->aggregations = s->aggregations.items;
	p->aggregation_count = (unsigned)s->aggregations.count;
	return p;
}

static bool item_is_definition(const struct program_node *program, const struct node *n)
{
	return n->kind != NODE_CLAUSE && !item_is_broken(program, n);
}

static const struct node *last_definition(const struct program_node *program)
{
	const struct node *ret = NULL;
	for (const struct node *n = program->items; n; n = n->next)
		if (item_is_definition(program, n))
			ret = n;
	return ret;
}

/* The definitions from FIRST on. */
static void definitions_check(struct sema *s, const struct program_node *program,
			      const struct node *first)
{
	for (const struct node *n = first; n; n = n->next)
		if (item_is_definition(program, n))
			item_check(s, n);
}

/* A clause that reads an unknown name is checked again when all definitions are made. */
static void items_check(struct sema *s, const struct program_node *program)
{
	const struct node *last = last_definition(program);
	bool has_later = last; /* a definition comes after N */
	bool defined = false;  /* what comes after N */
	for (const struct node *n = program->items; n; n = n->next) {
		has_later &= n != last;
		if (item_is_broken(program, n) || (defined && n->kind != NODE_CLAUSE))
			continue;
		bool is_clause = n->kind == NODE_CLAUSE && n->range.source->kind != SOURCE_LIBRARY;
		bool wait = is_clause && !defined && has_later;
		s->definitions_wait = wait;
		if (wait && clause_check_known(s, n->clause))
			continue;
		s->definitions_wait = false;
		if (wait)
			definitions_check(s, program, n->next);
		defined |= wait;
		item_check(s, n);
	}
}

void sema_program(struct sema *s, const struct program_node *program, struct diagnostics *d)
{
	size_t before = d->list.count;
	s->diagnostics = d;
	types_set_string_size(s->types, s->env->string_size);
	s->program = program;
	s->clauses_sought = 0;
	pragmas_begin(s, program);
	formulas_begin(s);
	items_check(s, program);
	formulas_end(s);
	entries_end(s);
	pragmas_end(s, program);
	forget_consequences(program, d, before);
	s->program = NULL;
	s->diagnostics = NULL;
}

void sema_library(struct sema *s, const struct program_node *program, struct diagnostics *d)
{
	const struct program_node *wanting = s->program;
	struct diagnostics *diagnostics = s->diagnostics;
	enum declarer before = types_speak_for(s->types, source_declarer(program->source));
	s->diagnostics = d;
	s->program = program;
	pragmas_begin(s, program);
	for (const struct node *n = program->items; n; n = n->next)
		item_check(s, n);
	pragmas_end(s, program);
	types_speak_for(s->types, before);
	s->diagnostics = diagnostics;
	s->program = wanting;
}
