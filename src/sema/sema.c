/* SPDX-License-Identifier: BSD-2-Clause */
/* sema - the life of a compilation, programs */
#include "sema/sema.h"

#include "sema/declare.h"
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
