/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declare - structs, unions and enums declared by D code
 *
 * Layout is that of the System V ABI (x86_64, and aarch64 where they agree): a bit-field is in the
 * unit of its declared type where the last member ended, unless it would cross that unit's end;
 * then in the next unit.
 */
#include "types/model.h"

struct type *types_declare_tag(struct types *t, enum type_kind kind, const char *tag)
{
	auto_free char *key = tag ? tag_name(kind, tag) : NULL;
	struct type *known = tag ? declared_by(t->tags, types_speaker(t), key) : NULL;
	if (known)
		return known;
	struct type *type = type_new(t, TYPE_FORWARD, 0);
	type->name = tag ? arena_strdup(t->arena, tag) : NULL;
	body_new(t, type)->kind = kind;
	type->body->scope = t->declarer == DECLARED_BY_FILE ? t->scope : NULL;
	if (tag)
		hash_put_string(t->tags[t->declarer], key, type);
	return type;
}

void types_open_tag(struct type *type)
{
	type->body->loaded = true;
	type->body->found = NULL;
}

static uint64_t place_bit_field(uint64_t at, const struct member *m, uint32_t align)
{
	uint64_t unit = (uint64_t)type_size(m->type) * 8;
	if (m->align)
		return m->align == 1 ? at : ALIGN_UP(at, (uint64_t)align * 8);
	if (unit && at / unit != (at + m->bit_size - 1) / unit)
		return ALIGN_UP(at, (uint64_t)align * 8);
	return at;
}

/* `int : 0;` ends the unit. */
static bool is_unit_end(const struct member *m)
{
	return !m->name && !m->bit_size && type_is_integer(m->type);
}

static uint32_t saturated(uint64_t n)
{
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

void types_complete_struct(struct types *t, struct type *type, const struct member *members,
			   unsigned count, uint32_t least_align)
{
	struct type_body *body = type->body;
	body->members = arena_alloc(t->arena, count * sizeof(*members));
	body->count = 0;
	uint64_t end = 0, size = 0; /* bits */
	uint32_t align = MAX(least_align, 1u);
	for (unsigned i = 0; i < count; i++) {
		struct member m = members[i];
		uint32_t wanted = m.align ? m.align : type_align(m.type);
		uint64_t at = body->kind == TYPE_UNION ? 0 : end;
		if (m.bit_size)
			at = place_bit_field(at, &m, wanted);
		else
			at = ALIGN_UP(at, (uint64_t)wanted * 8);
		if (is_unit_end(&m)) {
			end = at;
			continue;
		}
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
	int64_t least = 0, greatest = 0;
	for (unsigned i = 0; i < count; i++) {
		struct enumerator *e = &body->enumerators[i];
		e->name = arena_strdup(t->arena, list[i].name);
		e->value = list[i].value;
		least = MIN(least, e->value);
		greatest = MAX(greatest, e->value);
		hash_put_string(t->enumerators[t->declarer], e->name, e);
	}
	/* As gcc does for values that are not ints, which headers have. */
	type->size = least >= INT32_MIN && greatest <= (least < 0 ? INT32_MAX : UINT32_MAX) ? 4 : 8;
	type->is_signed = greatest <= INT32_MAX || least < 0;
	type->kind = TYPE_ENUM;
}

const struct type *types_time(struct types *t, const char *format)
{
	struct type *type = type_new(t, TYPE_ENUM, sizeof(int64_t));
	type->name = arena_strdup(t->arena, format);
	type->is_signed = type->is_time = true;
	body_new(t, type)->loaded = true;
	return type;
}
