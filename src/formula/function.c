/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * function - sources at functions of the kernel
 *
 * At a return the registers of the arguments have other values.  A source that uses parameters
 * there has a second event, the function's entry, whose source keeps them for the thread until the
 * return (sema/formula/formula_kept.c).
 */
#include <string.h>

#include "formula/formula_internal.h"
#include "provider/provider.h"

struct found {
	struct arena *arena;
	struct probe_db *db;
	const struct formula_event *event;
	const char *problem;
};

static void function_check(void *arg, const char *module, const char *name, const struct type *type)
{
	struct found *f = arg;
	unsigned asked = params_count(f->event->params);
	struct event_args args;
	unsigned count = function_argument_places(type, &args);
	if (!type && asked)
		f->problem = arena_printf(
			f->arena, "the arguments of %s, which a pattern means, are not known",
			name);
	else if (asked > count)
		f->problem = arena_printf(f->arena,
					  "only %u argument%s of the function %s can be "
					  "read",
					  count, count == 1 ? "" : "s", name);
	else if (f->event->result && type && !function_result_place(type).kind)
		f->problem = arena_printf(f->arena, "the function %s returns nothing", name);
	else if (!f->problem)
		f->problem =
			prototype_mismatch(f->arena, f->db, f->event,
					   arena_printf(f->arena, "function %s", name), type, 0);
}

/* Of several functions, some may be missing. */
static const char *visit_functions(struct arena *a, struct probe_db *db,
				   const struct formula_event *e, function_fn *visit, void *arg)
{
	const char *problem = NULL;
	bool any = false;
	for (const struct formula_name *n = e->names; n; n = n->next) {
		const char *missing = function_find(a, db, n->text, visit, arg);
		any |= !missing;
		problem = problem ? problem : missing;
	}
	return any ? NULL : problem;
}

const char *function_problem(struct arena *a, struct probe_db *db, const struct formula_event *e)
{
	struct found f = { a, db, e, NULL };
	const char *problem = visit_functions(a, db, e, function_check, &f);
	return problem ? problem : f.problem;
}

/* --- the entry before a return --------------------------------------------------------------- */

const struct formula_source *source_of_entry(struct arena *a, const struct formula_source *s)
{
	bool is_function = s->event.kind == FORMULA_FUNC || s->event.kind == FORMULA_UPROBE;
	if (!is_function || !s->event.is_return || !s->event.params)
		return NULL;
	struct formula_source *entry = ARENA_NEW(a, struct formula_source);
	*entry = *s;
	entry->event.is_return = false;
	entry->event.result = NULL;
	entry->when = NULL;
	entry->reads_self = entry->asks_exists = false;
	entry->keeps_parameters = true;
	entry->statements = ARENA_NEW(a, struct formula_statement);
	entry->statements->kind = FORMULA_SILENT;
	entry->statements->range = s->range;
	return entry;
}

/* --- events ----------------------------------------------------------------------------------- */

struct adding {
	struct arena *arena;
	struct probe_db *db;
	struct probe *probe;
	const struct formula_source *source;
};

static void function_add_event(void *arg, const char *module, const char *name,
			       const struct type *type)
{
	const struct adding *to = arg;
	struct event_args args = { 0 };
	bool is_return = to->source->event.is_return;
	if (is_return)
		args.arg[0] = function_result_place(type);
	else
		function_argument_places(type, &args);
	enum event_kind kind = is_return ? EVENT_KERNEL_RETURN : EVENT_KERNEL_ENTRY;
	probe_db_add_event(to->db, to->probe, kind, &args)->function = (struct event_function) {
		.module = arena_strdup(to->arena, module),
		.name = arena_strdup(to->arena, name),
		.in_programs = kernel_function_in_programs(name),
	};
	probe_set_source(to->probe, to->source);
}

/* Events of one source are neighbours. */
static void function_add_source(struct arena *a, struct probe_db *db, struct probe *p,
				const struct formula_source *s)
{
	struct adding to = { a, db, p, s };
	visit_functions(a, db, &s->event, function_add_event, &to);
}

void function_add(struct arena *a, struct probe_db *db, struct probe *p,
		  const struct formula_source *s)
{
	if (s->entry)
		function_add_source(a, db, p, s->entry);
	function_add_source(a, db, p, s);
}
