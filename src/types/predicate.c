/* SPDX-License-Identifier: BSD-2-Clause */
/* predicate - predicates of types (is_, has_), and size, members and resolved form */
#include "types/model.h"

const struct type *type_resolve(const struct type *type)
{
	for (;;) {
		if (type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUALIFIED) {
			type = type->target;
			continue;
		}
		const struct type *body = type->kind == TYPE_FORWARD ? forward_body(type) : NULL;
		if (!body)
			return type;
		type = body;
	}
}

bool type_is_unfinished(const struct type *type)
{
	switch (type->kind) {
	case TYPE_POINTER:
	case TYPE_TYPEDEF:
	case TYPE_QUALIFIED:
	case TYPE_ARRAY:
	case TYPE_FUNCTION:
		return !type->target;
	default:
		return false;
	}
}

bool type_is_of_process(const struct type *type)
{
	while (!type->of_process && (type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUALIFIED ||
				     type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY))
		type = type->target;
	return type->of_process;
}

/* --- size and alignment --- */

uint32_t type_size(const struct type *type)
{
	type = type_resolve(type);
	if (type->kind != TYPE_ARRAY)
		return type->size;
	uint64_t size = (uint64_t)type_size(type->target) * type->count;
	return size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

/*
 * BTF has no alignment, and DWARF only what the source demands: it is the greatest of the members,
 * unless they show that the struct is packed.
 */
static uint32_t struct_align(const struct type *type)
{
	struct type_body *body = type->body;
	if (body->align)
		return body->align;
	body->align = 1; /* the result for a struct that contains itself, in damaged BTF */
	body_load(body);
	uint32_t align = 1;
	for (unsigned i = 0; i < body->count; i++) {
		const struct member *m = &body->members[i];
		uint32_t wanted = MAX(type_align(m->type), m->align);
		if (m->bit_size == 0 && m->bit_offset % (wanted * 8) == 0)
			align = MAX(align, wanted);
	}
	while (type->size % align)
		align /= 2;
	return body->align = align;
}

uint32_t type_align(const struct type *type)
{
	for (; type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUALIFIED; type = type->target)
		if (type->align)
			return type->align;
	type = type_resolve(type);
	switch (type->kind) {
	case TYPE_ARRAY:
		return type->align ? type->align : type_align(type->target);
	case TYPE_STRUCT:
	case TYPE_UNION:
		return struct_align(type);
	case TYPE_STRING:
	case TYPE_STACK:
		return 1;
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return 8;
	default:
		break;
	}
	uint32_t align = 1;
	while (align < 16 && align * 2 <= type->size)
		align *= 2;
	return align;
}

/* --- kinds --- */

bool type_is_kept_stack(const struct type *type)
{
	type = type_resolve(type);
	return type->kind == TYPE_STACK && type->size;
}

bool type_is_user_stack(const struct type *type)
{
	type = type_resolve(type);
	return type_is_kept_stack(type) && !type_resolve(type->target)->is_signed;
}

bool type_is_integer(const struct type *type)
{
	type = type_resolve(type);
	return (type->kind == TYPE_INTEGER && type->size <= 8) || type->kind == TYPE_ENUM ||
	       type->kind == TYPE_POISON;
}

bool type_is_scalar(const struct type *type)
{
	return type_is_integer(type) || type_is_pointer(type);
}

bool type_is_pointer(const struct type *type)
{
	return type_resolve(type)->kind == TYPE_POINTER;
}

bool type_is_struct(const struct type *type)
{
	enum type_kind kind = type_resolve(type)->kind;
	return kind == TYPE_STRUCT || kind == TYPE_UNION;
}

bool type_is_string(const struct type *type)
{
	return type_resolve(type)->kind == TYPE_STRING;
}

/* Only plain char is text: signed and unsigned char (and so uint8_t) are numbers. */
static bool is_plain_char(const struct type *type)
{
	type = type_resolve(type);
	return type->kind == TYPE_INTEGER && type->is_char && string_equal(type->name, "char");
}

bool type_is_character(const struct type *type)
{
	type = type_resolve(type);
	return type->is_char && (type->is_signed || is_plain_char(type));
}

bool type_is_string_like(const struct type *type)
{
	type = type_resolve(type);
	if (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)
		return is_plain_char(type->target);
	return type->kind == TYPE_STRING;
}

static bool is_qualified_userland(const struct type *type)
{
	for (; type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUALIFIED; type = type->target)
		if (type->qualifiers & TYPE_USERLAND)
			return true;
	return false;
}

bool type_is_userland(const struct type *type)
{
	if (is_qualified_userland(type))
		return true;
	type = type_resolve(type);
	return (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) &&
	       is_qualified_userland(type->target);
}

bool type_is_signed(const struct type *type)
{
	return type_resolve(type)->is_signed;
}

/* --- comparing --- */

static bool type_same_to_depth(const struct type *a, const struct type *b, unsigned depth)
{
	a = type_resolve(a);
	b = type_resolve(b);
	if (a == b || a->kind == TYPE_POISON || b->kind == TYPE_POISON || !depth)
		return true;
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case TYPE_INTEGER:
		/* As to long and long long, which kernel and libraries use for the same things. */
		if (is_plain_char(a) && is_plain_char(b)) /* compilers differ in its sign */
			return true;
		return a->size == b->size && a->is_signed == b->is_signed &&
		       a->is_bool == b->is_bool;
	case TYPE_FLOAT:
		return a->size == b->size;
	case TYPE_POINTER:
		return type_same_to_depth(a->target, b->target, depth - 1);
	case TYPE_ARRAY:
		return a->count == b->count && type_same_to_depth(a->target, b->target, depth - 1);
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_FORWARD:
		/* A module may repeat a type of the kernel. */
		return a->name && b->name && string_equal(a->name, b->name) && a->size == b->size;
	case TYPE_STACK:
		return a->size == b->size && a->target == b->target;
	default:
		return true; /* all functions are of one type; the others exist once */
	}
}

