/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event - which events of formulas there are
 *
 * The grammar knows more than the table here.  A source of another event is not there, and the next
 * alternative is taken.
 */
#include <string.h>

#include "formula/formula_internal.h"
#include "provider/provider.h"

const char *parameters_problem(struct arena *a, const struct formula_event *e, unsigned most)
{
	return params_count(e->params) <= most ? NULL
					       : arena_printf(a, "the event has only %u argument%s",
							      most, most == 1 ? "" : "s");
}

static const char *tracepoint_problem(struct arena *a, struct probe_db *db,
				      const struct formula_event *e)
{
	struct event_args args;
	const char *name = e->names->text;
	int count = tracepoint_places(db, name, &args);
	if (count < 0)
		return arena_printf(a, "there is no tracepoint %s", name);
	if (params_count(e->params) > (unsigned)count)
		return arena_printf(a, "the tracepoint %s has only %d argument%s", name, count,
				    count == 1 ? "" : "s");
	return prototype_mismatch(a, db, e, arena_printf(a, "tracepoint %s", name),
				  tracepoint_type(db, name), 1);
}

static void tracepoint_add(struct arena *a, struct probe_db *db, struct probe *p,
			   const struct formula_source *s)
{
	struct event_args args;
	tracepoint_places(db, s->event.names->text, &args);
	probe_db_add_event(db, p, EVENT_TRACEPOINT, &args)->tracepoint.name = s->event.names->text;
	probe_set_source(p, s);
}

/* Of several calls, some may be missing on this machine. */
static const char *syscall_problem(struct arena *a, struct probe_db *db,
				   const struct formula_event *e)
{
	struct event_call call;
	unsigned most = e->is_return ? 2 : 6; /* the result as programs see it, and the kernel's */
	const char *problem = parameters_problem(a, e, most);
	if (problem)
		return problem;
	for (const struct formula_name *n = e->names; n; n = n->next)
		if (syscall_numbers(db, n->text, &call))
			return NULL;
	return arena_printf(a, "there is no system call %s", e->names->text);
}

static void syscall_add(struct arena *a, struct probe_db *db, struct probe *p,
			const struct formula_source *s)
{
	bool is_return = s->event.is_return;
	struct event_call call;
	for (const struct formula_name *n = s->event.names; n; n = n->next) {
		if (!syscall_numbers(db, n->text, &call))
			continue;
		probe_db_add_event(db, p, is_return ? EVENT_SYSCALL_RETURN : EVENT_SYSCALL_ENTRY,
				   syscall_places(is_return))
			->call = call;
		probe_set_source(p, s);
	}
}

/* --- records ---------------------------------------------------------------------------------- */

bool record_parse(struct arena *a, const char *name, struct event_record *ret)
{
	const char *colon = strchr(name, ':');
	if (!colon || strchr(colon + 1, ':'))
		return false;
	ret->group = arena_strndup(a, name, (size_t)(colon - name));
	ret->name = colon + 1;
	return true;
}

/* The place of P, a parameter of a source at the record R, or why there is none. */
static const char *field_find(struct arena *a, struct probe_db *db, const struct event_record *r,
			      const struct param_node *p, struct arg_location *ret)
{
	const char *field = p->declarator->name;
	const struct type *type;
	if (!field || record_field_place(db, r->group, r->name, field, ret, &type))
		return arena_printf(a, "the record %s:%s has no field %s", r->group, r->name,
				    field ? field : "without a name");
	auto_free char *what = mem_printf("record %s:%s: its field %s", r->group, r->name, field);
	return parameter_mismatch(a, db, p, what, type);
}

static const char *record_find(struct arena *a, struct probe_db *db, const struct formula_event *e,
			       struct event_record *ret, struct event_args *args)
{
	unsigned i = 0;
	const char *problem = NULL;
	record_parse(a, e->names->text, ret);
	struct arg_location place;
	const struct type *type;
	if (record_field_place(db, ret->group, ret->name, "", &place, &type) == RECORD_NO_EVENT)
		return arena_printf(a, "tracefs has no event %s", e->names->text);
	for (const struct param_node *p = e->params; p && !problem; p = p->next, i++) {
		if (i == EVENT_ARGS)
			return arena_printf(a, "at most %d fields can be read", EVENT_ARGS);
		problem = field_find(a, db, ret, p, &args->arg[i]);
	}
	return problem;
}

static const char *record_problem(struct arena *a, struct probe_db *db,
				  const struct formula_event *e)
{
	struct event_record record;
	struct event_args args = { 0 };
	return record_find(a, db, e, &record, &args);
}

static void record_add(struct arena *a, struct probe_db *db, struct probe *p,
		       const struct formula_source *s)
{
	struct event_record record = { 0 };
	struct event_args args = { 0 };
	record_find(a, db, &s->event, &record, &args);
	probe_db_add_event(db, p, EVENT_RECORD, &args)->record = record;
	probe_set_source(p, s);
}

/* --- what is counted, and timers -------------------------------------------------------------- */

bool timer_period(const struct formula_event *e, uint64_t *ret)
{
	auto_free char *name = mem_printf("profile-%s", e->names->next->text);
	bool is_tick;
	return profile_period(name, ret, &is_tick);
}

