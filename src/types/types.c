/* SPDX-License-Identifier: BSD-2-Clause */
/* types - the container, and finding types by name */
#include "types/types.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "types/model.h"

#include <assert.h>

struct types *types_new(const char *btf_path)
{
	struct types *t = mem_zalloc(sizeof(*t));
	t->arena = arena_new();
	for (unsigned i = 0; i < DECLARERS; i++) {
		t->typedefs[i] = hash_new();
		t->tags[i] = hash_new();
		t->enumerators[i] = hash_new();
	}
	t->derived = hash_new();
	t->btf_path = mem_strdup(btf_path ? btf_path : "/sys/kernel/btf/vmlinux");
	t->declarer = DECLARED_BY_US;
	intrinsics_init(t);
	t->declarer = DECLARED_BY_D;
	return t;
}

void types_set_btf(struct types *t, const char *path)
{
	assert(!t->opened);
	free(t->btf_path);
	t->btf_path = mem_strdup(path);
}

void types_free(struct types *t)
{
	if (!t)
		return;
	scopes_free(t);
	btf_sections_free(t);
	spaces_free(t);
	hash_free(t->described);
	error_free(t->problem);
	for (unsigned i = 0; i < DECLARERS; i++) {
		hash_free(t->typedefs[i]);
		hash_free(t->tags[i]);
		hash_free(t->enumerators[i]);
	}
	hash_free(t->derived);
	free(t->btf_path);
	arena_free(t->arena);
	free(t);
}

void types_set_string_size(struct types *t, uint32_t size)
{
	t->intrinsics[INTRINSIC_STRING].size = size;
}

/* --- names --- */

const char *tag_keyword(enum type_kind kind)
{
	return kind == TYPE_UNION ? "union" : kind == TYPE_ENUM ? "enum" : "struct";
}

/* Made hundreds of times for one clause: ten times faster than by a format. */
char *tag_name(enum type_kind kind, const char *tag)
{
	const char *word = tag_keyword(kind);
	size_t len = strlen(word), size = strlen(tag) + 1;
	char *name = mem_alloc(len + 1 + size);
	memcpy(name, word, len);
	name[len] = ' ';
	memcpy(name + len + 1, tag, size);
	return name;
}

enum declarer types_speak_for(struct types *t, enum declarer who)
{
	enum declarer before = t->declarer;
	t->declarer = who;
	return before;
}

enum declarer types_speaker(const struct types *t)
{
	return MAX(t->declarer, DECLARED_BY_D);
}

/* The declaration of KEY in TABLES by the first of FIRST to LAST who has one. */
static void *declared_find(struct hash *const *tables, enum declarer first, enum declarer last,
			   const char *key)
{
	void *found = NULL;
	for (enum declarer who = first; !found && who <= last; who++)
		if (who != DECLARED_BY_FILE || first == who) /* nobody else sees a file's names */
			found = hash_get_string(tables[who], key);
	return found;
}

/* Programs and their headers see what each other declares. */
static enum declarer with_headers(enum declarer who)
{
	return who == DECLARED_BY_D ? DECLARED_BY_C : who;
}

struct type *declared_by(struct hash *const *tables, enum declarer who, const char *key)
{
	return declared_find(tables, with_headers(who), who, key);
}

/* The declaration of KEY that the current declarer sees. */
static struct type *declared(struct types *t, struct hash *const *tables, const char *key)
{
	return declared_find(tables, with_headers(types_speaker(t)), DECLARED_BY_US, key);
}

static struct type *declared_typedef(struct types *t, const char *name)
{
	return declared(t, t->typedefs, name);
}

static struct type *declared_tag(struct types *t, enum type_kind kind, const char *tag)
{
	auto_free char *key = tag_name(kind, tag);
	return declared(t, t->tags, key);
}

const struct type *types_declared_typedef(struct types *t, enum declarer who, const char *name)
{
	return declared_by(t->typedefs, who, name);
}

const struct type *types_declared_tag(struct types *t, enum declarer who, enum type_kind kind,
				      const char *tag)
{
	auto_free char *key = tag_name(kind, tag);
	return declared_by(t->tags, who, key);
}

static const struct type *kernel_name(struct types *t, enum type_kind kind, const char *name)
{
	struct space *kernel = kernel_space(t);
	const struct type *type = kernel ? space_find(t, kernel, kind, name) : NULL;
	for (size_t i = 0; !type && i < t->modules.count; i++)
		type = space_find(t, t->modules.items[i], kind, name);
	return type;
}

/* What nobody declared, of a traced file's own: a struct of the kernel is another one. */
static const struct type *name_of_file(struct types *t, enum type_kind kind, const char *name)
{
	return t->scope && types_speaker(t) == DECLARED_BY_FILE ? scope_find(t->scope, kind, name)
								: NULL;
}

