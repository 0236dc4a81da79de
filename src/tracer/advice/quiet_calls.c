/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quiet_calls - a run that recorded nothing, because programs no longer make its system call
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

/* What programs do instead of the call that C's description names; NULL: nothing is known. */
static const char *substitute(const struct tclause *c)
{
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
static bool all_have_substitutes(const struct typed_program *typed)
{
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (is_about_programs(typed->clauses[i]) && !substitute(typed->clauses[i]))
			return false;
	return true;
}

void quiet_calls_report(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	const char *last = NULL;
	if (t->progress.has_recorded || !all_have_substitutes(typed) || has_rows(t))
		return;
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const char *instead = substitute(typed->clauses[i]);
		if (instead && instead != last)
			message("warning: nothing was recorded: %s", instead);
		last = instead ? instead : last;
	}
}
