/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the executor; programs that it cannot run are refused before anything is made. */
#include "loader/loader.h"
#include "tracer/internal.h"

struct error *tracer_lacks(const struct tracer *t, bool has_it, const char *what)
{
	return has_it ? NULL : error_new("%s cannot %s (-x executor)", t->executor->name, what);
}

/* --- programs that it cannot run ------------------------------------------------------------- */

static struct error *check_events(const struct tracer *t, const struct executor_ops *executor,
				  const struct group_code *g)
{
	for (uint32_t i = 0; i < g->event_count; i++) {
		const struct probe *p = probe_db_get(t->probes, g->probe_ids[i * g->passes]);
		const char *why = executor->refuse_event(&g->events[i]);
		if (why)
			return error_new("%s:%s:%s:%s: %s", p->provider, p->module, p->function,
					 p->name, why);
	}
	return NULL;
}

/* The table of threads that have self variables is the kernel's. */
static struct error *check_walks(const struct group_code *g, const struct executor_ops *executor)
{
	uint32_t line = 0;
	for (uint32_t i = 0; i < g->relocation_count; i++) {
		const struct relocation *r = &g->relocations[i];
		if (r->kind != RELOCATE_THREADS)
			continue;
		for (uint32_t k = 0; k < g->line_count; k++)
			if (g->lines[k].instruction <= r->instruction)
				line = g->lines[k].line;
		return error_new("line %u: foreach (self->x) needs -x executor=kernel: %s does "
				 "not know all threads",
				 line, executor->name);
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

static struct error *check_calls(struct half h, const struct group_code *g)
{
	for (uint32_t i = 0; i < g->relocation_count; i++) {
		const struct relocation *r = &g->relocations[i];
		if (r->kind != RELOCATE_CALL)
			continue;
		struct error *err = h.executor->refuse_call((enum rt_function)r->index);
		const struct clause_layout *c =
			err ? clause_at(h.program, g, r->instruction) : NULL;
		if (err)
			return error_wrap(err, "%s (line %u)",
					  c ? c->description : event_name(g->kind),
					  c ? c->line : 0);
	}
	return NULL;
}

static bool follows_code(const struct tracer *t)
{
	bool any = t->watched.every;
	for (size_t i = 0; i < t->watched.list.count; i++)
		any |= !t->watched.list.items[i].for_symbols;
	return any;
}

static struct error *check_half(const struct tracer *t, struct half h)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < h.program->group_count && !err; i++)
		if (h.executor != &kernel_executor)
			err = check_walks(&h.program->groups[i], h.executor);
	for (unsigned i = 0; i < h.program->group_count && !err; i++) {
		err = check_events(t, h.executor, &h.program->groups[i]);
		if (!err)
			err = check_calls(h, &h.program->groups[i]);
	}
	return err;
}

/* Can the executors run the program, if they may? */
static struct error *check_program(const struct tracer *t)
{
	const struct executor_ops *executor = t->executor;
	struct error *err = NULL;
	for (unsigned n = 0; n < tracer_halves(t) && !err; n++)
		err = check_half(t, tracer_half(t, n));
	if (!err && follows_code(t))
		err = tracer_lacks(t, executor->follow || executor->enter, "trace processes");
	return err;
}

/* WHY: the executor that was chosen for want of privileges cannot run the program. */
static struct error *needs_privileges(struct error *why)
{
	struct error *err = kernel_executor.outside->check();
	if (!err)
		return why;
	struct error *ret = error_new("%s (without them: %s)", error_text(err), error_text(why));
	error_free(err);
	error_free(why);
	return ret;
}

static struct error *check(struct tracer *t)
{
	struct error *err = t->executor->outside ? t->executor->outside->check() : NULL;
	if (!err)
		err = check_program(t);
	bool does_without = tracer_is_auto(t) && t->executor != &kernel_executor;
	return err && does_without ? needs_privileges(err) : err;
}

/* --- loading --------------------------------------------------------------------------------- */

static struct error *check_speculations(const struct tracer *t, const struct executor_options *o)
{
	if (!t->executor->outside || !t->executor->outside->sizes(t->executing).speculation ||
	    !option_is_set(t->options, OPTION_specsize) || o->halve ||
	    o->speculation_size <= o->buffer_size)
		return NULL;
	return error_new("a speculation of specsize does not fit into a buffer of bufsize "
			 "(bufresize=auto lowers it)");
}

static struct error *compile_all(struct tracer *t, void *arg)
{
	return tracer_compile_program(t);
}

static struct error *load_all(struct tracer *t, void *arg)
{
	struct executor_options *options = arg;
	*options = tracer_executor_options(t);
	struct error *err = wings_try(load, t, options);
	if (!err)
		err = tracer_load_beside(t, options);
	return err ? err : t->executor->load(&t->program, options, &t->executing);
}

static struct error *enter_processes(struct tracer *t)
{
	struct error *err = NULL;
	for (size_t i = 0; t->executor->enter && i < t->processes.list.count && !err; i++) {
		struct process *process = t->processes.list.items[i];
		err = tracer_if_ended(t->executor->enter(t->executing, process),
				      process_pid(process));
	}
	return err;
}

struct error *tracer_load(struct tracer *t)
{
	struct error *err = check(t);
	if (err)
		return err;
	tracer_notice_options(t);
	struct executor_options options;
	err = tracer_load_in_parts(t, &t->program, compile_all, load_all, &options);
	if (err)
		return err;
	vector_push(&t->running, &t->program);
	err = check_speculations(t, &options);
	if (!err)
		tracer_notice_sizes(t);
	return err ? err : enter_processes(t);
}

struct error *tracer_load_more(struct tracer *t, const struct program *p)
{
	struct error *err = tracer_lacks(t, t->executor->follow, "add probes while tracing");
	if (!err)
		err = t->executor->follow->load_more(t->executing, p);
	if (!err)
		vector_push(&t->running, p);
	return err;
}

/* --- firings --------------------------------------------------------------------------------- */

static struct error *fire_half(struct half h, enum event_kind kind)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < h.program->group_count; i++) {
		const struct group_code *g = &h.program->groups[i];
		for (uint32_t k = 0; g->kind == kind && k < g->event_count && !err; k++)
			err = h.executor->fire(h.executing, i, k);
	}
	return err;
}

struct error *tracer_fire(struct tracer *t, enum event_kind kind)
{
	struct error *err = NULL;
	for (unsigned n = 0; n < tracer_halves(t) && !err; n++)
		err = fire_half(tracer_half(t, n), kind);
	return err ? error_wrap(err, "cannot run %s", kind == EVENT_BEGIN ? "BEGIN" : "END") : NULL;
}

uint64_t tracer_missed(const struct tracer *t)
{
	uint64_t sum = 0;
	for (unsigned n = 0; n < tracer_halves(t); n++) {
		const struct half h = tracer_half(t, n);
		const struct control *control = h.source->control;
		sum += __atomic_load_n(&control->overtaken, __ATOMIC_RELAXED) +
		       __atomic_load_n(&control->nested, __ATOMIC_RELAXED);
		sum += h.executor->outside ? h.executor->outside->missed(h.executing) : 0;
	}
	return sum;
}
