/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library - definitions that D libraries have in store
 *
 * Libraries are not compiled when tracing starts: whoever owns them (env) knows which
 * names they define.  When a program uses a name that it did not define itself, the one
 * definition is fetched, parsed and checked, in the middle of whatever was being checked;
 * so what that was is put aside meanwhile.
 */
#include "sema/sema_internal.h"

enum library_kind library_kind(const struct sema *s, const char *name)
{
	const struct sema_env *env = s->env;
	return env->library_find ? env->library_find(env->arg, name) : LIBRARY_NOTHING;
}

/* NAME, which a library has; false outside of a check (the parser's questions): it is not time. */
static bool define(struct sema *s, const char *name)
{
	if (!s->diagnostics)
		return false;
	struct tclause *clause = take(s->clause);
	const struct binding *bindings = take(s->bindings);
	unsigned done = s->done, budget = s->budget;
	bool out_of_budget = s->out_of_budget, in_header = s->in_header;
	struct attributes attributes = s->attributes;
	s->in_header = false;
	s->hidden++;

	struct diagnostics *diagnostics = s->diagnostics;
	s->env->library_define(s->env->arg, name);
	s->diagnostics = diagnostics;

	s->clause = clause;
	s->bindings = bindings;
	s->done = done;
	s->budget = budget;
	s->out_of_budget = out_of_budget;
	s->in_header = in_header;
	s->attributes = attributes;
	s->hidden--;
	return true;
}

bool library_want(struct sema *s, const char *name)
{
	return library_kind(s, name) != LIBRARY_NOTHING && define(s, name);
}

bool library_want_value(struct sema *s, const char *name)
{
	return library_kind(s, name) == LIBRARY_VALUE && define(s, name);
}

bool library_want_tag(struct sema *s, enum type_kind kind, const char *tag)
{
	auto_free char *name = mem_printf("%s %s", tag_keyword(kind), tag);
	const struct type *own = types_declared_tag(s->types, kind, tag);
	return (!own || own->kind == TYPE_FORWARD) && library_want(s, name);
}

void library_want_types(struct sema *s, const char *text)
{
	auto_free char *name = mem_strndup(text, strcspn(text, "*[("));
	size_t len = strlen(name);
	while (len && name[len - 1] == ' ')
		name[--len] = '\0';
	const char *word = strncmp(name, "const ", 6) == 0 ? name + 6 : name;
	if (!hash_get_string(s->typedefs, word))
		library_want(s, word);
}

void sema_library(struct sema *s, const struct program_node *program, struct diagnostics *d)
{
	const struct program_node *wanting = s->program;
	s->diagnostics = d;
	s->program = program;
	pragmas_begin(s, program);
	for (const struct node *n = program->items; n; n = n->next)
		if (n->kind != NODE_CLAUSE)
			item_check(s, n);
	pragmas_end(s, program);
	s->program = wanting;
}
