/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quiet_calls - a run that recorded nothing, because programs no longer make its system call, or
 * because the command had been executed before
 *
 * The C library's open() makes openat, its stat() newfstatat; its time() makes no call at all.  A
 * clause on such a call is right, and rarely fires.  Firings are not counted, so the message
 * comes only when the whole run has left neither a record nor a row of an aggregation.
 */
#include "tracer/advice/advice.h"

static bool has_rows(const struct tracer *t)
{
	const struct aggregation_order order = { 0 };
	for (uint32_t i = 0; i < t->program.aggregation_count; i++) {
		struct aggregation_rows rows = { 0 };
		auto_error struct error *err =
			consumer_rows(t->consumer, &i, 1, false, &order, &rows);
		size_t count = rows.count;
		if (err)
			return true;
		aggregation_rows_free(&rows);
		if (count)
			return true;
	}
	return false;
}

static bool is_exec(const struct probe_desc *d)
{
	if (string_equal(d->provider, "syscall"))
		return string_equal(d->function, "execve");
	return string_equal(d->provider, "proc") &&
	       (string_equal(d->name, "exec") || string_equal(d->name, "exec-success"));
}

/* Why what C's description names has not happened; NULL: nothing is known. */
static const char *substitute(const struct tracer *t, const struct tclause *c)
{
	const struct process *first = t->processes.list.count ? t->processes.list.items[0] : NULL;
	if (first && process_is_created(first) && is_exec(&c->desc))
		return "the execve() that starts the command begins before tracing (-c 'sh -c "
		       "\"exec COMMAND\"' shows one)";
	bool is_call = string_equal(c->desc.provider, "syscall");
	return is_call ? sema_call_of_library(c->desc.function) : NULL;
}

/* BEGIN, END and timers fire without the programs that are traced. */
static bool is_about_programs(const struct tclause *c)
{
	const char *provider = c->probe_count ? c->probes[0]->provider : "dtrace";
	return !string_equal(provider, "dtrace") && !string_equal(provider, "profile");
}

/* Are all clauses on such calls?  Programs for several systems have the others as well. */
static bool all_have_substitutes(const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (is_about_programs(typed->clauses[i]) && !substitute(t, typed->clauses[i]))
			return false;
	return true;
}

void quiet_calls_report(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	const char *last = NULL;
	if (t->progress.has_recorded || !all_have_substitutes(t) || has_rows(t))
		return;
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const char *instead = substitute(t, typed->clauses[i]);
		if (instead && instead != last)
			message("warning: nothing was recorded: %s", instead);
		last = instead ? instead : last;
	}
}
