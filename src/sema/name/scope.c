/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scope - what a clause may name: variables, arguments, values of the thread
 *
 * Declarations and expressions use this file.  Of them it uses only what makes texprs (fold.c).
 */
#include "sema/sema_internal.h"
#include "syntax/formula.h"

void declared_names_init(struct declared_names *n)
{
	for (unsigned i = 0; i < ARRAY_SIZE(n->variables); i++)
		n->variables[i] = hash_new();
	n->inlines = hash_new();
	n->externs = hash_new();
	n->notes = hash_new();
}

void declared_names_deinit(struct declared_names *n)
{
	for (unsigned i = 0; i < ARRAY_SIZE(n->variables); i++)
		hash_free(n->variables[i]);
	hash_free(n->inlines);
	hash_free(n->externs);
	hash_free(n->notes);
}

/* --- variables -------------------------------------------------------------------------------- */

struct variable *variable_declared(struct sema *s, enum declarer who, enum scope scope,
				   const char *name)
{
	return hash_get_string(s->names[who].variables[scope], name);
}

struct variable *variable_find(struct sema *s, enum scope scope, const char *name)
{
	for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++) {
		struct variable *v = variable_declared(s, who, scope, name);
		if (!v && library_want_value(s, who, variable_text(s, scope, name)))
			v = variable_declared(s, who, scope, name);
		if (v)
			return v;
	}
	return NULL;
}

const char *variable_text(struct sema *s, enum scope scope, const char *name)
{
	static const char *const prefixes[] = { "", "self->", "this->" };
	return arena_printf(s->arena, "%s%s", prefixes[scope], name);
}

struct variable *variable_new(struct sema *s, enum scope scope, const char *name,
			      const struct type *type, struct range range)
{
	if (s->variables[scope].count >= VARIABLES_MAX) {
		diagnose(s->diagnostics, range, D_ID_OFLOW, "there are too many variables");
		return NULL;
	}
	struct variable *v = ARENA_NEW(s->arena, struct variable);
	v->name = arena_strdup(s->arena, name);
	v->scope = scope;
	v->declarer = speaker(s);
	v->type = type_resolve(type);
	v->declared_type = type;
	v->index = (unsigned)s->variables[scope].count;
	vector_push(&s->variables[scope], v);
	hash_put_string(s->names[v->declarer].variables[scope], name, v);
	return v;
}

struct variable *variable_keep(struct sema *s, struct variable *v)
{
	v->index = (unsigned)s->variables[v->scope].count;
	v->is_kept = true;
	vector_push(&s->variables[v->scope], v);
	hash_put_string(s->names[v->declarer].variables[v->scope], v->name, v);
	return v;
}

struct texpr *variable_hidden(struct sema *s, const struct type *type, struct range range)
{
	const char *name = arena_printf(s->arena, "[%zu]", s->variables[SCOPE_THIS].count);
	struct variable *v = variable_new(s, SCOPE_THIS, name, type, range);
	return v ? variable_check(s, v, range) : texpr_poison(s, range);
}

bool variable_use(struct sema *s, struct variable *v, struct range range)
{
	if (v->scope == SCOPE_SELF && formula_refuses(s, "a self variable", range))
		return false;
	v->used = true;
	if (s->clause && !v->user)
		v->user = s->clause->node;
	v->is_shared |= s->clause && v->user != s->clause->node;
	if (v->scope == SCOPE_GLOBAL)
		stability_use_defined(s, v->declarer, v->name, range);
	return true;
}

bool variable_may_retype(const struct sema *s, const struct variable *v, const struct type *type)
{
	return s->is_version && v->scope == SCOPE_THIS && !v->is_shared && !v->declared &&
	       v->type->kind == TYPE_POINTER && type->kind == TYPE_POINTER;
}

struct texpr *variable_check(struct sema *s, struct variable *v, struct range range)
{
	if (v->is_array)
		return mistake(s, range, D_IDENT_BADREF,
			       "%s is an associative array: it needs an index",
			       variable_text(s, v->scope, v->name));
	if (!variable_use(s, v, range))
		return texpr_poison(s, range);
	struct texpr *e = texpr_new(s, TEXPR_VARIABLE, v->type, range);
	e->variable = v;
	return e;
}

void files_differ(struct sema *s, const struct probe *one, const struct probe *other)
{
	s->differs_in_files |= s->clause &&
			       probe_db_of_every_process(s->probes, s->clause->desc.provider) &&
			       !probe_same_file(one, other);
}

/* --- arguments, and the thread ---------------------------------------------------------------- */

/* An argument that none of the clause's probes can read: why for the first one, else NULL. */
static const char *argument_problem(const struct tclause *c, unsigned index)
{
	const char *first = NULL;
	for (unsigned i = 0; c && i < c->probe_count; i++) {
		const struct probe *p = c->probes[i];
		bool has_reasons = p->unreadable && index < EVENT_ARGS;
		const char *why = has_reasons ? p->unreadable[index] : NULL;
		if (!why)
			return NULL;
		first = first ? first : why;
	}
	return first;
}

struct texpr *texpr_argument(struct sema *s, unsigned index, struct range range)
{
	const char *why = argument_problem(s->clause, index);
	if (why) {
		const struct probe *p = s->clause->probes[0];
		return mistake(s, range, D_ARGS_IDX,
			       "argument %u of probe %s:%s:%s:%s is not "
			       "readable: %s",
			       index, p->provider, p->module, p->function, p->name, why);
	}
	struct texpr *e = texpr_new(s, TEXPR_ARGUMENT, intrinsic(s, INTRINSIC_LONG), range);
	e->argument.index = index;
	if (s->clause) {
		s->clause->arguments_read |= 1u << index;
		s->argument_is_read(s, s->clause, index, range);
	}
	return e;
}

bool formula_is_of_task(const struct formula_source *source)
{
	return source && formula_has(source, FORMULA_TASK);
}

bool formula_is_of_another(const struct sema *s)
{
	return s->clause && !s->formula && formula_is_of_task(s->clause->source);
}

bool formula_refuses(struct sema *s, const char *what, struct range range)
{
	if (!formula_is_of_another(s))
		return false;
	const struct probe *p = s->clause->probes[0];
	diagnose(s->diagnostics, range, D_ARGS_NONE,
		 "%s is of the thread that runs, but %s:::%s is about another one here", what,
		 p->provider, p->name);
	return true;
}
