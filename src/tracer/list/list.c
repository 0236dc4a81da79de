/* SPDX-License-Identifier: BSD-2-Clause */
/* -l: the probes that programs mean, or all of them */
#include "tracer/list/list.h"
#include "base/cells.h"

static void list_one(const struct listing *l, const struct probe *p, int process, bool is_missing)
{
	if (l->lines)
		list_line(l, p, process, is_missing);
	else
		list_row(l, p, process, is_missing);
}

/* One of every process is a row for each that has it. */
static void list_probe(const struct listing *l, const struct probe *p)
{
	const int *processes;
	size_t count = probe_mappers(p, &processes);
	for (size_t i = 0; i < count; i++)
		list_one(l, p, processes[i], false);
	if (!count)
		list_one(l, p, 0, false);
}

/* With -vv: probes that DESC would mean, and why there are none. */
static void list_missing(const struct listing *l, const struct probe_desc *desc)
{
	const struct probe *p = NULL;
	while (l->verbosity > 1 && (p = probe_db_missing(l->tracer->probes, desc, p)))
		list_one(l, p, 0, true);
}

static void list_nothing(struct tracer *t, const struct probe_desc *desc)
{
	probe_vector none = { 0 };
	auto_error struct error *err = probe_db_match(t->probes, desc, &none);
	vector_free(&none);
	auto_free char *why =
		err ? probe_desc_why_unmatched(desc, err) : sema_why_unmatched(t->sema, desc);
	message("failed to match %s:%s:%s:%s: No probe matches description%s", desc->provider,
		desc->module, desc->function, desc->name, why);
}

bool tracer_is_compat_call(const struct probe *p)
{
	for (const struct probe_event *e = p->events; e; e = e->next)
		if (!event_is_syscall(e->event.kind) || e->event.call.native >= 0)
			return false;
	return p->events;
}

/* Calls that only 32-bit programs make are not listed among others. */
static bool has_others(const struct tclause *clause)
{
	bool any = false;
	for (unsigned i = 0; i < clause->probe_count && !any; i++)
		any = !tracer_is_compat_call(clause->probes[i]);
	return any;
}

static void list_clause(struct tracer *t, const struct listing *l, const struct tclause *clause)
{
	if (!clause->probe_count)
		list_nothing(t, &clause->desc);
	bool skips = has_others(clause);
	for (unsigned i = 0; i < clause->probe_count && !clause->is_repeated; i++)
		if (!skips || !tracer_is_compat_call(clause->probes[i]))
			list_probe(l, clause->probes[i]);
}

/* Has the clause before number I the same description, so that its probes are listed already?  A
 * clause is several where formulas make its probes, each with other probes. */
static bool is_listed(const struct typed_program *typed, unsigned i)
{
	const struct tclause *clause = typed->clauses[i];
	unsigned before = i;
	while (before && typed->clauses[before - 1]->range.begin == clause->range.begin &&
	       typed->clauses[before - 1]->node == clause->node)
		before--;
	return before && probe_desc_same(&clause->desc, &typed->clauses[before - 1]->desc);
}

/* Are all probes that the description of clause number I means listed with it? */
static bool is_last(const struct typed_program *typed, unsigned i)
{
	const struct tclause *clause = typed->clauses[i], *next;
	if (i + 1 == typed->clause_count)
		return true;
	next = typed->clauses[i + 1];
	return next->is_made || next->node != clause->node ||
	       next->range.begin != clause->range.begin ||
	       !probe_desc_same(&next->desc, &clause->desc);
}

static struct error *list_everything(struct tracer *t, const struct listing *l)
{
	/* "*": static probes of processes, too, which a description of a kernel does not have. */
	const char *provider = option_text(t->options, OPTION_provcheck) ? "" : "*";
	const struct probe_desc all = { provider, "", "", "" };
	probe_vector probes = { 0 };
	tracer_refresh_env(t);
	wings_do(open, t, NULL);
	struct error *err = probe_db_discover_all(t->probes);
	if (!err)
		err = probe_db_match(t->probes, &all, &probes);
	for (size_t i = 0; i < probes.count && !err; i++)
		if (!tracer_is_compat_call(probes.items[i]) &&
		    sema_formula_is_right(t->sema, probes.items[i]))
			list_probe(l, probes.items[i]);
	vector_free(&probes);
	if (!err)
		list_missing(l, &all);
	return err;
}

void tracer_only_list(struct tracer *t)
{
	t->request.only_lists = true;
	tracer_set_option(t, "zdefs", NULL);
}

static void list_programs(struct tracer *t, const struct listing *l)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (!is_listed(typed, i) && !typed->clauses[i]->is_made) {
			list_clause(t, l, typed->clauses[i]);
			if (is_last(typed, i))
				list_missing(l, &typed->clauses[i]->desc);
		}
}

struct error *tracer_list(struct tracer *t, FILE *f, unsigned verbosity)
{
	bool has_heading = false, for_programs = tracer_writes_lines(t);
	struct writer lines;
	writer_init(&lines, -1);
	const struct listing l = {
		f,
		t,
		verbosity,
		message_escapes(fileno(f)),
		terminal_cells(fileno(f)),
		&has_heading,
		for_programs ? &lines : NULL,
	};
	if (option_is_set(t->options, OPTION_oformat) && !for_programs)
		message("warning: -l lists as text or JSON: this -x oformat has no effect on it");
	struct error *err = NULL;
	if (t->compiling.done.count)
		list_programs(t, &l);
	else
		err = list_everything(t, &l);
	writer_deinit(&lines);
	return err;
}
