/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of associative arrays and aggregations: their fields, and the map that each is a key of */
#include "plan/plan_internal.h"

uint32_t aligned_to(uint32_t offset, uint32_t size)
{
	uint32_t align = size >= 8 || (size & (size - 1)) ? 8 : size ? size : 1;
	return ALIGN_UP(offset, align);
}

struct value_field key_field(const struct type *type, const struct texpr *sample, uint32_t bound)
{
	struct value_field f = { .kind = VALUE_INTEGER, .size = type_size(type) };
	f.is_signed = type_is_signed(type);
	switch (type->kind) {
	case TYPE_STRING:
		f.kind = VALUE_STRING;
		f.size = ALIGN_UP(bound + 1, 8);
		if (sample && is_probe_name(sample)) {
			f.kind = VALUE_PROBE_PROVIDER + (sample->builtin == BUILTIN_probemod) +
				 2 * (sample->builtin == BUILTIN_probefunc) +
				 3 * (sample->builtin == BUILTIN_probename);
			f.size = 4;
		}
		break;
	case TYPE_STACK:
		if (type_is_kept_stack(type)) {
			f.kind = type_is_user_stack(type) ? VALUE_USTACK : VALUE_STACK;
			break;
		}
		f.kind = sample && sample->stack.user ? VALUE_USTACK : VALUE_STACK;
		f.size = 8 * ((sample ? sample->stack.frames + sample->stack.interpreted : 0) +
			      (f.kind == VALUE_USTACK));
		f.strings = sample ? sample->stack.strings : 0;
		break;
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		f.kind = sample ? sample->symbol.kind : VALUE_SYM;
		f.size = type->kind == TYPE_USYMADDR ? 16 : 8;
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ARRAY:
		f.kind = VALUE_BYTES;
		break;
	case TYPE_ENUM:
		f.type = type;
		break;
	default:
		break;
	}
	return f;
}

/* The end of the fields, placed one after the other from OFFSET on. */
static uint32_t place_fields(struct value_field *fields, unsigned count, uint32_t offset)
{
	for (unsigned i = 0; i < count; i++) {
		offset = aligned_to(offset, fields[i].size);
		fields[i].offset = offset;
		offset += fields[i].size;
	}
	return offset;
}

static uint32_t power_of_two(uint32_t at_least, uint32_t size)
{
	while (at_least < size)
		at_least *= 2;
	return at_least;
}

static int map_like(const struct planner *p, const struct map_layout *m)
{
	for (size_t i = 0; i < p->maps.count; i++) {
		const struct map_layout *have = &p->maps.items[i];
		if (have->kind == m->kind && have->key_size == m->key_size &&
		    have->value_size == m->value_size && have->shards == m->shards)
			return (int)i;
	}
	return -1;
}

/*
 * Every array and aggregation has a separate map, with keys of exactly their size, unless a group
 * needs more maps than a program may have (group.c).  Then the program is planned again with
 * `share_maps`: keys begin with the number of their array or aggregation, and sizes are rounded up
 * to powers of two, so that a few maps suffice for all.
 */
#define ID_SIZE 8
#define SHARED_KEY_LEAST 32

struct key_place place_key(struct planner *p, struct value_field *fields, unsigned count,
			   struct map_layout m, bool has_shard, uint64_t room)
{
	struct plan *plan = p->plan;
	struct key_place key = { .map = -1, .fields = fields, .count = count };
	key.size = place_fields(fields, count, plan->limits.share_maps ? ID_SIZE : 0);
	if (has_shard) {
		key.shard_offset = ALIGN_UP(key.size, sizeof(struct key_shard));
		key.size = ALIGN_UP(key.shard_offset + (uint32_t)sizeof(struct key_shard), 8);
	}
	m.key_size = key.size;
	if (plan->limits.share_maps) {
		key.id = ++p->key_ids;
		m.key_size = key.size = power_of_two(SHARED_KEY_LEAST, key.size);
		m.value_size = power_of_two(8, m.value_size);
		key.map = map_like(p, &m);
	}
	plan->zeros_size = MAX(plan->zeros_size, key.size);
	if (key.map >= 0)
		return key;
	uint64_t element = (uint64_t)m.key_size + m.value_size + MAP_ELEMENT;
	m.max_entries = (uint32_t)MIN(MAX(room / element, 1u) * m.shards, UINT32_MAX);
	plan->zeros_size = MAX(plan->zeros_size, m.value_size);
	vector_push(&p->maps, m);
	key.map = (int)p->maps.count - 1;
	return key;
}
