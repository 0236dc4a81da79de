/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stacks are printed later than they are taken, maybe when the process is gone and its mappings
 * with it.  So while a script records user addresses, it is kept what processes map (mapped.c), and
 * the mappings of -c and -p processes are read at the start and in every round.
 * The kernel's names are read once, in parallel with the start of tracing.
 * The functions of probes are written as their programmers wrote them (-x demangle): probefunc.
 */
#include "object/demangle.h"
#include "tracer/internal.h"

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

void tracer_write_names(const struct tracer *t, const struct typed_program *typed)
{
	if (!option_number(t->options, OPTION_demangle))
		return;
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *c = typed->clauses[i];
		for (unsigned j = 0; j < c->probe_count; j++) {
			const struct probe *p = c->probes[j];
			auto_strbuf struct strbuf text = { 0 };
			if (!p->written && is_mangled(p->function) &&
			    demangle(p->function, true, &text))
				probe_db_write(t->probes, p, strbuf_text(&text));
		}
	}
}

void tracer_prefetch_names(struct tracer *t)
{
	if (program_has(&t->program, is_kernel_address))
		symbols_kernel_prefetch(symbols_kernel(t->symbols));
}

void tracer_tell_nameless(const struct tracer *t)
{
	const char *why = program_has(&t->program, is_kernel_address)
				  ? symbols_kernel_problem(symbols_kernel(t->symbols))
				  : NULL;
	if (why)
		message("addresses of the kernel have no names: %s", why);
}

bool tracer_wants_names(const struct tracer *t)
{
	return program_has(&t->program, value_kind_is_user);
}

void tracer_learn_names(struct tracer *t)
{
	if (!tracer_wants_names(t))
		return;
	for (size_t i = 0; i < t->processes.count; i++)
		symbols_process_snapshot(
			symbols_of(t->symbols, process_pid(t->processes.items[i])));
}
