/* SPDX-License-Identifier: BSD-2-Clause */
/* The shared memory as the interpreter's, for BEGIN, END and ticks */
#include <errno.h>

#include "agent/agent.h"

static char *tracer_find(void *view, unsigned map, const void *key)
{
	return agent_find(view, map, key);
}

static long tracer_update(void *view, unsigned map, const void *key, const void *value,
			  uint64_t flags)
{
	return agent_insert(view, map, key, value, flags);
}

static long tracer_remove(void *view, unsigned map, const void *key)
{
	return agent_delete(view, map, key);
}

static struct error *tracer_each(void *view, unsigned map, element_visit_fn *visit, void *arg)
{
	return agent_each(view, map, visit, arg);
}

static long tracer_put(void *view, unsigned area, const void *data, uint64_t size)
{
	return agent_put(view, data, size) ? 0 : -EAGAIN;
}

static uint64_t tracer_used(void *view, unsigned area)
{
	return agent_used(view);
}

static const struct interpreter_functions tracer_functions = {
	.find = tracer_find,
	.update = tracer_update,
	.remove = tracer_remove,
	.each = tracer_each,
	.output = tracer_put,
	.used = tracer_used,
};

static struct clause_drops *view_clause_drops(const struct agent_view *v)
{
	uint64_t at = v->layout->head.clause_drops;
	return at ? (struct clause_drops *)(void *)(v->memory + at) : NULL;
}

struct record_source agent_source(const struct agent_view *v, const struct program *program,
				  const struct source_reader *reader, void *self)
{
	const struct process_head *h = &v->layout->head;
	char *m = v->memory;
	return (struct record_source) {
		.program = program,
		.reader = reader,
		.self = self,
		.control = (struct control *)(void *)(m + h->control),
		.counters = (struct area_counters *)(void *)(m + h->counters),
		.clause_drops = view_clause_drops(v),
		.keyless = m + h->keyless,
		.globals = m + h->globals,
		.area_words = "in area",
	};
}

struct interpreter_memory agent_tracer_memory(struct agent_view *v)
{
	const struct process_head *h = &v->layout->head;
	char *m = v->memory;
	unsigned area = agent_reserve(v);
	return (struct interpreter_memory) {
		.bytes = m,
		.size = h->size,
		.is_shared = true,
		.control = (struct control *)(void *)(m + h->control),
		.counters = (struct area_counters *)(void *)(m + h->counters),
		.clause_drops = view_clause_drops(v),
		.globals = m + h->globals,
		.keyless = m + h->keyless,
		.scratch = m + h->scratch,
		.self = m + h->self + area * h->self_size,
		.flight = m + h->flight,
		.flight_stride = h->flight_stride,
		.speculations = m + h->speculations,
		.speculation_count = h->speculation_count,
		.speculation_size = h->speculation_size,
		.speculation_stride = h->speculation_stride,
		.ring_size = h->ring_size,
		.area = area,
		.functions = &tracer_functions,
		.arg = v,
	};
}
