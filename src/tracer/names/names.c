/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The steps of the wing of names; see names.h
 *
 * The kernel's names are read once, in parallel with the start of tracing.
 */
#include "tracer/names/names.h"

static bool is_kernel_address(enum value_kind kind)
{
	return (value_kind_is_stack(kind) || value_kind_is_symbol(kind)) &&
	       !value_kind_is_user(kind);
}

typedef bool kind_is_fn(enum value_kind kind);

static bool in_records(const struct program *p, kind_is_fn *is)
{
	for (unsigned i = 0; i < p->clause_count; i++)
		for (unsigned j = 0; j < p->clauses[i].action_count; j++) {
			const struct action_layout *a = &p->clauses[i].actions[j];
			for (unsigned k = 0; k < a->field_count; k++)
				if (is(a->fields[k].kind))
					return true;
		}
	return false;
}

static bool in_keys(const struct program *p, kind_is_fn *is)
{
	for (unsigned i = 0; i < p->aggregation_count; i++)
		for (unsigned j = 0; j < p->aggregations[i].key_count; j++)
			if (is(p->aggregations[i].keys[j].kind))
				return true;
	return false;
}

static bool program_has(const struct program *p, kind_is_fn *is)
{
	return in_records(p, is) || in_keys(p, is);
}

static struct error *names_load(struct tracer *t, struct executor_options *o)
{
	if (program_has(&t->program, is_kernel_address))
		symbols_kernel_prefetch(symbols_kernel(t->symbols));
	return NULL;
}

static bool are_wanted(const struct tracer *t)
{
	return program_has(&t->program, value_kind_is_user);
}

static struct error *names_enable(struct tracer *t)
{
	mapped_watch(t, are_wanted(t));
	return NULL;
}

static void names_learn(struct tracer *t)
{
	for (size_t i = 0; i < t->processes.pids.count && are_wanted(t); i++)
		symbols_process_snapshot(symbols_of(t->symbols, t->processes.pids.items[i]));
}

static struct error *names_step(struct tracer *t, bool status)
{
	if (status)
		mapped_watch_new_cpus(t);
	mapped_read(t);
	names_learn(t);
	return NULL;
}

static void nameless_report(struct tracer *t)
{
	const char *why = program_has(&t->program, is_kernel_address)
				  ? symbols_kernel_problem(symbols_kernel(t->symbols))
				  : NULL;
	if (why)
		message("addresses of the kernel have no names: %s", why);
}

const struct wing names_wing = {
	.size = sizeof(struct names),
	.load = names_load,
	.enable = names_enable,
	.begin = names_learn,
	.poll_fd = mapped_poll_fd,
	.step = names_step,
	.report = nameless_report,
	.free = mapped_close,
};
