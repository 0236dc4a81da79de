/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_types - from BTF ids to types
 *
 * A type is made once per id and kept in by_id, where it stands before its
 * target is made, so a type that (in damaged BTF) leads to itself ends there.
 * Integers become the intrinsics of the same name, a forward becomes the body
 * of its name if there is one, and what C's type system does not know
 * (restrict, tags) is stepped over.
 */
#include <ctype.h>
#include <dirent.h>

#include "types/model.h"

/* --- spaces --- */

static void space_open(struct types *t, struct space *space, const char *name, struct btf *btf)
{
	space->name = arena_strdup(t->arena, name);
	space->btf = btf;
	space->by_id = mem_zalloc(((size_t)btf_count(btf) + 1) * sizeof(*space->by_id));
	space->by_id[0] = types_intrinsic(t, INTRINSIC_VOID);
}

struct space *kernel_space(struct types *t)
{
	if (!t->opened) {
		struct btf *btf;
		t->opened = true;
		t->problem = btf_open(t->btf_path, &btf);
		if (t->problem)
			t->problem = error_wrap(t->problem, "this needs the kernel's type data "
							    "(CONFIG_DEBUG_INFO_BTF)");
		else
			space_open(t, &t->vmlinux, "vmlinux", btf);
	}
	return t->problem ? NULL : &t->vmlinux;
}

const char *types_kernel_problem(struct types *t)
{
	kernel_space(t);
	return t->problem ? error_text(t->problem) : NULL;
}

static bool is_module_name(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_')
			return false;
	return *name;
}

/* Modules' files stand beside the kernel's. */
struct space *module_space(struct types *t, const char *name)
{
	struct space *kernel = kernel_space(t);
	if (!kernel || string_equal(name, "vmlinux"))
		return kernel;
	for (size_t i = 0; i < t->modules.count; i++)
		if (string_equal(t->modules.items[i]->name, name))
			return t->modules.items[i];

	const char *slash = strrchr(t->btf_path, '/');
	if (!slash || !is_module_name(name))
		return NULL;
	auto_free char *path = mem_printf("%.*s/%s", (int)(slash - t->btf_path), t->btf_path, name);
	struct btf *btf;
	auto_error struct error *err = btf_open_module(path, kernel->btf, &btf);
	if (err) {
		log_debug("types of module %s: %s", name, error_text(err));
		return NULL;
	}
	struct space *space = ARENA_NEW(t->arena, struct space);
	space_open(t, space, name, btf);
	space->base = kernel;
	vector_push(&t->modules, space);
	return space;
}

/* By name, so that of a type which several modules have always the same one is found. */
static int is_module_file(const struct dirent *entry)
{
	return is_module_name(entry->d_name) && !string_equal(entry->d_name, "vmlinux");
}

