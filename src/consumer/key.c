/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * key - the bytes of keys: their order, and the join of keys of several aggregations
 *
 * Each aggregation has its keys as short as its clauses allow: execname in 16
 * bytes, a probe's name as its number.  printa(@a, @b) joins tuples with equal
 * keys, so the keys of both are converted to one layout that can contain either
 * (keys_join()).
 */
#include <string.h>

#include "consumer/internal.h"

struct key_layout key_layout_of(const struct aggregation_layout *a)
{
	return (struct key_layout) { a->keys, a->key_count, a->key_size };
}

/* --- order -------------------------------------------------------------------------------- */

static int numbers_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint64_t key_integer(const struct value_field *f, const unsigned char *bytes)
{
	uint64_t x = 0;
	memcpy(&x, bytes, MIN(f->size, 8));
	if (f->is_signed && f->size < 8) {
		unsigned shift = 64 - 8 * f->size;
		x = (uint64_t)((int64_t)(x << shift) >> shift);
	}
	return x;
}

static int integers_compare(const struct value_field *f, const unsigned char *a,
			    const unsigned char *b)
{
	uint64_t x = key_integer(f, a), y = key_integer(f, b);
	if (f->is_signed)
		return (int64_t)x < (int64_t)y ? -1 : (int64_t)x > (int64_t)y;
	return numbers_compare(x, y);
}

static int words_compare(const unsigned char *a, const unsigned char *b, uint32_t size)
{
	for (uint32_t at = 0; at + 8 <= size; at += 8) {
		uint64_t x, y;
		memcpy(&x, a + at, 8);
		memcpy(&y, b + at, 8);
		if (x != y)
			return numbers_compare(x, y);
	}
	return 0;
}

/* By address: how frames were found does not matter. */
static int frames_compare(const unsigned char *a, const unsigned char *b, uint32_t size)
{
	for (uint32_t at = 0; at + 8 <= size; at += 8) {
		uint64_t x, y;
		memcpy(&x, a + at, 8);
		memcpy(&y, b + at, 8);
		if (frame_address(x) != frame_address(y))
			return numbers_compare(frame_address(x), frame_address(y));
	}
	return 0;
}

static const char *probe_text(const struct consumer *c, enum value_kind kind,
			      const unsigned char *bytes)
{
	uint32_t id;
	memcpy(&id, bytes, sizeof(id));
	const struct probe_names *names = consumer_probe(c, id);
	return names ? probe_name_part(names, kind) : "";
}

static int key_compare(const struct consumer *c, const struct value_field *f,
		       const unsigned char *a, const unsigned char *b)
{
	switch (f->kind) {
	case VALUE_INTEGER:
		return integers_compare(f, a, b);
	case VALUE_STRING:
	case VALUE_STRING_INLINE:
		return strncmp((const char *)a, (const char *)b, f->size);
	case VALUE_STRING_CONST:
		return 0;
	case VALUE_PROBE_PROVIDER:
	case VALUE_PROBE_MODULE:
	case VALUE_PROBE_FUNCTION:
	case VALUE_PROBE_NAME:
		return strcmp(probe_text(c, f->kind, a), probe_text(c, f->kind, b));
	case VALUE_STACK:
		return words_compare(a, b, f->size);
	case VALUE_USTACK:
		return frames_compare(a, b, f->size);
	case VALUE_SYM:
	case VALUE_MOD:
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		return words_compare(a, b, value_symbol_size(f->kind));
	case VALUE_BYTES:
	case VALUE_MEMORY:
	case VALUE_FLOAT:
		return memcmp(a, b, f->size);
	}
	return 0;
}

int keys_compare(const struct consumer *c, const struct key_layout *layout, const unsigned char *a,
		 const unsigned char *b, unsigned first)
{
	unsigned count = layout->count;
	if (first >= count)
		first = 0;
	for (unsigned i = 0; i < count; i++) {
		const struct value_field *f = &layout->fields[(first + i) % count];
		int order = key_compare(c, f, a + f->offset, b + f->offset);
		if (order)
			return order;
	}
	return 0;
}

/* The first bytes of a string, as a number. */
static uint64_t string_rank(const unsigned char *text, uint32_t size)
{
	uint64_t rank = 0;
	bool is_over = false;
	for (uint32_t i = 0; i < 8; i++) {
		is_over = is_over || i >= size || !text[i];
		rank = rank << 8 | (is_over ? 0 : text[i]);
	}
	return rank;
}

uint64_t key_rank(const struct key_layout *layout, const unsigned char *key, unsigned first)
{
	if (!layout->count)
		return 0;
	const struct value_field *f = &layout->fields[first < layout->count ? first : 0];
	switch (f->kind) {
	case VALUE_INTEGER:
		return key_integer(f, key + f->offset) ^ (f->is_signed ? 1ULL << 63 : 0);
	case VALUE_STRING:
	case VALUE_STRING_INLINE:
		return string_rank(key + f->offset, f->size);
	default:
		return 0;
	}
}

/* --- joining ------------------------------------------------------------------------------ */

