/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * condition - what the running kernel has
 *
 * By its types, functions, tracepoints and configuration, never by its version; and what the user
 * has chosen by an option.
 */
#include "formula/formula_internal.h"
#include "provider/provider.h"

/* The struct, union, enum or typedef that SPEC names, or NULL. */
static const struct type *type_named(struct types *types, const struct type_spec *spec)
{
	if (!spec->name)
		return NULL;
	if (spec->words & WORD_STRUCT)
		return types_find_tag(types, TYPE_STRUCT, spec->name);
	if (spec->words & WORD_UNION)
		return types_find_tag(types, TYPE_UNION, spec->name);
	if (spec->words & WORD_ENUM)
		return types_find_tag(types, TYPE_ENUM, spec->name);
	return types_find(types, spec->name);
}

/* Pointers to members are followed, as in expressions. */
static bool members_exist(struct types *types, const struct node *n)
{
	int64_t value;
	if (!n->has.type)
		return types_kernel_enum_of(types, n->has.name, &value);
	const struct type *type = type_named(types, n->has.type->spec);
	for (const struct member_name *m = n->has.members; type && m; m = m->next) {
		struct member member;
		if (type_is_pointer(type))
			type = type_resolve(type_resolve(type)->target);
		if (!type_is_struct(type) || !type_member(types, type, m->name, &member))
			return false;
		type = type_resolve(member.type);
	}
	return type && type_resolve(type)->kind != TYPE_FORWARD;
}

static bool has_tracepoint(struct probe_db *db, const struct node *name)
{
	struct event_args args;
	int count = tracepoint_places(db, name->ident.name, &args);
	return count >= 0 && (!name->next || (uint64_t)count == name->next->integer.value);
}

static bool option_has(struct probe_db *db, const char *name, const char *word)
{
	const struct probe_settings *settings = probe_db_settings(db);
	const char *value = settings->option ? settings->option(settings->option_arg, name) : NULL;
	return value && string_equal(value, word);
}

static bool call_is_true(struct probe_db *db, const struct node *n)
{
	const char *function = n->call.callee->ident.name;
	const struct node *name = n->call.args;
	int64_t value;
	if (string_equal(function, "hasfunc"))
		return types_kernel_function(probe_db_types(db), name->ident.name);
	if (string_equal(function, "hastp"))
		return has_tracepoint(db, name);
	if (string_equal(function, "hasenum"))
		return types_kernel_enum_of(probe_db_types(db), name->ident.name, &value);
	if (string_equal(function, "config"))
		return asked_config(db, name->ident.name);
	if (string_equal(function, "option"))
		return option_has(db, name->ident.name, name->next->ident.name);
	return string_equal(asked_arch(db)->name, name->ident.name);
}

bool condition_is_true(struct probe_db *db, const struct node *n)
{
	switch (n->kind) {
	case NODE_HAS:
		return members_exist(probe_db_types(db), n);
	case NODE_CALL:
		return call_is_true(db, n);
	case NODE_UNARY:
		return !condition_is_true(db, n->unary.operand);
	default:
		return n->binary.op == OP_LAND ? condition_is_true(db, n->binary.left) &&
							 condition_is_true(db, n->binary.right)
					       : condition_is_true(db, n->binary.left) ||
							 condition_is_true(db, n->binary.right);
	}
}