/* As kernel_name(), also in modules that were not named yet. */
static const struct type *kernel_name_anywhere(struct types *t, enum type_kind kind,
					       const char *name)
{
	const struct type *type = kernel_name(t, kind, name);
	if (type)
		return type;
	modules_open(t);
	return kernel_name(t, kind, name);
}

const struct type *types_find_tag(struct types *t, enum type_kind kind, const char *tag)
{
	const struct type *known = declared_tag(t, kind, tag);
	if (types_speaker(t) == DECLARED_BY_FILE)
		return known ? known : name_of_file(t, kind, tag);
	return known ? known : kernel_name_anywhere(t, kind, tag);
}

const struct type *forward_body(const struct type *type)
{
	struct type_body *body = type->body;
	if (!type->name || !body)
		return NULL;
	if (body->scope)
		return scope_body(body->scope, body->kind, type->name);
	const struct type *known = declared_tag(body->owner, body->kind, type->name);
	if (known && known->kind != TYPE_FORWARD)
		return known;
	if (!body->loaded) {
		body->loaded = true;
		body->found = kernel_name(body->owner, body->kind, type->name);
	}
	return body->found && body->found->kind != TYPE_FORWARD ? body->found : NULL;
}

/* If NAME begins with a tag's keyword: its kind and the tag.  Else TYPE_TYPEDEF and all of it. */
static enum type_kind split_keyword(const char *name, const char **rest)
{
	static const enum type_kind kinds[] = { TYPE_STRUCT, TYPE_UNION, TYPE_ENUM };
	while (isspace((unsigned char)*name))
		name++;
	*rest = name;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = strlen(tag_keyword(kinds[i]));
		if (strncmp(name, tag_keyword(kinds[i]), len) != 0 ||
		    !isspace((unsigned char)name[len]))
			continue;
		for (name += len; isspace((unsigned char)*name); name++)
			;
		*rest = name;
		return kinds[i];
	}
	return TYPE_TYPEDEF;
}

/* C's names are those of headers and the intrinsic ones; D's those of programs and libraries. */
static const struct type *find_by_declarer(struct types *t, bool for_c, enum type_kind kind,
					   const char *name)
{
	auto_free char *tag = kind == TYPE_TYPEDEF ? NULL : tag_name(kind, name);
	struct hash *const *tables = tag ? t->tags : t->typedefs;
	const char *key = tag ? tag : name;
	if (!for_c)
		return declared_find(tables, types_speaker(t), DECLARED_BY_LIBRARY, key);
	const struct type *type = hash_get_string(tables[DECLARED_BY_C], key);
	if (!type)
		type = hash_get_string(tables[DECLARED_BY_US], key);
	return type || tag ? type : types_base_name(t, name);
}

bool types_has_scope(struct types *t, const char *name)
{
	return string_equal(name, "C") || string_equal(name, "D") || module_space(t, name);
}

void types_set_objects(struct types *t, types_object_fn *find, void *arg)
{
	t->find_object = find;
	t->object_arg = arg;
}

bool types_scope_of_process(const char *scope, int *pid, const char **module)
{
	if (strncmp(scope, "pid", 3) != 0)
		return false;
	char *end;
	long number = isdigit((unsigned char)scope[3]) ? strtol(scope + 3, &end, 10) : 0;
	if (!number)
		end = (char *)scope + 3;
	*pid = (int)number;
	*module = end + 1;
	return *end == '`' && end[1] && !strchr(end + 1, '`') && number <= INT_MAX;
}

static const struct type *find_in_process(struct types *t, int pid, const char *module,
					  enum type_kind kind, const char *name)
{
	if (!t->find_object)
		return NULL;
	const struct file_types f = t->find_object(t->object_arg, pid, module);
	const struct type *type = f.info ? object_type(t, f.info, kind, name) : NULL;
	return type ? type : btf_file_type(t, &f, kind, name);
}

/* Where a name may be looked for: `vmlinux`x`, `D`x`, `pid`a.out`x`. */
static const struct type *find_scoped(struct types *t, const char *scope, enum type_kind kind,
				      const char *name)
{
	bool for_c = string_equal(scope, "C"), for_d = string_equal(scope, "D");
	if (for_c || for_d)
		return find_by_declarer(t, for_c, kind, name);
	int pid;
	const char *module;
	if (types_scope_of_process(scope, &pid, &module))
		return find_in_process(t, pid, module, kind, name);
	struct space *space = module_space(t, scope);
	return space ? space_find(t, space, kind, name) : NULL;
}

