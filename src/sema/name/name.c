/* SPDX-License-Identifier: BSD-2-Clause */
/* name - what an identifier means, and which one may have been meant */
#include "base/nearest.h"
#include "sema/sema_internal.h"

/* --- tables --- */

static const char *const function_names[] = {
#define SUBROUTINE(name, ...) #name,
#define ACTION(name, ...) #name,
#define AGGREGATE(id, name, ...) #name,
#include "abi/aggregate.def"
#include "sema/name/builtin.def"
#undef SUBROUTINE
#undef ACTION
#undef AGGREGATE
};

static bool is_among(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (string_equal(names[i], name))
			return true;
	return false;
}

/* --- finding --- */

static bool name_find_builtin(const char *name, struct name *ret)
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
		if (i == BUILTIN_arg || !string_equal(builtin_rows[i].name, name))
			continue;
		ret->kind = NAME_BUILTIN;
		ret->builtin = (enum builtin_variable)i;
		return true;
	}
	return false;
}

static bool name_find_function(const char *name, struct name *ret)
{
	ret->kind = NAME_FUNCTION;
	return is_among(name, function_names, ARRAY_SIZE(function_names));
}

/* The name among WHO's declarations so far. */
static bool name_find_declared(struct sema *s, enum declarer who, const char *name,
			       struct name *ret)
{
	ret->variable = variable_declared(s, who, SCOPE_GLOBAL, name);
	ret->kind = NAME_VARIABLE;
	if (ret->variable)
		return true;
	ret->inlined = hash_get_string(s->names[who].inlines, name);
	ret->kind = NAME_INLINE;
	if (ret->inlined)
		return true;
	ret->type = hash_get_string(s->names[who].externs, name);
	ret->kind = NAME_EXTERN;
	if (ret->type)
		return true;
	ret->kind = NAME_ENUMERATOR;
	return types_declared_enumerator(s->types, who, name, &ret->number);
}

bool name_is_taken(struct sema *s, const char *name, bool hides, struct range range)
{
	static const char *const what[] = {
		[NAME_ENUMERATOR] = "an enumerator",	 [NAME_INLINE] = "an inline",
		[NAME_BUILTIN] = "a built-in variable",	 [NAME_ARGUMENT] = "a built-in variable",
		[NAME_ARGS] = "a built-in variable",	 [NAME_NULL] = "a built-in constant",
		[NAME_FUNCTION] = "a built-in function", [NAME_BINDING] = "an enumerator",
	};
	if (strchr(name, '`')) {
		diagnose(s->diagnostics, range, D_DECL_SCOPE,
			 "a name that is declared cannot hold a backquote: %s", name);
		return true;
	}
	struct name n = name_taken(s, name);
	const char *kind = n.kind < ARRAY_SIZE(what) ? what[n.kind] : NULL;
	if (!kind && (types_declared_typedef(s->types, speaker(s), name) ||
		      (!hides && types_declared_typedef(s->types, DECLARED_BY_US, name))))
		kind = "a type";
	if (!kind)
		return false;
	diagnose(s->diagnostics, range, D_DECL_IDRED, "%s is already %s", name, kind);
	return true;
}

bool name_is_declared(struct sema *s, enum declarer who, const char *name)
{
	struct name n;
	return name_find_declared(s, who, name, &n);
}

/* A variable that an assignment made, of a name that this version of D has not otherwise. */
static bool name_find_assigned(struct sema *s, enum declarer who, const char *name,
			       struct name *ret)
{
	ret->kind = NAME_VARIABLE;
	ret->variable = variable_declared(s, who, SCOPE_GLOBAL, name);
	return ret->variable && !ret->variable->declared;
}

/* Of names that D got late, a program may have a variable, which it means then. */
static bool is_late_name(const char *name)
{
	return string_equal(name, "host");
}

/* WHO's definition of NAME; that of a library may have to be fetched, and its binding with it. */
static bool name_find_by(struct sema *s, enum declarer who, const char *name, struct name *ret)
{
	if (who == DECLARED_BY_LIBRARY && is_late_name(name) && variable_is_assigned(s, name))
		return false;
	if (version_has(s, who, name) && !name_is_declared(s, who, name))
		library_want_value(s, who, name);
	return version_has(s, who, name) ? name_find_declared(s, who, name, ret)
					 : name_find_assigned(s, who, name, ret);
}