static bool key_fields_agree(const struct value_field *a, const struct value_field *b)
{
	return a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed &&
	       a->offset == b->offset &&
	       (a->kind != VALUE_STRING_CONST || strcmp(a->text, b->text) == 0);
}

bool key_layouts_agree(const struct key_layout *a, const struct key_layout *b)
{
	for (unsigned i = 0; i < a->count; i++)
		if (!key_fields_agree(&a->fields[i], &b->fields[i]))
			return false;
	return a->count == b->count && a->size == b->size;
}

/* Keys are joined only with keys of their class. */
static const char *class_of(enum value_kind kind)
{
	if (value_kind_is_text(kind))
		return "a string";
	if (value_kind_is_stack(kind))
		return value_kind_is_user(kind) ? "a user stack" : "a kernel stack";
	if (value_kind_is_symbol(kind))
		return value_kind_is_user(kind) ? "a user symbol" : "a kernel symbol";
	return kind == VALUE_INTEGER ? "a number" : "bytes";
}

static struct error *join_check(const struct aggregation_layout *a,
				const struct aggregation_layout *b)
{
	for (unsigned i = 0; i < a->key_count && i < b->key_count; i++) {
		const char *one = class_of(a->keys[i].kind), *other = class_of(b->keys[i].kind);
		if (strcmp(one, other) != 0)
			return error_new("printa() cannot join @%s and @%s: key %u is %s in one "
					 "and %s in the other",
					 a->name, b->name, i + 1, one, other);
	}
	if (a->key_count != b->key_count)
		return error_new("printa() cannot join @%s and @%s: they have %u and %u keys",
				 a->name, b->name, a->key_count, b->key_count);
	return NULL;
}

struct error *keys_check_join(const struct program *p, const struct action_layout *action)
{
	for (unsigned i = 1; i < action->aggregation_count; i++) {
		struct error *err = join_check(&p->aggregations[action->aggregations[0]],
					       &p->aggregations[action->aggregations[i]]);
		if (err)
			return err;
	}
	return NULL;
}

/* Space for both: the wider number, the longer string or stack. */
static void field_widen(const struct program *p, struct value_field *into,
			const struct value_field *f)
{
	into->column_size = MAX(into->column_size, f->column_size);
	if (value_kind_is_text(f->kind) && into->kind != f->kind) {
		into->kind = VALUE_STRING;
		into->size = MAX(MAX(into->size, f->size), p->string_size);
	} else if (f->size > into->size) {
		into->size = f->size;
		into->is_signed = f->is_signed;
	}
}

struct key_layout keys_join(const struct program *p, const uint32_t *aggregations, unsigned count,
			    struct arena *arena)
{
	struct key_layout first = key_layout_of(&p->aggregations[aggregations[0]]);
	/* Keys that begin with an id begin each with another one. */
	bool agree = count == 1 || !p->aggregations[aggregations[0]].key_id;
	for (unsigned i = 1; i < count && agree; i++) {
		struct key_layout other = key_layout_of(&p->aggregations[aggregations[i]]);
		agree = key_layouts_agree(&first, &other);
	}
	if (agree)
		return first;

	struct value_field *fields = arena_alloc(arena, first.count * sizeof(*fields) + 1);
	uint32_t size = 0;
	for (unsigned i = 0; i < first.count; i++) {
		fields[i] = first.fields[i];
		for (unsigned j = 1; j < count; j++)
			field_widen(p, &fields[i], &p->aggregations[aggregations[j]].keys[i]);
		fields[i].offset = size;
		size += ALIGN_UP(fields[i].size, 8);
	}
	return (struct key_layout) { fields, first.count, size };
}

static const char *key_field_text(const struct consumer *c, const struct value_field *f,
				  const unsigned char *bytes, size_t *len)
{
	const char *text = (const char *)bytes;
	if (f->kind == VALUE_STRING_CONST)
		text = f->text;
	else if (value_kind_is_probe_name(f->kind))
		text = probe_text(c, f->kind, bytes);
	else
		return *len = strnlen(text, f->size), text;
	return *len = strlen(text), text;
}

static void field_convert(const struct consumer *c, const struct value_field *from,
			  const unsigned char *bytes, const struct value_field *to,
			  unsigned char *ret)
{
	if (to->kind == VALUE_STRING && from->kind != VALUE_STRING) {
		size_t len;
		const char *text = key_field_text(c, from, bytes, &len);
		memcpy(ret, text, MIN(len, to->size));
	} else if (from->kind == VALUE_INTEGER) {
		uint64_t x = key_integer(from, bytes);
		memcpy(ret, &x, MIN(to->size, 8));
	} else {
		memcpy(ret, bytes, from->size);
	}
}

void key_convert(const struct consumer *c, const struct key_layout *from, const unsigned char *key,
		 const struct key_layout *to, unsigned char *ret)
{
	for (unsigned i = 0; i < to->count; i++) {
		const struct value_field *f = &from->fields[i], *t = &to->fields[i];
		field_convert(c, f, key + f->offset, t, ret + t->offset);
	}
}
