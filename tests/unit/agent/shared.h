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

/* The heap, so that the address sanitizer sees what is outside. */
static inline void shared_init(struct shared *s, const struct program *p,
			       const struct executor_options *o)
{
	check_holds("layout", agent_layout_init(&s->layout, p, o));
	char *memory = aligned_alloc(4096, s->layout.head.size);
	memset(memory, 0, s->layout.head.size);
	agent_layout_write(&s->layout, memory);
	agent_view_init(&s->view, &s->layout, memory);
	s->memory = agent_tracer_memory(&s->view);
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
