/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scope - the names that a traced file declares for itself
 *
 * The tables of DECLARED_BY_FILE are those of the scope that was entered, and empty otherwise; so
 * look-ups need no other rule than that of enum declarer.
 */
#include "types/model.h"

static struct types_scope *scope_new(struct types *t)
{
	struct types_scope *scope = ARENA_NEW(t->arena, struct types_scope);
	scope->owner = t;
	scope->typedefs = hash_new();
	scope->tags = hash_new();
	scope->enumerators = hash_new();
	scope->next = t->scopes;
	t->scopes = scope;
	return scope;
}

struct error *types_scope_new(struct types *t, struct bytes btf, types_scope_debug_fn *debug,
			      void *arg, struct types_scope **ret)
{
	struct btf *opened = NULL;
	if (btf.size) {
		void *copy = arena_alloc(t->arena, btf.size);
		memcpy(copy, btf.data, btf.size);
		struct error *err = btf_of_bytes(copy, btf.size, &opened);
		if (err)
			return err;
	}
	struct types_scope *scope = scope_new(t);
	if (opened)
		space_open(t, &scope->space, "", opened);
	scope->debug = debug;
	scope->debug_arg = arg;
	*ret = scope;
	return NULL;
}

void scopes_free(struct types *t)
{
	types_enter(t, NULL);
	for (struct types_scope *scope = t->scopes; scope; scope = scope->next) {
		space_close(&scope->space);
		hash_free(scope->typedefs);
		hash_free(scope->tags);
		hash_free(scope->enumerators);
	}
}

static void swap(struct hash **a, struct hash **b)
{
	struct hash *c = *a;
	*a = *b;
	*b = c;
}

/* The scope's tables and those of T change places. */
static void scope_exchange(struct types *t, struct types_scope *scope)
{
	if (!scope)
		return;
	swap(&t->typedefs[DECLARED_BY_FILE], &scope->typedefs);
	swap(&t->tags[DECLARED_BY_FILE], &scope->tags);
	swap(&t->enumerators[DECLARED_BY_FILE], &scope->enumerators);
}

struct types_scope *types_enter(struct types *t, struct types_scope *scope)
{
	struct types_scope *before = t->scope;
	scope_exchange(t, before);
	scope_exchange(t, scope);
	t->scope = scope;
	return before;
}

const struct type *scope_find(struct types_scope *scope, enum type_kind kind, const char *name)
{
	const struct type *type =
		scope->space.btf ? space_find(scope->owner, &scope->space, kind, name) : NULL;
	struct debug_info *info = !type && scope->debug ? scope->debug(scope->debug_arg) : NULL;
	return info ? object_type(scope->owner, info, kind, name) : type;
}

const struct type *scope_body(struct types_scope *scope, enum type_kind kind, const char *tag)
{
	struct types_scope *before = types_enter(scope->owner, scope);
	auto_free char *key = tag_name(kind, tag);
	const struct type *type = hash_get_string(scope->owner->tags[DECLARED_BY_FILE], key);
	types_enter(scope->owner, before);
	return type && type->kind != TYPE_FORWARD ? type : scope_find(scope, kind, tag);
}
