/* SPDX-License-Identifier: BSD-2-Clause */
/* name - what an identifier means, and which one may have been meant */
#include "base/nearest.h"
#include "sema/sema_internal.h"

/* --- tables --- */

static const char *const builtin_names[BUILTIN_COUNT] = {
#define VARIABLE(name, type, what) [BUILTIN_##name] = #name,
#include "sema/builtin.def"
#undef VARIABLE
};

static const char *const function_names[] = {
#define SUBROUTINE(name, prototype, what) #name,
#define ACTION(name, kind, what) #name,
#define AGGREGATOR(name, function, what) #name,
#include "sema/builtin.def"
#undef SUBROUTINE
#undef ACTION
#undef AGGREGATOR
};

static bool is_among(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (string_equal(names[i], name))
			return true;
	return false;
}

/* --- finding --- */

static bool find_builtin(const char *name, struct name *ret)
{
	if (strncmp(name, "arg", 3) == 0 && name[3] >= '0' && name[3] <= '9' && !name[4]) {
		ret->kind = NAME_ARGUMENT;
		ret->number = name[3] - '0';
		return true;
	}
	if (string_equal(name, "args") || string_equal(name, "NULL")) {
		ret->kind = name[0] == 'a' ? NAME_ARGS : NAME_NULL;
		return true;
	}
	for (unsigned i = 0; i < BUILTIN_COUNT; i++) {
		if (i == BUILTIN_arg || !string_equal(builtin_names[i], name))
			continue;
		ret->kind = NAME_BUILTIN;
		ret->builtin = (enum builtin_variable)i;
		return true;
	}
	return false;
}

static bool find_defined(struct sema *s, const char *name, struct name *ret)
{
	ret->variable = variable_find(s, SCOPE_GLOBAL, name);
	ret->kind = NAME_VARIABLE;
	if (ret->variable)
		return true;
	ret->inlined = hash_get_string(s->inlines, name);
	ret->kind = NAME_INLINE;
	if (ret->inlined)
		return true;
	ret->type = hash_get_string(s->externs, name);
	ret->kind = NAME_EXTERN;
	return ret->type;
}

static bool find_enumerator(struct sema *s, const char *name, struct name *ret)
{
	ret->kind = NAME_ENUMERATOR;
	return types_find_enumerator(s->types, name, &ret->number);
}

/* Of a version that -xversion excludes.  A program may have a variable of such a name. */
static bool is_excluded(struct sema *s, const char *name)
{
	if (version_has(s, name))
		return false;
	bool is_ours = variable_find(s, SCOPE_GLOBAL, name) &&
		       (!version_is_bound(s, name) || hash_get_string(s->inlines, name));
	return !is_ours;
}

struct name name_find(struct sema *s, const char *name)
{
	struct name n = { .kind = NAME_BINDING };
	for (const struct binding *b = s->bindings; b; b = b->next)
		if (string_equal(b->name, name)) {
			n.binding = b;
			return n;
		}
	if (strchr(name, '`'))
		return (struct name) { .kind = NAME_EXTERN };
	if (is_excluded(s, name))
		return (struct name) { NAME_UNKNOWN };
	if (find_defined(s, name, &n) || find_builtin(name, &n) || find_enumerator(s, name, &n))
		return n;
	if (library_want_value(s, name) &&
	    (find_defined(s, name, &n) || find_enumerator(s, name, &n)))
		return n;
	n.kind = NAME_UNKNOWN;
	if (is_among(name, function_names, ARRAY_SIZE(function_names)))
		n.kind = NAME_FUNCTION;
	return n;
}

/* --- identifiers as expressions --- */

/* Built-in variables of other systems. */
static const struct {
	const char *name, *why;
} absent[] = {
	{ "vmregs", "it is illumos's, of virtual machines; uregs[] are a process's registers" },
	{ "jid", "it is FreeBSD's: Linux has no jails" },
	{ "jailname", "it is FreeBSD's: Linux has no jails" },
};

/* The name may be a word of the command line, $1, that was meant as a string. */
static const char *argument_advice(struct sema *s, struct range range)
{
	if (!range.source || range.end > range.source->len)
		return "";
	const char *text = range.source->text + range.begin;
	int len = (int)(range.end - range.begin);
	return len > 1 && *text == '$'
		       ? arena_printf(s->arena, ": as a string it is $%.*s", len, text)
		       : "";
}

