/* SPDX-License-Identifier: BSD-2-Clause */
/* shared - the interpreter on memory as processes share it, bound as an executor would do it */
#ifndef TESTS_AGENT_SHARED_H
#define TESTS_AGENT_SHARED_H

#include "agent/agent.h"
#include "compile.h"
#include "interpreter/interpreter.h"

struct shared {
	struct agent_layout layout;
	struct agent_view view;
	struct interpreter_memory memory;
	void *self; /* for the functions of interpreter_executor */
};

static inline char *shared_find(void *view, unsigned map, const void *key)
{
	return agent_find(view, map, key);
}

static inline long shared_update(void *view, unsigned map, const void *key, const void *value,
				 uint64_t flags)
{
	return agent_insert(view, map, key, value, flags);
}

static inline long shared_remove(void *view, unsigned map, const void *key)
{
	return agent_delete(view, map, key);
}

static inline struct error *shared_each(void *view, unsigned map, element_visit_fn *visit,
					void *arg)
{
	return agent_each(view, map, visit, arg);
}

static inline long shared_output(void *view, unsigned area, const void *data, uint64_t size)
{
	return agent_put(view, data, size) ? 0 : -1;
}

static inline uint64_t shared_used(void *view, unsigned area)
{
	return agent_used(view);
}

static const struct interpreter_functions shared_functions = {
	.find = shared_find,
	.update = shared_update,
	.remove = shared_remove,
	.each = shared_each,
	.output = shared_output,
	.used = shared_used,
};

static inline struct interpreter_memory shared_places(struct agent_view *v, unsigned area)
{
	const struct process_head *h = &v->layout->head;
	char *m = v->memory;
	return (struct interpreter_memory) {
		.bytes = m,
		.size = h->size,
		.is_shared = true,
		.control = (struct control *)(void *)(m + h->control),
		.counters = (struct area_counters *)(void *)(m + h->counters),
		.clause_drops = h->clause_drops
					? (struct clause_drops *)(void *)(m + h->clause_drops)
					: NULL,
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
		.functions = &shared_functions,
		.arg = v,
	};
}

/* The heap, so that the address sanitizer sees what is outside. */
static inline void shared_init(struct shared *s, const struct program *p,
			       const struct executor_options *o)
{
	check_holds("layout", agent_layout_init(&s->layout, p, o));
	char *memory = aligned_alloc(4096, s->layout.head.size);
	memset(memory, 0, s->layout.head.size);
	agent_layout_write(&s->layout, memory);
	agent_view_init(&s->view, &s->layout, memory);
	s->memory = shared_places(&s->view, agent_reserve(&s->view));
	s->memory.control->activity = ACTIVITY_ACTIVE;
	check_holds("interpreter", interpreter_on(p, o, &s->memory, &s->self));
}

static inline void shared_deinit(struct shared *s)
{
	interpreter_executor.free(s->self);
	free(s->view.memory);
	agent_view_deinit(&s->view);
	agent_layout_deinit(&s->layout);
}

/* SCRIPT, in which a mistake is one of the test. */
static inline void shared_compile(struct compiled *c, const char *script)
{
	if (compile(c, "fire.d", script, &compile_defaults))
		return;
	diagnostics_print(&c->mistakes, stdout, "fire_test", true, 20);
	exit(1);
}

/* Has the interpreter all functions that the group calls? */
static inline bool group_runs(const struct group_code *g)
{
	for (uint32_t i = 0; i < g->relocation_count; i++)
		if (g->relocations[i].kind == RELOCATE_CALL &&
		    rt_row((enum rt_function)g->relocations[i].index)->where == WHERE_KERNEL)
			return false;
	return !g->part;
}

static inline bool program_runs(const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++)
		if (!p->groups[i].part && !group_runs(&p->groups[i]))
			return false;
	return true;
}

#endif
