/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event - which events of formulas there are
 *
 * The grammar knows more than the table here.  A source of another event is not there, and the next
 * alternative is taken.
 */
#include "formula/formula_internal.h"
#include "provider/provider.h"

unsigned formula_parameter_count(const struct formula_event *e)
{
	unsigned count = 0;
	for (const struct param_node *p = e->params; p; p = p->next)
		count++;
	return count;
}

static const char *tracepoint_problem(struct arena *a, struct probe_db *db,
				      const struct formula_event *e)
{
	struct event_args args;
	const char *name = e->names->text;
	int count = tracepoint_places(db, name, &args);
	if (count < 0)
		return arena_printf(a, "there is no tracepoint %s", name);
	if (formula_parameter_count(e) > (unsigned)count)
		return arena_printf(a, "the tracepoint %s has only %d argument%s", name, count,
				    count == 1 ? "" : "s");
	return NULL;
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
	for (const struct formula_name *n = e->names; n; n = n->next)
		if (syscall_numbers(n->text, &call))
			return NULL;
	return arena_printf(a, "there is no system call %s", e->names->text);
}

static void syscall_add(struct arena *a, struct probe_db *db, struct probe *p,
			const struct formula_source *s)
{
	bool is_return = s->event.is_return;
	struct event_call call;
	for (const struct formula_name *n = s->event.names; n; n = n->next) {
		if (!syscall_numbers(n->text, &call))
			continue;
		probe_db_add_event(db, p, is_return ? EVENT_SYSCALL_RETURN : EVENT_SYSCALL_ENTRY,
				   syscall_places(is_return))
			->call = call;
		probe_set_source(p, s);
	}
}

static const struct {
	const char *(*problem)(struct arena *a, struct probe_db *db, const struct formula_event *e);
	void (*add)(struct arena *a, struct probe_db *db, struct probe *p,
		    const struct formula_source *s);
} kinds[FORMULA_EVENTS] = {
	[FORMULA_TP] = { tracepoint_problem, tracepoint_add },
	[FORMULA_FUNC] = { function_problem, function_add },
	[FORMULA_SYSCALL] = { syscall_problem, syscall_add },
};

const char *event_problem(struct arena *a, struct probe_db *db, const struct formula_source *s)
{
	if (s->condition && !condition_is_true(db, s->condition))
		return arena_printf(a, "this kernel does not fulfil the condition of line %u",
				    s->condition->range.line);
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