static struct texpr *name_unknown(struct sema *s, const char *name, struct range range)
{
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		if (string_equal(absent[i].name, name))
			return mistake(s, range, D_IDENT_UNDEF, "%s is not provided: %s", name,
				       absent[i].why);
	int64_t value;
	const struct type *type = types_kernel_enum_of(s->types, name, &value);
	if (type)
		return mistake(s, range, D_IDENT_UNDEF,
			       "%s is unknown here: an enumerator of the kernel, of %s, can only "
			       "be compared with a value of that type; elsewhere write %lld",
			       name, type_text(s, type), (long long)value);
	const char *advice = argument_advice(s, range);
	return mistake(s, range, D_IDENT_UNDEF, "%s is unknown%s", name,
		       *advice ? advice : name_suggestion_variable(s, SCOPE_GLOBAL, name));
}

/*
 * A value may be used twice and stand in two lists, so each use is a copy.  It
 * costs what it would cost if it were written out.
 */
static struct texpr *bound(struct sema *s, const struct binding *b)
{
	const struct texpr *e = b->value;
	s->budget -= MIN(s->budget, b->cost);
	struct texpr *copy = texpr_new(s, e->kind, e->type, e->range);
	*copy = *e;
	copy->next = NULL;
	return copy;
}

static struct texpr *argument(struct sema *s, int64_t index, struct range range)
{
	struct texpr *e = texpr_new(s, TEXPR_ARGUMENT, intrinsic(s, INTRINSIC_LONG), range);
	e->argument.index = (unsigned)index;
	return e;
}

/* An int, but in C's headers some do not fit one. */
static const struct type *enumerator_type(struct sema *s, int64_t value)
{
	return intrinsic(s, value >= INT32_MIN && value <= INT32_MAX ? INTRINSIC_INT
			    : value >= 0 && value <= UINT32_MAX	     ? INTRINSIC_UINT
								     : INTRINSIC_LONG);
}

struct texpr *name_check(struct sema *s, const struct node *n)
{
	const char *text = n->ident.name;
	struct name name = name_find(s, text);
	switch (name.kind) {
	case NAME_BINDING:
		return bound(s, name.binding);
	case NAME_ENUMERATOR:
		return texpr_integer(s, name.number, enumerator_type(s, name.number), n->range);
	case NAME_VARIABLE:
		return variable_check(s, name.variable, n->range);
	case NAME_INLINE:
		return inline_expand(s, text, name.inlined, NULL, false, n->range);
	case NAME_BUILTIN:
		return variable_builtin(s, name.builtin, n->range);
	case NAME_ARGUMENT:
		return argument(s, name.number, n->range);
	case NAME_ARGS:
		return mistake(s, n->range, D_IDENT_BADREF, "args needs an index: args[0]");
	case NAME_NULL:
		return texpr_integer(s, 0, intrinsic(s, INTRINSIC_LONG), n->range);
	case NAME_EXTERN:
		return symbol_check(s, n);
	case NAME_FUNCTION:
		return mistake(s, n->range, D_IDENT_BADREF, "%s is a function: call it as %s()",
			       text, text);
	default:
		return name_unknown(s, text, n->range);
	}
}

/* --- nearest spellings --- */

static void nearest_try_inline(void *n, const void *key, size_t len, void *value)
{
	if (value)
		nearest_try(n, ((struct inline_definition *)value)->node->declarator->name);
}

static const char *suggestion(struct sema *s, const struct nearest *n)
{
	return n->best ? arena_printf(s->arena, ": did you mean %s?", n->best) : "";
}

const char *name_suggestion_variable(struct sema *s, enum scope scope, const char *name)
{
	struct nearest n = nearest_to(name);
	for (size_t i = 0; i < s->variables[scope].count; i++)
		nearest_try(&n, s->variables[scope].items[i]->name);
	if (scope == SCOPE_GLOBAL) {
		nearest_try_all(&n, builtin_names + 1, BUILTIN_COUNT - 1);
		hash_visit(s->inlines, nearest_try_inline, &n);
	}
	return suggestion(s, &n);
}

const char *name_suggestion_function(struct sema *s, const char *name)
{
	struct nearest n = nearest_to(name);
	nearest_try_all(&n, function_names, ARRAY_SIZE(function_names));
	return suggestion(s, &n);
}

const char *name_suggestion_member(struct sema *s, const struct type *type, const char *name)
{
	struct nearest n = nearest_to(name);
	for (unsigned i = 0; i < type_member_count(s->types, type); i++)
		nearest_try(&n, type_member_at(s->types, type, i)->name);
	return suggestion(s, &n);
}
