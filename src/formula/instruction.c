/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction - single instructions of the kernel as events: insn, call, inc
 *
 * They are found in the machine code of the kernel that runs, so a description of a kernel has
 * none.  arg0 of such an event is the instruction's offset in its function; the parameters of the
 * formula come after it:
 *
 *   call F in G # N          the arguments that F is called with
 *   call F in G # N after    F's result
 *   inc VARIABLE[ENUMERATOR] by how much; VARIABLE's elements have 8 bytes
 */
#include <string.h>

#include "formula/formula_internal.h"
#include "provider/provider.h"

#define COUNTER_SIZE 8

/* "vm_event_states[PGFAULT]": its two parts, in A. */
static const char *increment_query(struct arena *a, struct probe_db *db, const char *text,
				   struct site_query *q)
{
	const char *open = strchr(text, '[');
	size_t len = strlen(text);
	int64_t number;
	if (!open || text[len - 1] != ']')
		return arena_printf(a, "inc is VARIABLE[ENUMERATOR], not %s", text);
	const char *enumerator = arena_strndup(a, open + 1, len - 2 - (size_t)(open - text));
	if (!types_kernel_enum_of(probe_db_types(db), enumerator, &number))
		return arena_printf(a, "there is no enumerator %s", enumerator);
	q->kind = SITE_INCREMENT;
	q->function = arena_strndup(a, text, (size_t)(open - text));
	q->element = (uint64_t)number * COUNTER_SIZE;
	return NULL;
}

static const char *query_of(struct arena *a, struct probe_db *db, const struct formula_event *e,
			    struct site_query *q)
{
	*q = (struct site_query) { .kind = SITE_OFFSET, .function = e->names->text };
	q->number = e->number;
	if (e->kind == FORMULA_INC)
		return increment_query(a, db, e->names->text, q);
	if (e->kind == FORMULA_CALL) {
		q->kind = SITE_CALL;
		q->caller = e->names->next->text;
		q->is_after = e->is_after;
	}
	return NULL;
}

/* The places of E's parameters at SITE, after the offset; how many there are. */
static unsigned kernel_site_places(struct probe_db *db, const struct formula_event *e,
				   const struct kernel_site *site, struct event_args *ret)
{
	struct event_args args = { 0 };
	unsigned count = e->kind != FORMULA_INSN;
	if (e->kind == FORMULA_INC) {
		args.arg[0] = site->amount;
	} else if (e->kind == FORMULA_CALL) {
		const struct type *callee = function_type(db, "vmlinux", e->names->text);
		unsigned registers = asked_arch(db)->argument_count;
		if (e->is_after)
			args.arg[0] = function_result_place(callee);
		else
			count = MIN(function_argument_places(callee, &args), registers);
	}
	ret->arg[0] = (struct arg_location) { ARG_SITE_OFFSET };
	memcpy(&ret->arg[1], args.arg, count * sizeof(args.arg[0]));
	return count;
}

static const struct kernel_site *instruction_sites(struct arena *a, struct probe_db *db,
						   const struct formula_event *e, uint32_t *count,
						   const char **problem)
{
	struct site_query q;
	*problem = query_of(a, db, e, &q);
	if (*problem)
		return NULL;
	if (!asked_kprobes(db))
		*problem = "this kernel has no kprobes (CONFIG_KPROBES)";
	else if (probe_db_settings(db)->described)
		*problem = "not checked: a description has no machine code";
	return *problem ? NULL : kernel_sites(db, &q, count, problem);
}

const char *instruction_problem(struct arena *a, struct probe_db *db, const struct formula_event *e)
{
	uint32_t count;
	const char *problem;
	struct event_args args = { 0 };
	const struct kernel_site *sites = instruction_sites(a, db, e, &count, &problem);
	if (!problem)
		problem = parameters_problem(a, e, kernel_site_places(db, e, sites, &args));
	if (problem || e->kind != FORMULA_CALL || e->is_after)
		return problem;
	const char *callee = e->names->text;
	return prototype_mismatch(a, db, e, arena_printf(a, "function %s", callee),
				  function_type(db, "vmlinux", callee), 0);
}

/* Increments differ in the place of the amount: an event for each. */
void instruction_add(struct arena *a, struct probe_db *db, struct probe *p,
		     const struct formula_source *s)
{
	uint32_t count;
	const char *problem;
	const struct kernel_site *sites = instruction_sites(a, db, &s->event, &count, &problem);
	uint32_t each = s->event.kind == FORMULA_INC ? 1 : count;
	for (uint32_t i = 0; i < count; i += each) {
		struct event_args args = { 0 };
		kernel_site_places(db, &s->event, &sites[i], &args);
		probe_db_add_event(db, p, EVENT_KERNEL_INSIDE, &args)->function =
			kernel_function_at(a, "vmlinux", arena_strdup(a, sites[i].function),
					   &sites[i], each);
		probe_set_source(p, s);
	}
}
