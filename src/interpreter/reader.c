/* SPDX-License-Identifier: BSD-2-Clause */
/* reader - the executor's own memory as a source of the consumer (executor/source.h) */
#include <string.h>

#include "interpreter/internal.h"

/* No clause runs meanwhile, so nothing is added. */
static struct error *interpreter_drain(void *self, unsigned area, bytes_visit_fn *visit, void *arg)
{
	struct own_memory *own = ((struct interpreter *)self)->own;
	struct ring *ring = &own->rings[area];
	struct error *err = NULL;
	if (area < own->flight.count)
		err = flight_drain(&own->flight, area, visit, arg);
	uint64_t at = 0, used = ring->used;
	ring->used = 0;
	while (at < used && !err) {
		uint64_t size;
		memcpy(&size, ring->bytes + at, sizeof(size));
		err = visit(arg, ring->bytes + at + sizeof(size), (uint32_t)size);
		at += ALIGN_UP(sizeof(size) + size, 8);
	}
	return err;
}

static struct error *interpreter_visit(void *self, unsigned map, element_visit_fn *visit, void *arg)
{
	return elements_each(&((struct interpreter *)self)->own->maps[map], visit, arg);
}

static struct error *interpreter_update(void *self, unsigned map, const void *key,
					const void *value)
{
	elements_put(&((struct interpreter *)self)->own->maps[map], key, value);
	return NULL;
}

static struct error *interpreter_remove(void *self, unsigned map, const void *key)
{
	elements_remove(&((struct interpreter *)self)->own->maps[map], key);
	return NULL;
}

static struct error *interpreter_settle(void *self, bool *all)
{
	*all = true;
	return NULL;
}

static const struct source_reader reader = {
	.drain = interpreter_drain,
	.visit = interpreter_visit,
	.update = interpreter_update,
	.remove = interpreter_remove,
	.settle = interpreter_settle,
};

struct error *interpreter_source(void *self, struct record_source *ret)
{
	struct interpreter *i = self;
	const struct interpreter_memory *m = &i->native.memory;
	*ret = (struct record_source) {
		.program = i->program,
		.reader = &reader,
		.self = i,
		.control = m->control,
		.counters = m->counters,
		.clause_drops = m->clause_drops,
		.keyless = m->keyless,
		.globals = m->globals,
	};
	return NULL;
}
