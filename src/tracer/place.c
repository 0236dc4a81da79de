/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Clauses of one run in the process and in the kernel
 *
 * With an executor in the process, what only the kernel can run is a second program, which the
 * kernel runs beside it: the same typed program, in which the clauses of the other half have no
 * probes.  So clauses, aggregations, variables and probes have the same numbers in both, and the
 * consumer merges two sources.  Clauses that share what they change are in one half (plan/place.c).
 *
 * The kernel's half has no part in what needs requests: code that arrives later, trees of
 * processes, control groups, tables for user stacks.  If a probe or an option needs these, nothing
 * is divided, and the process refuses what it cannot run (executor.c).  So it does if nothing were
 * left for it.
 */
#include <string.h>

#include "loader/loader.h"
#include "tracer/internal.h"

/* --- what only the kernel can run ------------------------------------------------------------- */

/* Why T's executor cannot run C at E; NULL: it can. */
static const char *refused_at(const struct tracer *t, const struct tclause *c,
			      const struct probe_event *e)
{
	return clause_is_on(c, e) ? t->executor->refuse_event(&e->event) : NULL;
}

static const char *refused_event(const struct tracer *t, const struct tclause *c)
{
	const char *why = NULL;
	for (unsigned i = 0; i < c->probe_count && !why; i++)
		for (const struct probe_event *e = c->probes[i]->events; e && !why; e = e->next)
			why = refused_at(t, c, e);
	return why;
}

static const char *refused_call(struct tracer *t, const struct needs *n)
{
	for (unsigned f = 0; n && f < RT_COUNT; f++) {
		auto_error struct error *err =
			clause_calls(n, (enum rt_function)f)
				? t->executor->refuse_call((enum rt_function)f)
				: NULL;
		if (err)
			return arena_printf(t->arena, "%s", error_text(err));
	}
	return n && needs_kernel_memory(n) == KERNEL_MEMORY_SURELY ? "it reads the kernel's memory"
								   : NULL;
}

static bool any_walks_threads(const struct tstmt *s)
{
	for (; s; s = s->next)
		if (tstmt_walks_threads(s) ||
		    (tstmt_has_branches(s) &&
		     (any_walks_threads(s->if_.then) || any_walks_threads(s->if_.otherwise))))
			return true;
	return false;
}

static const char *why_kernel(struct tracer *t, const struct tclause *c)
{
	const char *why = refused_event(t, c);
	if (!why && any_walks_threads(c->body))
		why = "foreach (self->x) is over all threads";
	for (unsigned event = 0; event < EVENT_COUNT && !why; event++)
		for (unsigned in_error = 0; in_error < 2 && !why; in_error++)
			why = refused_call(t, t->plan->clauses[c->index].needs[event][in_error]);
	return why;
}

/* --- may the program be divided? -------------------------------------------------------------- */

/* Is C at functions of a process, or will it be, when they come? */
static bool is_at_function(const struct tclause *c)
{
	int pid;
	if (!c->probe_count)
		return tracer_process_of(&c->desc, &pid);
	for (unsigned i = 0; i < c->probe_count; i++)
		for (const struct probe_event *e = c->probes[i]->events; e; e = e->next)
			if (clause_is_on(c, e) && event_is_function(e->event.kind))
				return true;
	return false;
}

/* Is C at code that the process refuses: of children, of several processes? */
static bool is_of_other_processes(const struct tracer *t, const struct tclause *c)
{
	for (unsigned i = 0; i < c->probe_count; i++)
		for (const struct probe_event *e = c->probes[i]->events; e; e = e->next)
			if (event_is_function(e->event.kind) && refused_at(t, c, e))
				return true;
	return false;
}

static bool may_divide(const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	bool may = t->executor->enter && !tracer_follows(t) && t->has_privileges &&
		   !t->sema_env.tests_tasks && tracer_policy(t) == POLICY_SWITCH &&
		   !t->request.is_anonymous;
	for (unsigned i = 0; i < typed->clause_count && may; i++)
		may = !is_of_other_processes(t, typed->clauses[i]);
	return may;
}

static bool leaves_any(const struct typed_program *typed, const struct clause_place *places)
{
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (!places[i].moves && is_at_function(typed->clauses[i]))
			return true;
	return false;
}

/* NULL: t->executor can run all, or one of the two has to. */
static const struct clause_place *places_of(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	const char **why = arena_alloc(t->arena, (typed->clause_count + 1) * sizeof(*why));
	auto_free bool *needs = mem_zalloc(typed->clause_count + 1);
	bool any = false;
	for (unsigned i = 0; i < typed->clause_count; i++) {
		why[i] = why_kernel(t, typed->clauses[i]);
		needs[i] = why[i] != NULL;
		any |= needs[i];
	}
	t->beside.needs = why;
	const struct clause_place *ret = any ? plan_places(t->arena, typed, needs) : NULL;
	return ret && leaves_any(typed, ret) ? ret : NULL;
}

