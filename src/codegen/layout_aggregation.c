/* SPDX-License-Identifier: BSD-2-Clause */
/* What an aggregation keeps for each key, and where */
#include "codegen/layout.h"

/* A value of this may be all zeros and yet a result, and no key says that it is there. */
bool aggregate_needs_mark(const struct aggregation *a)
{
	return !a->key_count && (a->weighted || a->function == AGGREGATE_SUM ||
				 a->function == AGGREGATE_MIN || a->function == AGGREGATE_MAX);
}

/*
 * A value for each CPU, so that CPUs do not wait for each other, or one for all, which is changed
 * atomically as well.  Of the former the kernel has but a few ready for new keys, and gets more
 * when it finds the time: of keys that came one after the other, 18 of 20 were drops with 24 KB of
 * value, half of 1000 with 2 KB, on a busy machine most of 1000 with 1 KB; of the latter none
 * (6.18).  So large values are shared; those of quantize(), which many CPUs may well add to at
 * once, where there are not many.
 */
#define PER_CPU_SMALL 256
#define PER_CPU_QUANTIZE 1024
#define PER_CPU_MOST 32768 /* facts/kernel.md 2 */
#define MANY_CPUS 9

static bool has_value_per_cpu(const struct gen *g, uint32_t size)
{
	if (g->options->cpu_parts)
		return size <= PER_CPU_MOST;
	return size <= (g->options->cpu_count < MANY_CPUS ? PER_CPU_SMALL : PER_CPU_QUANTIZE);
}

static struct value_field component_field(const struct aggregation *a, const struct component *c,
					  unsigned number)
{
	bool as_text = c->sample && is_probe_name(c->sample) && c->is_mixed;
	struct value_field f =
		key_field(type_resolve(a->key_types[number]), as_text ? NULL : c->sample, c->bound);
	if (c->frames)
		f.size = 8 * (c->frames + (f.kind == VALUE_USTACK));
	return f;
}

void layout_aggregation(struct gen *g, struct aggregation *a, struct aggregation_layout *ret)
{
	*ret = (struct aggregation_layout) {
		.name = a->name,
		.function = a->function,
		.base = a->base,
		.step = a->step,
		.levels = a->levels,
		.ll = a->ll,
		.key_count = a->key_count,
		.map = -1,
	};
	ret->value_size = (uint32_t)aggregation_words(ret) * 8;
	if (!a->key_count) {
		ret->value_size += aggregate_needs_mark(a) ? 8 : 0;
		ret->keyless_offset = g->program->keyless_size;
		g->program->keyless_size += ret->value_size;
		return;
	}
	struct value_field *fields = arena_alloc(g->arena, a->key_count * sizeof(*fields));
	for (unsigned i = 0; i < a->key_count; i++)
		fields[i] = component_field(a, &g->components[a->index][i], i);
	struct map_layout m = {
		.kind = MAP_AGGREGATION,
		.name = a->name,
		.value_size = ret->value_size,
		.per_cpu = has_value_per_cpu(g, ret->value_size),
	};
	struct key_place key = place_key(g, fields, a->key_count, m, g->options->aggregation_size);
	ret->keys = fields;
	ret->key_size = key.size;
	ret->key_id = key.id;
	ret->map = key.map;
	ret->value_size = g->maps.items[key.map].value_size;
}