void modules_open(struct types *t)
{
	const char *slash = strrchr(t->btf_path, '/');
	if (t->opened_modules || !slash || !kernel_space(t))
		return;
	t->opened_modules = true;
	auto_free char *folder = mem_strndup(t->btf_path, (size_t)(slash - t->btf_path));
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_module_file, alphasort);
	for (int i = 0; i < count; i++) {
		module_space(t, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

void spaces_free(struct types *t)
{
	for (size_t i = 0; i < t->modules.count; i++) {
		btf_free(t->modules.items[i]->btf);
		free(t->modules.items[i]->by_id);
	}
	vector_free(&t->modules);
	btf_free(t->vmlinux.btf);
	free(t->vmlinux.by_id);
}

/* --- names --- */

/* Never NULL: what cannot be read is void. */
static const struct type *space_type(struct types *t, struct space *space, uint32_t id);

static uint32_t find_id(struct space *space, enum type_kind kind, const char *name)
{
	switch (kind) {
	case TYPE_STRUCT:
		return btf_find(space->btf, BTF_STRUCT, name);
	case TYPE_UNION:
		return btf_find(space->btf, BTF_UNION, name);
	case TYPE_TYPEDEF:
		return btf_find(space->btf, BTF_TYPEDEF, name);
	case TYPE_FUNCTION:
		return btf_find(space->btf, BTF_FUNC, name);
	case TYPE_ENUM: {
		uint32_t id = btf_find(space->btf, BTF_ENUM, name);
		return id ? id : btf_find(space->btf, BTF_ENUM64, name);
	}
	default:
		return 0;
	}
}

const struct type *space_find(struct types *t, struct space *space, enum type_kind kind,
			      const char *name)
{
	uint32_t id = find_id(space, kind, name);
	return id ? space_type(t, space, id) : NULL;
}

const struct type *types_kernel_enum_of(struct types *t, const char *name, int64_t *value)
{
	struct space *kernel = kernel_space(t);
	struct btf_type type;
	for (uint32_t id = 1; kernel && id <= btf_count(kernel->btf); id++) {
		if (!btf_type_at(kernel->btf, id, &type) ||
		    (type.kind != BTF_ENUM && type.kind != BTF_ENUM64))
			continue;
		const char *found;
		for (uint32_t i = 0; btf_enumerator_at(kernel->btf, &type, i, &found, value); i++)
			if (string_equal(found, name))
				return space_type(t, kernel, id);
	}
	return NULL;
}

/* Where module`name is looked for, which is the kernel without a module; *REST: the name. */
static struct space *space_of_name(struct types *t, const char *name, const char **rest)
{
	const char *tick = strchr(name, '`');
	*rest = tick ? tick + 1 : name;
	auto_free char *module = tick ? mem_strndup(name, (size_t)(tick - name)) : NULL;
	return module_space(t, module ? module : "vmlinux");
}

const struct type *types_kernel_function(struct types *t, const char *name)
{
	struct space *space = space_of_name(t, name, &name);
	const struct type *type = space ? space_find(t, space, TYPE_FUNCTION, name) : NULL;
	return type && type->kind == TYPE_FUNCTION ? type : NULL;
}

/* Where the BTF_VAR ID lies among the variables of which each CPU has its own, or -1. */
static int64_t per_cpu_offset(struct space *space, uint32_t id)
{
	uint32_t section = id ? btf_find(space->btf, BTF_DATASEC, ".data..percpu") : 0;
	struct btf_type type;
	if (!section || !btf_type_at(space->btf, section, &type))
		return -1;
	struct bytes b = type.extra;
	while (bytes_left(&b) >= 12) { /* a variable's id, offset and size each */
		uint32_t variable = bytes_u32(&b), offset = bytes_u32(&b);
		bytes_u32(&b);
		if (variable == id)
			return offset;
	}
	return -1;
}

const struct type *types_kernel_variable(struct types *t, const char *name, bool *per_cpu)
{
	struct space *space = space_of_name(t, name, &name);
	uint32_t id = space ? btf_find(space->btf, BTF_VAR, name) : 0;
	struct btf_type var;
	*per_cpu = false;
	if (!id || !btf_type_at(space->btf, id, &var))
		return NULL;
	*per_cpu = per_cpu_offset(space, id) >= 0;
	return space_type(t, space, var.size_or_type);
}

int64_t types_kernel_variable_offset(struct types *t, const char *name)
{
	struct space *kernel = kernel_space(t);
	return kernel ? per_cpu_offset(kernel, btf_find(kernel->btf, BTF_VAR, name)) : -1;
}

/* --- shells --- */

/* No type of a real kernel nests deeper than some 20; damaged BTF may. */
#define DEPTH_MAX 200

static const struct type *make(struct types *t, struct space *space, uint32_t id, unsigned depth);

static const struct type *make_integer(struct types *t, const struct btf_type *b)
{
	/* The kernel is compiled with -funsigned-char since 6.2; in D char is the platform's. */
	const struct type *known = types_base_name(t, b->name);
	struct bytes extra = b->extra;
	uint32_t encoding = bytes_u32(&extra) >> 24;
	bool is_signed = encoding & 1;
	if (known && known->kind == TYPE_INTEGER && known->size == b->size_or_type &&
	    (known->is_signed == is_signed || string_equal(b->name, "char")))
		return known;

	struct type *type = type_new(t, TYPE_INTEGER, b->size_or_type);
	type->name = b->name;
	type->is_signed = is_signed;
	type->is_char = encoding & 2;
	type->is_bool = encoding & 4;
	return type;
}

static const struct type *make_float(struct types *t, const struct btf_type *b)
{
	const struct type *known = types_base_name(t, b->name);
	if (known && known->kind == TYPE_FLOAT && known->size == b->size_or_type)
		return known;
	struct type *type = type_new(t, TYPE_FLOAT, b->size_or_type);
	type->name = b->name;
	return type;
}

/* A struct, union or enum without its inside. */
static struct type *make_tagged(struct types *t, struct space *space, enum type_kind kind,
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

static const struct type *make_forward(struct types *t, struct space *space,
				       const struct btf_type *b)
{
	enum type_kind kind = b->kind_flag ? TYPE_UNION : TYPE_STRUCT;
	uint32_t id = *b->name ? find_id(space, kind, b->name) : 0;
	if (id)
		return space_type(t, space, id);
	struct type *type = type_new(t, TYPE_FORWARD, 0);
	type->name = *b->name ? b->name : NULL;
	body_new(t, type)->kind = kind;
	return type;
}

static void fill_array(struct types *t, struct space *space, struct type *type,
		       const struct btf_type *b, unsigned depth)
{
	struct bytes extra = b->extra;
	uint32_t element = bytes_u32(&extra);
	bytes_u32(&extra); /* the index's type */
	type->count = bytes_u32(&extra);
	type->target = make(t, space, element, depth);
	type->size = type_size(type);
}

static void fill_function(struct types *t, struct space *space, struct type *type,
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
			params[i] = make(t, space, id, depth);
	}
	type->target = make(t, space, b->size_or_type, depth);
	type->params = params;
	type->count = count;
}

static unsigned qualifier_of(enum btf_kind kind)
{
	return kind == BTF_CONST ? TYPE_CONST : kind == BTF_VOLATILE ? TYPE_VOLATILE : 0;
}

/* Types that lead to another one: the shell is put in its place before the target is made. */
static const struct type *make_derived(struct types *t, struct space *space,
				       const struct type **place, enum type_kind kind,
				       const struct btf_type *b, unsigned depth)
{
	struct type *type = type_new(t, kind, kind == TYPE_POINTER ? 8 : 0);
	*place = type;
	switch (kind) {
	case TYPE_ARRAY:
		fill_array(t, space, type, b, depth);
		break;
	case TYPE_FUNCTION:
		fill_function(t, space, type, b, depth);
		break;
	case TYPE_TYPEDEF:
		type->name = b->name;
		type->target = make(t, space, b->size_or_type, depth);
		break;
	default:
		type->qualifiers = qualifier_of(b->kind);
		type->target = make(t, space, b->size_or_type, depth);
	}
	return type;
}

/* BTF gives the name of a function to one type and its prototype to another; here they are one. */
static const struct type *make_function(struct types *t, struct space *space,
					const struct btf_type *b, unsigned depth)
{
	const struct type *prototype = make(t, space, b->size_or_type, depth);
	if (prototype->kind != TYPE_FUNCTION)
		return prototype;
	struct type *type = type_new(t, TYPE_FUNCTION, 0);
	*type = *prototype;
	return type;
}

/*
 * Damaged BTF only: a typedef, qualifier, array or function that leads to
 * itself.  Its target is not set while it is being made.
 */
static bool is_unfinished(const struct type *type)
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

static const struct type *make(struct types *t, struct space *space, uint32_t id, unsigned depth)
{
	const struct type *nothing = types_intrinsic(t, INTRINSIC_VOID);
	if (space->base && id <= btf_count(space->base->btf))
		space = &t->vmlinux;
	struct btf_type b;
	if (depth > DEPTH_MAX || !btf_type_at(space->btf, id, &b))
		return nothing;
	const struct type **place = &space->by_id[id];
	if (*place)
		return is_unfinished(*place) ? nothing : *place;

	const struct type *type = nothing;
	switch (b.kind) {
	case BTF_INT:
		return *place = make_integer(t, &b);
	case BTF_FLOAT:
		return *place = make_float(t, &b);
	case BTF_STRUCT:
		type = make_tagged(t, space, TYPE_STRUCT, &b);
		break;
	case BTF_UNION:
		type = make_tagged(t, space, TYPE_UNION, &b);
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		type = make_tagged(t, space, TYPE_ENUM, &b);
		break;
	case BTF_FWD:
		return *place = make_forward(t, space, &b);
	case BTF_PTR:
		type = make_derived(t, space, place, TYPE_POINTER, &b, depth + 1);
		break;
	case BTF_ARRAY:
		type = make_derived(t, space, place, TYPE_ARRAY, &b, depth + 1);
		break;
	case BTF_TYPEDEF:
		type = make_derived(t, space, place, TYPE_TYPEDEF, &b, depth + 1);
		break;
	case BTF_CONST:
	case BTF_VOLATILE:
		type = make_derived(t, space, place, TYPE_QUALIFIED, &b, depth + 1);
		break;
	case BTF_FUNC_PROTO:
		type = make_derived(t, space, place, TYPE_FUNCTION, &b, depth + 1);
		break;
	case BTF_FUNC:
		type = make_function(t, space, &b, depth + 1);
		if (type->kind != TYPE_FUNCTION)
			return *place = type;
		break;
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
	case BTF_VAR:
	case BTF_DECL_TAG:
		return *place = make(t, space, b.size_or_type, depth + 1);
	case BTF_VOID:
	case BTF_DATASEC:
		return nothing;
	}
	/* Made just now by us and not yet seen by others: only its number is missing. */
	if (!space->base)
		((struct type *)type)->btf_id = id;
	return *place = type;
}

static const struct type *space_type(struct types *t, struct space *space, uint32_t id)
{
	return make(t, space, id, 0);
}

/* --- insides --- */

static void load_members(struct type_body *body, const struct btf_type *b)
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

static void load_enumerators(struct type_body *body, const struct btf_type *b)
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
	if (body->loaded || !body->space)
		return;
	body->loaded = true;
	if (!btf_type_at(body->space->btf, body->id, &b))
		return;
	if (body->kind == TYPE_ENUM)
		load_enumerators(body, &b);
	else
		load_members(body, &b);
}
