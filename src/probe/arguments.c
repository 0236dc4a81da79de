/* SPDX-License-Identifier: BSD-2-Clause */
/* arguments - args[] of probes: when they are known, and whether those of two probes agree */
#include "probe/probe.h"

const struct probe_args *probe_db_arguments(struct probe_db *db, const struct probe *p)
{
	return p->owner->arguments ? p->owner->arguments(db, p) : p->args;
}

static bool same_texts(const char *const *a, const char *const *b)
{
	if (a == b)
		return true;
	if (!a || !b)
		return false;
	for (; *a && *b; a++, b++)
		if (!string_equal(*a, *b))
			return false;
	return *a == *b;
}

/* What pointers lead to; each unit of a program has types of its own for the same header. */
static const struct type *innermost(const struct type *type)
{
	for (type = type_resolve(type); type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;)
		type = type_resolve(type->target);
	return type;
}

bool probe_types_same(const struct type *a, const struct type *b)
{
	if (a == b)
		return true;
	const struct type *x = innermost(a), *y = innermost(b);
	if (x != y && (x->size != y->size || (type_is_struct(x) && !x->name)))
		return false;
	if (!type_same_members(x, y))
		return false;
	auto_strbuf struct strbuf one = { 0 }, other = { 0 };
	type_print(a, &one);
	type_print(b, &other);
	return string_equal(strbuf_text(&one), strbuf_text(&other));
}

static bool same_list(const struct probe_args *a, const struct probe_args *b)
{
	if (a->count != b->count || !a->problem != !b->problem)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (!probe_types_same(a->list[i].type, b->list[i].type))
			return false;
	return true;
}

static bool same_strings(const char *const *a, const char *const *b, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!string_equal(a[i], b[i]))
			return false;
	return true;
}

bool probe_declarations_same(const struct probe_declaration *a, const struct probe_declaration *b)
{
	if (a == b || !a || !b)
		return a == b;
	return a->unit == b->unit && a->native_count == b->native_count &&
	       a->output_count == b->output_count && memcmp(a->map, b->map, a->output_count) == 0 &&
	       same_strings(a->natives, b->natives, a->native_count) &&
	       same_strings(a->outputs, b->outputs, a->output_count);
}

bool probe_args_same(const struct probe_args *a, const struct probe_args *b)
{
	if (a == b)
		return true;
	return a && b && a->user_pointers == b->user_pointers && same_texts(a->types, b->types) &&
	       same_list(a, b);
}

static bool words_are_same(const struct probe_word *a, const struct probe_word *b)
{
	return a->kind == b->kind && a->value == b->value;
}

bool probe_argument_same_place(const struct probe_argument *a, const struct probe_argument *b)
{
	if (!a->problem != !b->problem || a->in_memory != b->in_memory || a->count != b->count ||
	    a->word != b->word || a->offset != b->offset)
		return false;
	if (a->in_memory)
		return a->by_address == b->by_address && words_are_same(&a->base, &b->base);
	for (unsigned i = 0; i < a->count; i++)
		if (!words_are_same(&a->words[i], &b->words[i]))
			return false;
	return true;
}

bool probe_args_same_places(const struct probe_args *a, const struct probe_args *b)
{
	if (!probe_args_same(a, b))
		return false;
	for (unsigned i = 0; a && i < a->count; i++)
		if (!probe_argument_same_place(&a->list[i], &b->list[i]))
			return false;
	return true;
}
