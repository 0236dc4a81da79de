/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_types - from BTF ids to types
 *
 * A type is made once per id and kept in by_id, where it is before its target is made, so a type
 * that (in damaged BTF) leads to itself ends there.  Integers become the intrinsics of the same
 * name, a forward becomes the body of its name if there is one, and kinds that C's type system
 * does not have (restrict, tags) are skipped.
 */
#include "types/model.h"

/* --- shells ---------------------------------------------------------------------------------- */

/* No type of a real kernel nests deeper than some 20; damaged BTF may. */
#define DEPTH_MAX 200

static const struct type *btf_make(struct types *t, struct space *space, uint32_t id,
				   unsigned depth);

static const struct type *btf_make_integer(struct types *t, const struct btf_type *b)
{
	struct bytes extra = b->extra;
	uint32_t encoding = bytes_u32(&extra) >> 24;
	return type_of_integer(t, b->name, b->size_or_type, encoding & 1, encoding & 2,
			       encoding & 4);
}

/* A struct, union or enum without its inside. */
static struct type *btf_make_tagged(struct types *t, struct space *space, enum type_kind kind,
				    const struct btf_type *b)
{
	struct type *type = type_new(t, kind, b->size_or_type);
	type->name = *b->name ? b->name : NULL;
	type->is_signed = kind == TYPE_ENUM && b->kind_flag;
	struct type_body *body = body_new(t, type);
	body->space = space;
	body->id = b->id;
	return type;
}

static const struct type *btf_make_forward(struct types *t, struct space *space,
					   const struct btf_type *b)
{
	enum type_kind kind = b->kind_flag ? TYPE_UNION : TYPE_STRUCT;
	const struct type *found = *b->name ? space_find(t, space, kind, b->name) : NULL;
	if (found)
		return found;
	struct type *type = type_new(t, TYPE_FORWARD, 0);
	type->name = *b->name ? b->name : NULL;
	body_new(t, type)->kind = kind;
	return type;
}

static void btf_fill_array(struct types *t, struct space *space, struct type *type,
			   const struct btf_type *b, unsigned depth)
{
	struct bytes extra = b->extra;
	uint32_t element = bytes_u32(&extra);
	bytes_u32(&extra); /* the index's type */
	type->count = bytes_u32(&extra);
	type->target = btf_make(t, space, element, depth);
	type->size = type_size(type);
}

static void btf_fill_function(struct types *t, struct space *space, struct type *type,
			      const struct btf_type *b, unsigned depth)
{
	const struct type **params = arena_alloc(t->arena, (b->vlen + 1) * sizeof(*params));
	const char *name;
	uint32_t count = b->vlen, id;
	if (count && btf_param_at(space->btf, b, count - 1, &name, &id) && id == 0) {
		type->varargs = true;
		count--;
	}
	for (uint32_t i = 0; i < count; i++) {
		params[i] = types_intrinsic(t, INTRINSIC_VOID);
		if (btf_param_at(space->btf, b, i, &name, &id))
			params[i] = btf_make(t, space, id, depth);
	}
	type->target = btf_make(t, space, b->size_or_type, depth);
	type->params = params;
	type->count = count;
}

static unsigned btf_qualifier(enum btf_kind kind)
{
	return kind == BTF_CONST ? TYPE_CONST : kind == BTF_VOLATILE ? TYPE_VOLATILE : 0;
}

/* Types that refer to another one: the type is in its place before the target is made. */
static const struct type *btf_make_derived(struct types *t, struct space *space,
					   const struct type **place, enum type_kind kind,
					   const struct btf_type *b, unsigned depth)
{
	uint32_t pointer = space->is_narrow ? 4 : 8;
	struct type *type = type_new(t, kind, kind == TYPE_POINTER ? pointer : 0);
	*place = type;
	switch (kind) {
	case TYPE_ARRAY:
		btf_fill_array(t, space, type, b, depth);
		break;
	case TYPE_FUNCTION:
		btf_fill_function(t, space, type, b, depth);
		break;
	case TYPE_TYPEDEF:
		type->name = b->name;
		type->target = btf_make(t, space, b->size_or_type, depth);
		break;
	default:
		type->qualifiers = btf_qualifier(b->kind);
		type->target = btf_make(t, space, b->size_or_type, depth);
		/* As with DWARF: wherever it is copied to, it points into the process. */
		if (kind == TYPE_POINTER && space->of_process &&
		    type->target->kind != TYPE_FUNCTION)
			type->target = types_qualified(t, type->target, TYPE_USERLAND);
	}
	return type;
}

