/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who runs the clauses: -x executor
 *
 * The kernel is called by loader/'s functions yet, which go.c, attach.c and run.c know; every other
 * executor by its table (executor/executor.h).
 */
#include "base/clock.h"
#include "interpreter/interpreter.h"
#include "tracer/internal.h"

void tracer_choose_executor(struct tracer *t)
{
	/* the words of the option, in their order; NULL: the kernel */
	static const struct executor_ops *const executors[] = { NULL, &interpreter_executor };
	t->executor = executors[option_number(t->options, OPTION_executor)];
}

/* --- what it cannot run -------------------------------------------------------------------------
 */

static struct executor_event event_of(const struct event *e)
{
	struct executor_event event = { .kind = e->kind };
	if (e->kind == EVENT_TIMER) {
		event.period = e->timer.period;
		event.on_each_cpu = e->timer.on_each_cpu;
	}
	return event;
}

static struct error *check_events(const struct tracer *t, const struct group_code *g)
{
	for (uint32_t i = 0; i < g->event_count; i++) {
		const struct probe *p = probe_db_get(t->probes, g->probe_ids[i * g->passes]);
		struct executor_event event = event_of(&g->events[i]);
		const char *why = t->executor->refuse_event(&event);
		if (why)
			return error_new("%s:%s:%s:%s: %s", p->provider, p->module, p->function,
					 p->name, why);
	}
	return NULL;
}

/* The clause that instruction AT is of, or NULL. */
static const struct clause_layout *clause_at(const struct program *p, const struct group_code *g,
					     uint32_t at)
{
	uint32_t clause = UINT32_MAX;
	for (uint32_t i = 0; i < g->line_count && g->lines[i].instruction <= at; i++)
		clause = g->lines[i].clause;
	return clause < p->clause_count ? &p->clauses[clause] : NULL;
}

static struct error *check_calls(const struct tracer *t, const struct group_code *g)
{
	static const char *const words[] = {
#define RT(name, where, what) [RT_##name] = #name ": " what,
#include "abi/rt.def"
#undef RT
	};
	for (uint32_t i = 0; i < g->relocation_count; i++) {
		const struct relocation *r = &g->relocations[i];
		if (r->kind != RELOCATE_CALL || t->executor->has((enum rt_function)r->index))
			continue;
		const struct clause_layout *c = clause_at(&t->program, g, r->instruction);
		return error_new("%s (line %u) needs what only the kernel has (%s), not %s",
				 c ? c->description : event_name(g->kind), c ? c->line : 0,
				 words[r->index], t->executor->name);
	}
	return NULL;
}

struct error *tracer_executor_load(struct tracer *t)
{
	const struct options *o = t->options;
	struct error *err = NULL;
	for (unsigned i = 0; i < t->program.group_count && !err; i++) {
		err = check_events(t, &t->program.groups[i]);
		if (!err)
			err = check_calls(t, &t->program.groups[i]);
	}
	if (err)
		return err;
	tracer_notice_options(t);
	struct executor_options options = {
		.policy = tracer_policy(t),
		.buffer_size = option_number(o, OPTION_bufsize),
		.dynamic_size = option_number(o, OPTION_dynvarsize),
		.speculation_count = (unsigned)option_number(o, OPTION_nspec),
		.speculation_size = tracer_speculation_size(o),
		.wall_offset = clock_wall_offset(),
	};
	return t->executor->load(&t->program, &options, &t->executing);
}

struct error *tracer_executor_attach(struct tracer *t)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < t->program.group_count; i++) {
		const struct group_code *g = &t->program.groups[i];
		for (uint32_t k = 0; k < g->event_count && !err; k++) {
			struct executor_event event = event_of(&g->events[k]);
			err = t->executor->attach(t->executing, i, k, &event);
		}
	}
	return err;
}

struct error *tracer_executor_fire(struct tracer *t, enum event_kind kind)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < t->program.group_count; i++) {
		const struct group_code *g = &t->program.groups[i];
		for (uint32_t k = 0; g->kind == kind && k < g->event_count && !err; k++)
			err = t->executor->fire(t->executing, i, k);
	}
	return err;
}
