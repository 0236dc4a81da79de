/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serialize - a type as bytes
 *
 * A list of types, each after those that it refers to, by their numbers; the last is the type
 * itself.  A struct may contain a pointer to itself: targets of pointers are written as separate
 * types with a name and no members, so there are no circles.
 */
#include "types/model.h"

/* Types inside of one another; C code has some ten. */
#define DEPTH_MAX 200
/* Elements that have no bytes: nothing but damage has many. */
#define EMPTY_MAX 65536

struct shell {
	const struct type *type;
	uint64_t is_whole; /* with its members */
};

struct written {
	struct types *types;
	VECTOR(struct shell) list;
	struct hash *numbers;	 /* struct shell -> number, from 1; writing */
	VECTOR(unsigned) depths; /* reading */
	unsigned depth;
};

/* --- which types -------------------------------------------------------------------- */

static void shell_add(struct written *w, const struct type *type, bool is_whole);

static struct shell shell_of(const struct type *type, bool is_whole)
{
	return (struct shell) { type->kind == TYPE_FORWARD ? type_resolve(type) : type, is_whole };
}

static void add_parts(struct written *w, const struct type *type, bool is_whole)
{
	bool is_shell = type->kind == TYPE_POINTER || type->kind == TYPE_FUNCTION;
	if (type->target)
		shell_add(w, type->target, is_whole && !is_shell);
	for (uint32_t i = 0; type->kind == TYPE_FUNCTION && i < type->count; i++)
		shell_add(w, type->params[i], false);
	if (type->kind == TYPE_ENUM)
		type_enumerator_count(w->types, type); /* loads them */
	if (!is_whole || (type->kind != TYPE_STRUCT && type->kind != TYPE_UNION))
		return;
	for (unsigned i = 0; i < type_member_count(w->types, type); i++)
		shell_add(w, type_member_at(w->types, type, i)->type, true);
}

static void shell_add(struct written *w, const struct type *type, bool is_whole)
{
	struct shell s = shell_of(type, is_whole);
	if (hash_get(w->numbers, &s, sizeof(s)) || w->depth >= DEPTH_MAX)
		return;
	w->depth++;
	add_parts(w, s.type, is_whole);
	w->depth--;
	vector_push(&w->list, s);
	*hash_place(w->numbers, &s, sizeof(s)) = (void *)(uintptr_t)w->list.count;
}

/* --- one of them -------------------------------------------------------------------- */

/* A type that is on the list already; 0: none. */
static const struct type *shell_refer(struct archive *a, struct written *w, const struct type *type,
				      bool is_whole)
{
	uint64_t number = 0;
	if (a->out && type) {
		struct shell s = shell_of(type, is_whole);
		number = (uintptr_t)hash_get(w->numbers, &s, sizeof(s));
	}
	number = archive_number(a, number);
	if (a->out)
		return type;
	if (number > w->list.count)
		a->failed = true;
	if (a->failed || !number)
		return NULL;
	w->depth = MAX(w->depth, w->depths.items[number - 1] + 1);
	return w->list.items[number - 1].type;
}

static void archive_tag(struct archive *a, void *item, void *arg)
{
	uint64_t *number = item;
	ARCHIVE(a, *number);
}

static void archive_variant(struct archive *a, struct member *m)
{
	struct variant v = m->variant ? *m->variant : (struct variant) { 0 };
	bool has = m->variant;
	ARCHIVE(a, has);
	if (!has)
		return;
	ARCHIVE(a, v.tag_offset);
	ARCHIVE(a, v.tag_size);
	ARCHIVE(a, v.is_other);
	ARCHIVE(a, v.count);
	v.numbers = archive_items(a, v.numbers, v.count, sizeof(*v.numbers), archive_tag, NULL);
	a->failed |= v.tag_size < 1 || v.tag_size > 8;
	if (a->out || a->failed)
		return;
	struct variant *made = ARENA_NEW(a->arena, struct variant);
	*made = v;
	m->variant = made;
}

static void archive_member(struct archive *a, void *item, void *arg)
{
	struct member *m = item;
	m->name = archive_string(a, m->name);
	m->type = shell_refer(a, arg, m->type, true);
	ARCHIVE(a, m->bit_offset);
	ARCHIVE(a, m->bit_size);
	m->absent = archive_string(a, m->absent);
	archive_variant(a, m);
	a->failed |= !m->type;
}