/* --- the halves ------------------------------------------------------------------------------- */

/* The typed program of the clauses that move, or of those that do not; ERROR is in both. */
static const struct typed_program *typed_half(struct tracer *t, const struct clause_place *places,
					      bool moves)
{
	struct typed_program *ret = ARENA_NEW(t->arena, struct typed_program);
	*ret = *sema_result(t->sema);
	size_t size = (ret->clause_count + 1) * sizeof(struct tclause *);
	struct tclause **clauses = arena_alloc(t->arena, size);
	for (unsigned i = 0; i < ret->clause_count; i++) {
		clauses[i] = ARENA_NEW(t->arena, struct tclause);
		*clauses[i] = *ret->clauses[i];
		if (places[i].moves != moves && !is_error_clause(clauses[i]))
			clauses[i]->probe_count = 0;
	}
	ret->clauses = clauses;
	return ret;
}

static struct error *compile_beside(struct tracer *t, void *arg)
{
	struct beside *b = &t->beside;
	struct error *err =
		tracer_make_program(t, b->executor, t->arena, b->typed, &b->program, &b->plan);
	return err ? err : tracer_verify(b->typed, &b->program);
}

/* t->program has been made of all clauses for t->executor: divide it, if that is needed. */
static struct error *divide(struct tracer *t)
{
	t->beside.places = NULL;
	const struct clause_place *places = may_divide(t) ? places_of(t) : NULL;
	if (!places)
		return NULL;
	t->left_out.exits_unknown = 0; /* it is counted again */
	t->beside.typed = typed_half(t, places, true);
	t->beside.places = places;
	t->beside.executor = &kernel_executor;
	struct error *err = tracer_make_program(
		t, t->executor, t->arena, typed_half(t, places, false), &t->program, &t->plan);
	return err ? err : compile_beside(t, NULL);
}

struct error *tracer_compile_program(struct tracer *t)
{
	struct error *err = tracer_make_program(t, t->executor, t->arena, sema_result(t->sema),
						&t->program, &t->plan);
	if (!err)
		err = divide(t);
	if (err)
		return err;
	tracer_show_plan(t, t->plan);
	if (tracer_halves(t) > 1)
		tracer_show_plan(t, t->beside.plan);
	tracer_show_code(t);
	return tracer_verify(t->plan->typed, &t->program);
}

/* Tables for user stacks are the other half's (stacks/unwind.c). */
static struct error *check_half_stacks(const struct program *p, bool must_walk)
{
	bool any = program_calls(p, RT_ustack) || program_calls(p, RT_ustack_entry) ||
		   program_calls(p, RT_ucaller);
	if (any && must_walk)
		return error_new("the kernel runs clauses beside the process, and walks user "
				 "stacks by frame pointers then (-x executor=kernel has tables)");
	if (any)
		message_loss("user stacks of clauses that the kernel runs beside the process are "
			     "walked by frame pointers (-x executor=kernel has tables)");
	return NULL;
}

static struct error *load_kernel_half(struct tracer *t, void *arg)
{
	return t->beside.executor->load(&t->beside.program, arg, &t->beside.executing);
}

struct error *tracer_load_beside(struct tracer *t, const struct executor_options *whole)
{
	struct executor_options *o = ARENA_NEW(t->arena, struct executor_options);
	if (tracer_halves(t) == 1)
		return NULL;
	*o = *whole;
	o->unwind_pool = o->stack_copies = 0;
	o->watched_processes = 0;
	struct error *err = check_half_stacks(&t->beside.program, whole->unwind_must);
	return err ? err
		   : tracer_load_in_parts(t, &t->beside.program, compile_beside, load_kernel_half,
					  o);
}

/* --- variables that only BEGIN assigns -------------------------------------------------------- */

void tracer_copy_variables(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	if (tracer_halves(t) == 1)
		return;
	bool beside = program_has_event(&t->beside.program, EVENT_BEGIN);
	const struct plan *from = beside ? t->beside.plan : t->plan;
	const struct plan *to = beside ? t->plan : t->beside.plan;
	char *source = beside ? t->beside.source.globals : t->source.globals;
	char *target = beside ? t->source.globals : t->beside.source.globals;
	for (unsigned i = 0; i < typed->variable_count[SCOPE_GLOBAL]; i++) {
		const struct variable *v = typed->variables[SCOPE_GLOBAL][i];
		uint32_t size = plan_copy_size(to, v);
		if (size && v->declarer != DECLARED_BY_LIBRARY)
			memcpy(target + plan_variable(to, v)->offset,
			       source + plan_variable(from, v)->offset, size);
	}
}