#define DEPTH_MAX 64

bool type_same(const struct type *a, const struct type *b)
{
	return type_same_to_depth(a, b, DEPTH_MAX);
}

bool type_pointers_compatible(const struct type *a, const struct type *b)
{
	const struct type *ra = type_resolve(a), *rb = type_resolve(b);
	if (ra->kind == TYPE_POISON || rb->kind == TYPE_POISON)
		return true;
	if ((ra->kind != TYPE_POINTER && ra->kind != TYPE_ARRAY) ||
	    (rb->kind != TYPE_POINTER && rb->kind != TYPE_ARRAY))
		return false;
	if (type_is_userland(a) != type_is_userland(b))
		return false;
	return type_resolve(ra->target)->kind == TYPE_VOID ||
	       type_resolve(rb->target)->kind == TYPE_VOID || type_same(ra->target, rb->target);
}

/* --- insides --- */

static struct type_body *loaded_body(const struct type *type)
{
	type = type_resolve(type);
	if (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION && type->kind != TYPE_ENUM)
		return NULL;
	body_load(type->body);
	return type->body;
}

static bool find_member(const struct type *type, const char *name, unsigned depth,
			struct member *ret)
{
	struct type_body *body = depth ? loaded_body(type) : NULL;
	if (!body || !body->members)
		return false;
	for (unsigned i = 0; i < body->count; i++) {
		const struct member *m = &body->members[i];
		if (m->name && string_equal(m->name, name)) {
			*ret = *m;
			return true;
		}
	}
	for (unsigned i = 0; i < body->count; i++) {
		const struct member *m = &body->members[i];
		if (!m->name && find_member(m->type, name, depth - 1, ret)) {
			ret->bit_offset += m->bit_offset;
			ret->absent = m->absent ? m->absent : ret->absent;
			return true;
		}
	}
	return false;
}

bool type_member(struct types *t, const struct type *type, const char *name, struct member *ret)
{
	struct member found;
	if (!find_member(type, name, 16, &found) || found.absent || found.variant)
		return false;
	*ret = found;
	return true;
}

const char *type_member_problem(struct types *t, const struct type *type, const char *name)
{
	struct member found;
	if (!find_member(type, name, 16, &found))
		return NULL;
	return found.absent    ? found.absent
	       : found.variant ? "is there only in some values: print() shows it in those"
			       : NULL;
}

unsigned type_member_count(struct types *t, const struct type *type)
{
	const struct type_body *body = loaded_body(type);
	return body && body->members ? body->count : 0;
}

const struct member *type_member_at(struct types *t, const struct type *type, unsigned index)
{
	return index < type_member_count(t, type) ? &loaded_body(type)->members[index] : NULL;
}

static bool same_member(const struct member *a, const struct member *b)
{
	bool same_name = a->name && b->name ? string_equal(a->name, b->name) : a->name == b->name;
	return same_name && a->bit_offset == b->bit_offset && a->bit_size == b->bit_size &&
	       type_size(a->type) == type_size(b->type);
}

bool type_same_members(const struct type *a, const struct type *b)
{
	if (!type_is_struct(a) || !type_is_struct(b))
		return true;
	const struct type_body *x = loaded_body(a), *y = loaded_body(b);
	if (!x || !y || !x->members || !y->members || x == y)
		return true;
	bool same = x->count == y->count;
	for (unsigned i = 0; i < x->count && same; i++)
		same = same_member(&x->members[i], &y->members[i]);
	return same;
}

unsigned type_enumerator_count(struct types *t, const struct type *type)
{
	const struct type_body *body = loaded_body(type);
	return body && body->enumerators ? body->count : 0;
}

const struct enumerator *type_enumerator_at(struct types *t, const struct type *type,
					    unsigned index)
{
	return index < type_enumerator_count(t, type) ? &loaded_body(type)->enumerators[index]
						      : NULL;
}