static void archive_enumerator(struct archive *a, void *item, void *arg)
{
	struct enumerator *e = item;
	e->name = archive_string(a, e->name);
	ARCHIVE(a, e->value);
	a->failed |= !e->name;
}

static void archive_param(struct archive *a, void *item, void *arg)
{
	const struct type **param = item;
	*param = shell_refer(a, arg, *param, false);
	a->failed |= !*param;
}

static bool kind_has_tag(enum type_kind kind)
{
	return kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_ENUM ||
	       kind == TYPE_FORWARD;
}

/* Members or enumerators; those of a shell are left out. */
static void archive_body(struct archive *a, struct written *w, struct type *type, bool is_whole)
{
	struct type_body body = { .owner = w->types, .loaded = true };
	if (a->out)
		body = *type->body;
	body.count = is_whole && type->kind != TYPE_FORWARD ? body.count : 0;
	ARCHIVE(a, body.kind);
	ARCHIVE(a, body.align);
	ARCHIVE(a, body.count);
	if (type->kind == TYPE_ENUM)
		body.enumerators = (struct enumerator *)archive_items(
			a, body.enumerators, body.count, sizeof(*body.enumerators),
			archive_enumerator, w);
	else
		body.members = (struct member *)archive_items(
			a, body.members, body.count, sizeof(*body.members), archive_member, w);
	a->failed |=
		!kind_has_tag(body.kind) || (type->kind != TYPE_FORWARD && body.kind != type->kind);
	if (a->out || a->failed)
		return;
	type->body = ARENA_NEW(a->arena, struct type_body);
	*type->body = body;
}

static void shell_check(struct archive *a, const struct written *w, const struct type *type)
{
	bool derives = type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY ||
		       type->kind == TYPE_TYPEDEF || type->kind == TYPE_QUALIFIED ||
		       type->kind == TYPE_FUNCTION;
	if (type->kind <= TYPE_POISON || type->kind > TYPE_DYNAMIC || derives != !!type->target ||
	    w->depth > DEPTH_MAX)
		a->failed = true;
	else if (type->kind == TYPE_ARRAY && type->count > EMPTY_MAX && !type_size(type->target))
		a->failed = true;
	else if (type->kind == TYPE_TYPEDEF && !type->name)
		a->failed = true;
}

static void archive_shell(struct archive *a, void *item, void *arg)
{
	struct shell *s = item;
	struct written *w = arg;
	struct type type = a->out ? *s->type : (struct type) { 0 };
	w->depth = 0;
	ARCHIVE(a, type.kind);
	ARCHIVE(a, type.size);
	type.name = archive_string(a, type.name);
	ARCHIVE(a, type.is_signed);
	ARCHIVE(a, type.is_char);
	ARCHIVE(a, type.is_bool);
	ARCHIVE(a, type.is_time);
	ARCHIVE(a, type.qualifiers);
	ARCHIVE(a, type.count);
	ARCHIVE(a, type.varargs);
	ARCHIVE(a, type.of_process);
	ARCHIVE(a, type.align);
	bool is_shell = type.kind == TYPE_POINTER || type.kind == TYPE_FUNCTION;
	type.target = shell_refer(a, w, type.target, s->is_whole && !is_shell);
	if (type.kind == TYPE_FUNCTION)
		type.params = archive_items(a, type.params, type.count, sizeof(*type.params),
					    archive_param, w);
	if (kind_has_tag(type.kind))
		archive_body(a, w, &type, s->is_whole);
	if (a->out || a->failed)
		return;
	shell_check(a, w, &type);
	struct type *made = ARENA_NEW(a->arena, struct type);
	*made = type;
	vector_push(&w->list, (struct shell) { made, true });
	vector_push(&w->depths, w->depth);
}

const struct type *type_archive(struct archive *a, struct types *t, const struct type *type)
{
	struct written w = { .types = t, .numbers = hash_new() };
	if (a->out && type)
		shell_add(&w, type, true);
	uint64_t count = archive_number(a, w.list.count);
	archive_items(a, w.list.items, count, sizeof(*w.list.items), archive_shell, &w);
	const struct type *ret = type;
	if (!a->out)
		ret = !a->failed && w.list.count ? w.list.items[w.list.count - 1].type : NULL;
	hash_free(w.numbers);
	vector_free(&w.list);
	vector_free(&w.depths);
	return ret;
}
