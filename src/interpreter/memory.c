/* SPDX-License-Identifier: BSD-2-Clause */
/* memory - the memory that the executor makes itself: state, maps, buffers */
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "interpreter/internal.h"

/* SIZE zero bytes, for WHAT, into *RET. */
static struct error *own_block(struct own_memory *own, const char *what, size_t size, void *ret)
{
	void *bytes = try_alloc(size + 8);
	if (!bytes)
		return error_new("no memory for %s: %zu bytes", what, size);
	vector_push(&own->blocks, bytes);
	memcpy(ret, &bytes, sizeof(bytes));
	return NULL;
}

/* --- the state -------------------------------------------------------------------------------- */

/* The state, scratch memory, thread variables. */
static struct error *state_create(struct own_memory *own, struct interpreter_memory *m)
{
	const struct program *p = own->program;
	struct regions r = state_regions(p);
	uint64_t scratch = region_align(r.size), self = scratch + region_align(scratch_size(p));
	m->size = self + p->self_size;
	struct error *err = own_block(own, "the state", m->size, &m->bytes);
	if (err)
		return err;
	m->control = (struct control *)(void *)m->bytes;
	m->counters = (struct area_counters *)(void *)(m->bytes + r.counters);
	m->globals = m->bytes + r.globals;
	m->keyless = m->bytes + r.keyless;
	if (p->drops_by_clause)
		m->clause_drops = (struct clause_drops *)(void *)(m->bytes + r.clause_drops);
	m->scratch = m->bytes + scratch;
	m->self = m->bytes + self;
	return NULL;
}

/* --- maps ------------------------------------------------------------------------------------- */

static struct elements *own_map(void *own, unsigned map)
{
	return &((struct own_memory *)own)->maps[map];
}

static char *own_find(void *own, unsigned map, const void *key)
{
	return elements_find(own_map(own, map), key);
}

static long own_update(void *own, unsigned map, const void *key, const void *value, uint64_t flags)
{
	if (flags == BPF_NOEXIST && elements_find(own_map(own, map), key))
		return -EEXIST;
	return elements_put(own_map(own, map), key, value) ? 0 : -E2BIG;
}

static long own_remove(void *own, unsigned map, const void *key)
{
	return elements_remove(own_map(own, map), key) ? 0 : -ENOENT;
}

static struct error *own_each(void *own, unsigned map, element_visit_fn *visit, void *arg)
{
	return elements_each(own_map(own, map), visit, arg);
}

/* --- buffers ---------------------------------------------------------------------------------- */

static long own_output(void *arg, unsigned area, const void *data, uint64_t size)
{
	struct own_memory *own = arg;
	struct ring *ring = &own->rings[area];
	uint64_t room = ALIGN_UP(sizeof(size) + size, 8);
	if (ring->used + room > own->ring_size - 1)
		return -ENOSPC;
	if (!ring->bytes)
		ring->bytes = mem_zalloc(own->ring_size);
	memcpy(ring->bytes + ring->used, &size, sizeof(size));
	memcpy(ring->bytes + ring->used + sizeof(size), data, size);
	ring->used += room;
	return 0;
}

static uint64_t own_used(void *own, unsigned area)
{
	return ((struct own_memory *)own)->rings[area].used;
}

static struct error *speculations_create(struct own_memory *own, const struct executor_options *o,
					 struct interpreter_memory *m)
{
	if (!program_calls(own->program, RT_speculation))
		return NULL;
	m->speculation_count = o->speculation_count;
	m->speculation_size = executor_speculation_size(o, m->ring_size);
	m->speculation_stride = ALIGN_UP(sizeof(struct speculation) + m->speculation_size +
						 own->program->slot_size + 16,
					 64);
	return own_block(own, "speculations", m->speculation_count * m->speculation_stride,
			 &m->speculations);
}

static struct error *flight_create(struct own_memory *own, struct interpreter_memory *m)
{
	uint64_t slack = MAX((uint64_t)own->program->slot_size, m->speculation_size);
	m->flight_stride = ALIGN_UP(sizeof(struct flight) + m->ring_size + slack + 64, 64);
	struct error *err =
		own_block(own, "buffers", own->program->area_count * m->flight_stride, &m->flight);
	if (err)
		return err;
	own->flight = (struct flight_memory) { .memory = m->flight,
					       .count = own->program->area_count,
					       .stride = (uint32_t)m->flight_stride,
					       .size = (uint32_t)m->ring_size };
	flight_init(&own->flight);
	return NULL;
}

static struct error *buffers_create(struct own_memory *own, const struct executor_options *o,
				    struct interpreter_memory *m)
{
	m->ring_size = executor_ring_size(o);
	own->ring_size = m->ring_size;
	m->control->wake_bytes = m->ring_size / 4;
	own->rings = mem_zalloc(own->program->area_count * sizeof(*own->rings));
	struct error *err = speculations_create(own, o, m);
	return err || o->policy != POLICY_RING ? err : flight_create(own, m);
}

/* --- all -------------------------------------------------------------------------------------- */

static const struct interpreter_functions own_functions = {
	.find = own_find,
	.update = own_update,
	.remove = own_remove,
	.each = own_each,
	.output = own_output,
	.used = own_used,
};

struct error *own_memory_make(struct own_memory *own, const struct program *p,
			      const struct executor_options *o, struct machine *machine,
			      struct interpreter_memory *ret)
{
	struct interpreter_memory m = { .area = AREA_OF_CPU,
					.functions = &own_functions,
					.arg = own };
	*own = (struct own_memory) { .program = p };
	own->maps = mem_zalloc(p->map_count * sizeof(*own->maps));
	for (unsigned k = 0; k < p->map_count; k++)
		elements_init(&own->maps[k], &p->maps[k], machine);
	struct error *err = state_create(own, &m);
	if (!err)
		err = buffers_create(own, o, &m);
	if (err)
		return err;
	if (p->self_size)
		m.control->self_limit = self_limit(p, o);
	*ret = m;
	return NULL;
}

void own_memory_free(struct own_memory *own)
{
	if (!own)
		return;
	for (unsigned k = 0; k < own->program->map_count; k++)
		elements_deinit(&own->maps[k]);
	free(own->maps);
	for (uint32_t area = 0; own->rings && area < own->program->area_count; area++)
		free(own->rings[area].bytes);
	free(own->rings);
	flight_deinit(&own->flight);
	for (size_t k = 0; k < own->blocks.count; k++)
		free(own->blocks.items[k]);
	vector_free(&own->blocks);
	free(own);
}