/* BTF gives the name of a function to one type and its prototype to another; here they are one. */
static const struct type *btf_make_function(struct types *t, struct space *space,
					    const struct btf_type *b, unsigned depth)
{
	const struct type *prototype = btf_make(t, space, b->size_or_type, depth);
	if (prototype->kind != TYPE_FUNCTION)
		return prototype;
	struct type *type = type_new(t, TYPE_FUNCTION, 0);
	*type = *prototype;
	return type;
}

/* What tagged and derived types of BTF are with us. */
static enum type_kind btf_type_kind(enum btf_kind kind)
{
	static const enum type_kind kinds[] = {
		[BTF_STRUCT] = TYPE_STRUCT,	 [BTF_UNION] = TYPE_UNION,
		[BTF_ENUM] = TYPE_ENUM,		 [BTF_ENUM64] = TYPE_ENUM,
		[BTF_PTR] = TYPE_POINTER,	 [BTF_ARRAY] = TYPE_ARRAY,
		[BTF_TYPEDEF] = TYPE_TYPEDEF,	 [BTF_CONST] = TYPE_QUALIFIED,
		[BTF_VOLATILE] = TYPE_QUALIFIED, [BTF_FUNC_PROTO] = TYPE_FUNCTION,
	};
	return kinds[kind];
}

static const struct type *btf_make(struct types *t, struct space *space, uint32_t id,
				   unsigned depth)
{
	const struct type *nothing = types_intrinsic(t, INTRINSIC_VOID);
	if (space->base && id <= btf_count(space->base->btf))
		space = &t->vmlinux;
	struct btf_type b;
	if (depth > DEPTH_MAX || !btf_type_at(space->btf, id, &b))
		return nothing;
	const struct type **place = &space->by_id[id];
	if (*place)
		return type_is_unfinished(*place) ? nothing : *place;

	const struct type *type = nothing;
	switch (b.kind) {
	case BTF_INT:
		return *place = btf_make_integer(t, &b);
	case BTF_FLOAT:
		return *place = type_of_float(t, b.name, b.size_or_type);
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_ENUM:
	case BTF_ENUM64:
		type = btf_make_tagged(t, space, btf_type_kind(b.kind), &b);
		break;
	case BTF_FWD:
		return *place = btf_make_forward(t, space, &b);
	case BTF_PTR:
	case BTF_ARRAY:
	case BTF_TYPEDEF:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_FUNC_PROTO:
		type = btf_make_derived(t, space, place, btf_type_kind(b.kind), &b, depth + 1);
		break;
	case BTF_FUNC:
		type = btf_make_function(t, space, &b, depth + 1);
		if (type->kind != TYPE_FUNCTION)
			return *place = type;
		break;
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
	case BTF_VAR:
	case BTF_DECL_TAG:
		return *place = btf_make(t, space, b.size_or_type, depth + 1);
	case BTF_VOID:
	case BTF_DATASEC:
		return nothing;
	}
	/* Made just now by us and not yet seen by others: only this is missing. */
	if (space == &t->vmlinux)
		((struct type *)type)->btf_id = id;
	((struct type *)type)->of_process = space->of_process;
	return *place = type;
}

const struct type *space_type(struct types *t, struct space *space, uint32_t id)
{
	return btf_make(t, space, id, 0);
}

/* --- insides --------------------------------------------------------------------------------- */

static void btf_load_members(struct type_body *body, const struct btf_type *b)
{
	struct types *t = body->owner;
	body->members = arena_alloc(t->arena, b->vlen * sizeof(*body->members));
	for (uint32_t i = 0; i < b->vlen; i++) {
		struct btf_member m;
		if (!btf_member_at(body->space->btf, b, i, &m))
			return;
		body->members[body->count++] = (struct member) {
			.name = *m.name ? m.name : NULL,
			.type = space_type(t, body->space, m.type),
			.bit_offset = m.bit_offset,
			.bit_size = m.bit_size,
		};
	}
}

static void btf_load_enumerators(struct type_body *body, const struct btf_type *b)
{
	body->enumerators = arena_alloc(body->owner->arena, b->vlen * sizeof(*body->enumerators));
	for (uint32_t i = 0; i < b->vlen; i++) {
		struct enumerator *e = &body->enumerators[body->count];
		if (!btf_enumerator_at(body->space->btf, b, i, &e->name, &e->value))
			return;
		body->count++;
	}
}

void body_load(struct type_body *body)
{
	struct btf_type b;
	if (body->loaded || (!body->space && !body->described))
		return;
	body->loaded = true;
	if (body->described)
		return described_load(body);
	if (!btf_type_at(body->space->btf, body->id, &b))
		return;
	if (body->kind == TYPE_ENUM)
		btf_load_enumerators(body, &b);
	else
		btf_load_members(body, &b);
}