/* Of our libraries: is curthread, as written there, another task than the current one? */
static bool name_find_library(const struct sema *s, const char *name, struct name *ret)
{
	ret->kind = NAME_ENUMERATOR;
	ret->number = s->walked_task || formula_is_of_another(s);
	return speaker(s) == DECLARED_BY_LIBRARY && string_equal(name, "curthread_is_another");
}

/* Names that cannot be declared. */
static bool name_find_own(struct sema *s, const char *name, struct name *ret)
{
	if (name_find_library(s, name, ret))
		return true;
	return version_has(s, DECLARED_BY_US, name) &&
	       (name_find_builtin(name, ret) || name_find_function(name, ret));
}

static bool name_find_binding(const struct sema *s, const char *name, struct name *ret)
{
	ret->kind = NAME_BINDING;
	for (ret->binding = s->bindings; ret->binding; ret->binding = ret->binding->next)
		if (string_equal(ret->binding->name, name))
			return true;
	return false;
}

/* Built-ins are not looked for in libraries, which are first read when a name is. */
struct name name_find(struct sema *s, const char *name)
{
	struct name n;
	if (name_find_binding(s, name, &n))
		return n;
	if (strchr(name, '`')) {
		n.inlined = compatible_symbol(s, name);
		n.kind = n.inlined ? NAME_INLINE : NAME_EXTERN;
		return n;
	}
	enum declarer who = speaker(s);
	if (name_find_by(s, who, name, &n) || name_find_own(s, name, &n))
		return n;
	while (++who <= DECLARED_BY_LIBRARY)
		if (name_find_by(s, who, name, &n))
			return n;
	return (struct name) { NAME_UNKNOWN };
}

struct name name_read(struct sema *s, const char *name)
{
	struct name n = name_find(s, name);
	struct variable *v = n.kind == NAME_UNKNOWN ? variable_ahead(s, SCOPE_GLOBAL, name) : NULL;
	return v ? (struct name) { NAME_VARIABLE, .variable = v } : n;
}

bool name_is_library_builtin(const char *name)
{
	return builtin_is_library(name);
}

struct name name_taken(struct sema *s, const char *name)
{
	struct name n;
	enum declarer who = speaker(s);
	if (name_find_binding(s, name, &n) || name_find_declared(s, who, name, &n) ||
	    name_find_own(s, name, &n))
		return n;
	bool is_builtin = who == DECLARED_BY_D && name_is_library_builtin(name) &&
			  name_find(s, name).kind != NAME_UNKNOWN;
	return (struct name) { is_builtin ? NAME_BUILTIN : NAME_UNKNOWN };
}

bool name_is_built_in(struct name n)
{
	return n.kind == NAME_BUILTIN || n.kind == NAME_ARGUMENT || n.kind == NAME_ARGS ||
	       n.kind == NAME_NULL || n.kind == NAME_FUNCTION;
}

/* --- identifiers as expressions --- */

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

/* A symbol of the target or the kernel, written as in C? */
static const char *symbol_advice(struct sema *s, const char *name)
{
	const struct symbol_path path = { .name = name };
	if (user_symbol_exists(s, &path))
		return arena_printf(s->arena, ": the target's is ``%s", name);
	if (symbol_exists(s, &path))
		return arena_printf(s->arena, ": the kernel's is `%s", name);
	if (compatible_has(s, name))
		return arena_printf(s->arena, ": as a symbol of Solaris's kernel it is `%s", name);
	return "";
}

/* A variable of the function that is traced: a parameter, or one at a source line. */
static const char *function_advice(struct sema *s, const char *name)
{
	const struct tclause *c = s->clause;
	const struct probe_args *args =
		c && c->probe_count ? probe_db_arguments(s->probes, c->probes[0]) : NULL;
	if (!args)
		return "";
	for (unsigned i = 0; args->list && i < args->count; i++)
		if (args->list[i].name && string_equal(args->list[i].name, name))
			return arena_printf(s->arena, ": the function's parameter is args.%s",
					    name);
	return args->problem && string_equal(c->probes[0]->name, "line")
		       ? arena_printf(s->arena, ": %s", args->problem)
		       : "";
}

