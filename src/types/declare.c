/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declare - structs, unions and enums that D code declares
 *
 * Layout is that of the System V ABI (x86_64, and aarch64 where they agree):
 * a bit-field stands in the unit of its declared type where the last member
 * ended, unless it would cross that unit's end; then in the next unit.
 */
#include "types/model.h"

struct type *types_declare_tag(struct types *t, enum type_kind kind, const char *tag)
{
	void **place = NULL;
	if (tag) {
		auto_free char *key = mem_printf("%s %s", tag_keyword(kind), tag);
		place = hash_place(t->tags, key, strlen(key));
		if (*place)
			return *place;
	}
	struct type *type = type_new(t, TYPE_FORWARD, 0);
	type->name = tag ? arena_strdup(t->arena, tag) : NULL;
	body_new(t, type)->kind = kind;
	if (place)
		*place = type;
	return type;
}

static uint64_t place_bit_field(uint64_t at, uint32_t width, const struct type *type)
{
	uint64_t unit = (uint64_t)type_size(type) * 8;
	if (unit && at / unit != (at + width - 1) / unit)
		return ALIGN_UP(at, (uint64_t)type_align(type) * 8);
	return at;
}

static uint32_t saturated(uint64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

void types_complete_struct(struct types *t, struct type *type, const struct member *members,
			   unsigned count)
{
	struct type_body *body = type->body;
	body->members = arena_alloc(t->arena, count * sizeof(*members));
	body->count = 0;
	uint64_t end = 0, size = 0; /* bits */
	uint32_t align = 1;
	for (unsigned i = 0; i < count; i++) {
		struct member m = members[i];
		uint32_t wanted = type_align(m.type);
		uint64_t at = body->kind == TYPE_UNION ? 0 : end;
		if (m.bit_size)
			at = place_bit_field(at, m.bit_size, m.type);
		else
			at = ALIGN_UP(at, (uint64_t)wanted * 8);
		end = at + (m.bit_size ? m.bit_size : (uint64_t)type_size(m.type) * 8);
		size = MAX(size, end);

		/* Unnamed bits are room, not members: they cannot be reached and do not align. */
		if (m.bit_size && !m.name)
			continue;
		align = MAX(align, wanted);
		m.bit_offset = saturated(at);
		if (m.name)
			m.name = arena_strdup(t->arena, m.name);
		body->members[body->count++] = m;
	}
	body->align = align;
	body->loaded = true;
	type->size = saturated(ALIGN_UP((size + 7) / 8, (uint64_t)align));
	type->kind = body->kind;
}

void types_complete_enum(struct types *t, struct type *type, const struct enumerator *list,
			 unsigned count)
{
	struct type_body *body = type->body;
	body->enumerators = arena_alloc(t->arena, count * sizeof(*list));
	body->count = count;
	body->loaded = true;
	for (unsigned i = 0; i < count; i++) {
		struct enumerator *e = &body->enumerators[i];
		e->name = arena_strdup(t->arena, list[i].name);
		e->value = list[i].value;
		hash_put_string(t->enumerators, e->name, e);
	}
	type->size = 4;
	type->is_signed = true;
	type->kind = TYPE_ENUM;
}
