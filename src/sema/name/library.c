/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library - definitions of D libraries, added on demand
 *
 * Libraries are not compiled when tracing starts: env knows the names that they define.
 * When a program uses a name that it did not define itself, that one definition is
 * fetched, parsed and checked during the check of the program, whose state is saved and restored.
 */
#include "sema/sema_internal.h"

enum library_kind library_kind(const struct sema *s, enum declarer who, const char *name)
{
	const struct sema_env *env = s->env;
	bool is_library = who == DECLARED_BY_SITE || who == DECLARED_BY_LIBRARY;
	return is_library && env->library_find ? env->library_find(env->arg, who, name)
					       : LIBRARY_NOTHING;
}

void library_apart(struct sema *s, void (*run)(struct sema *s, void *arg), void *arg)
{
	struct tclause *clause = take(s->clause);
	const struct binding *bindings = take(s->bindings);
	const struct formula_source *formula = take(s->formula);
	struct texpr *walked_task = take(s->walked_task);
	unsigned done = s->done, budget = s->budget;
	bool out_of_budget = s->out_of_budget, in_header = s->in_header;
	struct attributes attributes = s->attributes;
	s->in_header = false;
	s->hidden++;

	run(s, arg);

	s->clause = clause;
	s->bindings = bindings;
	s->formula = formula;
	s->walked_task = walked_task;
	s->done = done;
	s->budget = budget;
	s->out_of_budget = out_of_budget;
	s->in_header = in_header;
	s->attributes = attributes;
	s->hidden--;
}

struct definition {
	enum declarer who;
	const char *name;
};

static void run_define(struct sema *s, void *definition)
{
	const struct definition *d = definition;
	s->env->library_define(s->env->arg, d->who, d->name);
}

/* Define NAME, a name of a library; false outside of a check (when the parser asks): too early. */
static bool define(struct sema *s, enum declarer who, const char *name)
{
	struct definition d = { who, name };
	if (s->diagnostics)
		library_apart(s, run_define, &d);
	return s->diagnostics;
}

static bool want(struct sema *s, enum declarer who, const char *name)
{
	return library_kind(s, who, name) != LIBRARY_NOTHING && define(s, who, name);
}

void library_want(struct sema *s, const char *name)
{
	for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++)
		want(s, who, name);
}

struct inline_definition *library_inline(struct sema *s, const char *name)
{
	library_want_value(s, DECLARED_BY_LIBRARY, name);
	return hash_get_string(s->names[DECLARED_BY_LIBRARY].inlines, name);
}

const char *library_advice(struct sema *s, const char *name)
{
	const struct sema_env *env = s->env;
	const char *file, *needed;
	if (!env->library_left_out || !env->library_left_out(env->arg, name, &file, &needed))
		return "";
	return arena_printf(s->arena,
			    ": the library %s has it, but is left out, as it depends on %s", file,
			    needed);
}

bool library_want_value(struct sema *s, enum declarer who, const char *name)
{
	return library_kind(s, who, name) == LIBRARY_VALUE && define(s, who, name);
}

void library_want_tag(struct sema *s, enum type_kind kind, const char *tag)
{
	auto_free char *name = tag_name(kind, tag);
	for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++) {
		const struct type *own = types_declared_tag(s->types, who, kind, tag);
		if ((own && own->kind != TYPE_FORWARD) || want(s, who, name))
			return;
	}
}

void library_want_types(struct sema *s, const char *text)
{
	auto_free char *name = mem_strndup(text, strcspn(text, "*[("));
	size_t len = strlen(name);
	while (len && name[len - 1] == ' ')
		name[--len] = '\0';
	const char *word = strncmp(name, "const ", 6) == 0 ? name + 6 : name;
	for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++)
		if (types_declared_typedef(s->types, who, word) || want(s, who, word))
			return;
}

static const struct type *type_seen_by(struct sema *s, enum declarer who, const char *text,
				       bool fetch)
{
	enum declarer before = types_speak_for(s->types, who);
	if (fetch)
		library_want_types(s, text);
	const struct type *type = types_parse(s->types, text);
	types_speak_for(s->types, before);
	return type;
}

const struct type *library_type(struct sema *s, const char *text, bool fetch)
{
	const struct type *type = type_seen_by(s, DECLARED_BY_LIBRARY, text, fetch);
	return type ? type : type_seen_by(s, DECLARED_BY_D, text, fetch);
}