static struct texpr *name_unknown(struct sema *s, const char *name, struct range range)
{
	const char *remedy = foreign_remedy(FOREIGN_VARIABLE, name);
	if (remedy)
		return mistake(s, range, D_IDENT_UNDEF, "%s is not provided: %s", name, remedy);
	int64_t value;
	const struct type *type = types_kernel_enum_of(s->types, name, &value);
	if (type)
		return mistake(s, range, D_IDENT_UNDEF,
			       "%s is unknown here: an enumerator of the kernel, of %s, can only "
			       "be compared with a value of that type; elsewhere write %lld",
			       name, type_text(s, type), (long long)value);
	const char *advice = version_advice(s, name);
	if (!*advice)
		advice = library_advice(s, name);
	if (!*advice)
		advice = argument_advice(s, range);
	if (!*advice)
		advice = name_suggestion_variable(s, SCOPE_GLOBAL, name);
	if (!*advice)
		advice = symbol_advice(s, name);
	if (!*advice)
		advice = function_advice(s, name);
	return mistake(s, range, D_IDENT_UNDEF, "%s is unknown%s", name, advice);
}

/*
 * A value may be used twice and be in two lists, so each use is a copy.  It costs as much as if it
 * were written again.
 */
static struct texpr *binding_value(struct sema *s, const struct binding *b)
{
	const struct texpr *e = b->value ? b->value : b->make(s, b);
	s->budget -= MIN(s->budget, b->cost);
	return texpr_copy(s, e);
}

/* An int, but in C's headers some do not fit one. */
static const struct type *enumerator_type(struct sema *s, int64_t value)
{
	return intrinsic(s, value >= INT32_MIN && value <= INT32_MAX ? INTRINSIC_INT
			    : value >= 0 && value <= UINT32_MAX	     ? INTRINSIC_UINT
								     : INTRINSIC_LONG);
}

static struct texpr *function_as_value(struct sema *s, const char *name, struct range range)
{
	const char *remedy = foreign_remedy(FOREIGN_VARIABLE, name);
	return mistake(s, range, D_IDENT_BADREF, "%s is a function: call it as %s()%s%s", name,
		       name, remedy ? "; as a variable " : "", remedy ? remedy : "");
}

struct texpr *name_check(struct sema *s, const struct node *n)
{
	const char *text = n->ident.name;
	struct name name = name_read(s, text);
	switch (name.kind) {
	case NAME_BINDING:
		return binding_value(s, name.binding);
	case NAME_ENUMERATOR:
		return texpr_integer(s, name.number, enumerator_type(s, name.number), n->range);
	case NAME_VARIABLE:
		return variable_check(s, name.variable, n->range);
	case NAME_INLINE:
		return inline_expand(s, text, name.inlined, NULL, false, n->range);
	case NAME_BUILTIN:
		return variable_builtin(s, name.builtin, n->range);
	case NAME_ARGUMENT:
		if (s->clause && s->clause->source)
			return s->formula_names->raw(s, (unsigned)name.number, n->range);
		return texpr_argument(s, name.number, n->range);
	case NAME_ARGS:
		return mistake(
			s, n->range, D_IDENT_BADREF,
			"args needs an index: args[0], whose type -lv shows; members of what "
			"it points to: args[0]->NAME; of a function also args.NAME and "
			"print(args)");
	case NAME_NULL:
		return texpr_integer(s, 0, intrinsic(s, INTRINSIC_LONG), n->range);
	case NAME_EXTERN:
		return symbol_check(s, n);
	case NAME_FUNCTION:
		return function_as_value(s, text, n->range);
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
		for (unsigned i = 1; i < BUILTIN_COUNT; i++)
			nearest_try(&n, builtin_rows[i].name);
		for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++)
			hash_visit(s->names[who].inlines, nearest_try_inline, &n);
	}
	return suggestion(s, &n);
}

const char *name_suggestion_function(struct sema *s, const char *name)
{
	const char *remedy = foreign_remedy(FOREIGN_FUNCTION, name);
	if (remedy)
		return arena_printf(s->arena, ": %s() is not provided: %s", name, remedy);
	struct nearest n = nearest_to(name);
	nearest_try_all(&n, function_names, ARRAY_SIZE(function_names));
	return suggestion(s, &n);
}

const char *name_suggestion_member(struct sema *s, const struct type *type, const char *name)
{
	const char *problem = type_member_problem(s->types, type, name);
	if (problem)
		return arena_printf(s->arena, ": the part with %s %s", name, problem);
	struct nearest n = nearest_to(name);
	for (unsigned i = 0; i < type_member_count(s->types, type); i++)
		nearest_try(&n, type_member_at(s->types, type, i)->name);
	return suggestion(s, &n);
}