const struct type *types_find(struct types *t, const char *name)
{
	const char *rest;
	const char *tick = strrchr(name, '`');
	if (tick) {
		/* The keyword may be on either side: "struct m`x" or "m`struct x". */
		const char *scope_begin;
		enum type_kind kind = split_keyword(name, &scope_begin);
		if (scope_begin > tick)
			return NULL;
		auto_free char *scope = mem_strndup(scope_begin, (size_t)(tick - scope_begin));
		enum type_kind inner = split_keyword(tick + 1, &rest);
		return find_scoped(t, scope, kind != TYPE_TYPEDEF ? kind : inner, rest);
	}

	enum type_kind kind = split_keyword(name, &rest);
	if (kind != TYPE_TYPEDEF)
		return types_find_tag(t, kind, rest);
	const struct type *type = declared_typedef(t, name);
	if (!type)
		type = types_base_name(t, name);
	if (!type)
		type = name_of_file(t, TYPE_TYPEDEF, name);
	return type ? type : kernel_name_anywhere(t, TYPE_TYPEDEF, name);
}

bool types_is_typedef(struct types *t, const char *name)
{
	return declared_typedef(t, name) || name_of_file(t, TYPE_TYPEDEF, name) ||
	       kernel_name(t, TYPE_TYPEDEF, name);
}

bool types_declared_enumerator(const struct types *t, enum declarer who, const char *name,
			       int64_t *ret)
{
	const struct enumerator *e = declared_find(t->enumerators, with_headers(who), who, name);
	if (!e)
		return false;
	*ret = e->value;
	return true;
}

/* --- derived types --- */

/* Two derivations that are equal byte by byte are one type. */
struct derivation {
	const struct type *target;
	uint32_t kind;
	uint32_t detail; /* count or qualifiers */
};

static struct type *derive(struct types *t, enum type_kind kind, const struct type *target,
			   uint32_t detail, uint32_t size)
{
	struct derivation key;
	memset(&key, 0, sizeof(key));
	key.target = target;
	key.kind = kind;
	key.detail = detail;
	void **place = hash_place(t->derived, &key, sizeof(key));
	if (!*place) {
		struct type *type = type_new(t, kind, size);
		type->target = target;
		*place = type;
	}
	return *place;
}

const struct type *types_pointer(struct types *t, const struct type *target)
{
	return derive(t, TYPE_POINTER, target, 0, 8);
}

const struct type *types_stack(struct types *t, bool user, uint32_t frames)
{
	const struct type *word = types_intrinsic(t, user ? INTRINSIC_ULONG : INTRINSIC_LONG);
	struct type *type = derive(t, TYPE_STACK, word, frames, 8 * (frames + user));
	type->name = arena_printf(t->arena, "%s(%u)", user ? "ustack" : "stack", frames);
	type->count = frames;
	return type;
}

/* An array's size is asked of its element each time: a forward may be completed later. */
const struct type *types_array(struct types *t, const struct type *element, uint32_t count)
{
	struct type *type = derive(t, TYPE_ARRAY, element, count, 0);
	type->count = count;
	type->size = type_size(type);
	return type;
}

const struct type *types_opaque(struct types *t, uint32_t size, uint32_t align)
{
	struct type *byte = type_new(t, TYPE_INTEGER, 1), *type = type_new(t, TYPE_ARRAY, size);
	byte->name = "byte";
	type->target = byte;
	type->count = size;
	type->align = align;
	return type;
}

const struct type *types_qualified(struct types *t, const struct type *target, unsigned qualifiers)
{
	if (target->kind == TYPE_QUALIFIED) {
		qualifiers |= target->qualifiers;
		target = target->target;
	}
	if (!qualifiers)
		return target;
	struct type *type = derive(t, TYPE_QUALIFIED, target, qualifiers, 0);
	type->qualifiers = qualifiers;
	return type;
}

const struct type *types_function(struct types *t, const struct type *result,
				  const struct type *const *params, unsigned count, bool varargs)
{
	struct type *type = type_new(t, TYPE_FUNCTION, 0);
	const struct type **copy = arena_alloc(t->arena, count * sizeof(*copy));
	if (count)
		memcpy(copy, params, count * sizeof(*copy));
	type->target = result;
	type->params = copy;
	type->count = count;
	type->varargs = varargs;
	return type;
}

/*
 * A chain of typedefs has one link, whose alignment is that of the first in the chain that has one:
 * each question about a type follows the chain.
 */
const struct type *types_typedef(struct types *t, const char *name, const struct type *target,
				 uint32_t align)
{
	unsigned qualifiers = 0;
	for (; target->kind == TYPE_TYPEDEF || target->kind == TYPE_QUALIFIED;
	     target = target->target) {
		qualifiers |= target->qualifiers;
		align = align ? align : target->align;
	}
	target = types_qualified(t, target, qualifiers);
	struct type *type = type_new(t, TYPE_TYPEDEF, 0);
	type->name = arena_strdup(t->arena, name);
	type->target = target;
	type->align = align;
	hash_put_string(t->typedefs[t->declarer], name, type);
	return type;
}