/* sw NAME, hw NAME, timer RATE: a counter or a timer. */
static const char *perf_find(struct arena *a, struct probe_db *db, const struct formula_event *e,
			     struct event *ret)
{
	const char *kind = e->names->text, *what = e->names->next->text;
	if (string_equal(kind, "timer")) {
		ret->kind = EVENT_TIMER;
		ret->timer.on_each_cpu = true;
		timer_period(e, &ret->timer.period);
		return NULL;
	}
	ret->kind = EVENT_COUNTER;
	const char *problem = counter_find(db, what, string_equal(kind, "sw"), &ret->counter);
	return problem ? arena_printf(a, "%s %s", what, problem) : NULL;
}

static const char *perf_problem(struct arena *a, struct probe_db *db, const struct formula_event *e)
{
	struct event event = { 0 };
	const char *problem = perf_find(a, db, e, &event);
	unsigned most = event_is_timer(event.kind) ? 3 : 2;
	return problem ? problem : parameters_problem(a, e, most);
}

static void perf_add(struct arena *a, struct probe_db *db, struct probe *p,
		     const struct formula_source *s)
{
	struct event event = { 0 };
	perf_find(a, db, &s->event, &event);
	const struct event_args *args = event_is_timer(event.kind) ? &timer_args : &counter_args;
	struct event *added = probe_db_add_event(db, p, event.kind, args);
	event.args = added->args;
	*added = event;
	probe_set_source(p, s);
}

/* --- other probes ----------------------------------------------------------------------------- */

/* The probes that E's description means, none of them made by a formula. */
static const char *probes_find(struct arena *a, struct probe_db *db, const struct formula_event *e,
			       probe_vector *ret)
{
	const struct pdesc_node *d = e->description;
	const struct probe_desc desc = { d->provider, d->module, d->function, d->name };
	struct error *err = probe_db_match(db, &desc, ret);
	const char *problem = err ? arena_strdup(a, error_text(err)) : NULL;
	error_free(err);
	for (size_t i = 0; i < ret->count && !problem; i++) {
		const struct probe *p = ret->items[i];
		if (!p->events || p->events->source || p->owner->process)
			problem = arena_printf(a, "%s:%s:%s:%s cannot be an event of a formula",
					       p->provider, p->module, p->function, p->name);
	}
	return problem || ret->count ? problem
				     : arena_printf(a, "there is no probe %s", e->names->text);
}

static const char *probe_problem(struct arena *a, struct probe_db *db,
				 const struct formula_event *e)
{
	probe_vector probes = { 0 };
	const char *problem = params_count(e->params) > PROBE_ARGS ? "a probe has ten arguments"
								   : probes_find(a, db, e, &probes);
	vector_free(&probes);
	return problem;
}

static void probe_add(struct arena *a, struct probe_db *db, struct probe *p,
		      const struct formula_source *s)
{
	probe_vector probes = { 0 };
	const char *problem = probes_find(a, db, &s->event, &probes);
	for (size_t i = 0; i < probes.count && !problem; i++)
		for (const struct probe_event *e = probes.items[i]->events; e; e = e->next) {
			struct event *added =
				probe_db_add_event(db, p, e->event.kind, e->event.args);
			const struct event_args *args = added->args;
			*added = e->event;
			added->args = args;
			probe_set_source(p, s);
		}
	vector_free(&probes);
}

/* --- the table -------------------------------------------------------------------------------- */

static const struct {
	const char *(*problem)(struct arena *a, struct probe_db *db, const struct formula_event *e);
	void (*add)(struct arena *a, struct probe_db *db, struct probe *p,
		    const struct formula_source *s);
} kinds[FORMULA_EVENTS] = {
	[FORMULA_TP] = { tracepoint_problem, tracepoint_add },
	[FORMULA_FUNC] = { function_problem, function_add },
	[FORMULA_CALL] = { instruction_problem, instruction_add },
	[FORMULA_INSN] = { instruction_problem, instruction_add },
	[FORMULA_INC] = { instruction_problem, instruction_add },
	[FORMULA_SYSCALL] = { syscall_problem, syscall_add },
	[FORMULA_RECORD] = { record_problem, record_add },
	[FORMULA_PERF] = { perf_problem, perf_add },
	[FORMULA_PROBE] = { probe_problem, probe_add },
};

const char *event_problem(struct arena *a, struct probe_db *db, const struct formula_source *s,
			  const struct formula_process *in)
{
	if (s->condition && !condition_is_true(db, s->condition))
		return arena_printf(a, "the condition of line %u is not fulfilled here",
				    s->condition->range.line);
	if (formula_event_is_of_process(&s->event))
		return process_event_problem(a, db, s, in);
	if (!kinds[s->event.kind].problem)
		return arena_printf(a, "%s %s: events of this kind cannot be used yet",
				    formula_event_word(s->event.kind), s->event.names->text);
	return kinds[s->event.kind].problem(a, db, &s->event);
}

void event_add(struct arena *a, struct probe_db *db, struct probe *p,
	       const struct formula_source *s)
{
	kinds[s->event.kind].add(a, db, p, s);
}
