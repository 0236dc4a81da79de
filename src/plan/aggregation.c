/* SPDX-License-Identifier: BSD-2-Clause */
/* What an aggregation keeps for each key, and where */
#include "plan/plan_internal.h"

/* A value of this may be all zeros and yet a result, and no key says that it is there. */
bool aggregate_needs_mark(const struct aggregation *a)
{
	return !a->key_count && (a->weighted || aggregate_row(a->function)->zero_is_result);
}

/*
 * Each key has a value for each group of areas that adds to it (struct key_shard).  Small values
 * are an area's own, so that areas do not wait for each other, until they are so many that the
 * table, whose size goes with the number of groups, would take longer to make than it is worth.
 * Large ones, whose words are many and so seldom the same, are shared by a few areas: they are what
 * takes the memory.
 *
 * The kernel's own tables of values for each CPU were dropped: it has but a few values ready for
 * new keys and gets more when it finds the time, so a new key costs 13 us instead of 0.3, and of
 * bursts most were lost (with 1 KB of value, on a busy machine, most of 1000 keys).
 */
#define SMALL_VALUE 256
#define SHARDS_MOST 64
#define AREAS_PER_LARGE_VALUE 8

static unsigned areas_per_shard(const struct planner *p, uint32_t value_size)
{
	if (p->options->cpu_parts)
		return 1;
	unsigned areas = value_size <= SMALL_VALUE ? 1 : AREAS_PER_LARGE_VALUE;
	while (areas * SHARDS_MOST < p->options->area_count)
		areas *= 2;
	return areas;
}

static struct value_field component_field(const struct aggregation *a, const struct component *c,
					  unsigned number)
{
	bool as_text = c->sample && is_probe_name(c->sample) && (c->is_mixed || a->is_walked);
	struct value_field f =
		key_field(type_resolve(a->key_types[number]), as_text ? NULL : c->sample, c->bound);
	if (c->frames) {
		f.size = 8 * (c->frames + c->interpreted + (f.kind == VALUE_USTACK));
		f.strings = c->strings;
	}
	if (f.kind == VALUE_INTEGER)
		f.column_size = (uint8_t)type_size(a->column_types[number]);
	return f;
}

static void place_generation(struct planner *p, const struct aggregation *a,
			     struct aggregation_layout *ret)
{
	ret->has_generations = p->begins_anew[a->index];
	if (!ret->has_generations)
		return;
	ret->generation_offset = ALIGN_UP(p->plan->globals_size, 8);
	p->plan->globals_size = ret->generation_offset + sizeof(uint64_t);
}

void place_aggregation(struct planner *p, const struct aggregation *a,
		       struct aggregation_layout *ret)
{
	*ret = (struct aggregation_layout) {
		.name = a->name,
		.function = a->function,
		.base = a->base,
		.step = a->step,
		.levels = a->levels,
		.ll = a->ll,
		.is_walked = a->is_walked,
		.key_count = a->key_count,
		.map = -1,
	};
	unsigned words = (unsigned)aggregation_words(ret) + aggregate_needs_mark(a);
	if (p->plan->options->is_for_programs && aggregate_row(a->function)->is_histogram)
		ret->sum_word = words++;
	ret->value_size = words * 8;
	if (!a->key_count) {
		ret->keyless_offset = p->plan->keyless_size;
		p->plan->keyless_size += ret->value_size;
		return;
	}
	struct value_field *fields = arena_alloc(p->arena, a->key_count * sizeof(*fields));
	for (unsigned i = 0; i < a->key_count; i++)
		fields[i] = component_field(a, &p->components[a->index][i], i);
	ret->areas_per_shard = areas_per_shard(p, ret->value_size);
	struct map_layout m = {
		.kind = MAP_AGGREGATION,
		.name = a->name,
		.value_size = ret->value_size,
		.shards =
			(p->options->area_count + ret->areas_per_shard - 1) / ret->areas_per_shard,
	};
	place_generation(p, a, ret);
	struct key_place key =
		place_key(p, fields, a->key_count, m, m.shards > 1 || ret->has_generations,
			  p->options->aggregation_size);
	ret->keys = fields;
	ret->key_size = key.size;
	ret->key_id = key.id;
	ret->shard_offset = key.shard_offset;
	ret->map = key.map;
	ret->value_size = p->maps.items[key.map].value_size;
}
