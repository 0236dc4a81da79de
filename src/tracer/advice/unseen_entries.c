/* SPDX-License-Identifier: BSD-2-Clause */
/* Firings whose clauses did not run, as nothing was saved at the entry: once, at the end */
#include "tracer/advice/advice.h"

/* Do clauses read what registers contained at entries? */
static bool clauses_read_registers(const struct typed_program *p)
{
	for (unsigned i = 0; i < p->clause_count; i++)
		if (p->clauses[i]->saves && p->clauses[i]->saves->is_register)
			return true;
	return false;
}

void unseen_entries_report(const struct tracer *t)
{
	unsigned long long n = 0;
	bool dropped = false;
	for (unsigned i = 0; i < tracer_halves(t); i++) {
		const struct control *c = tracer_half(t, i).source->control;
		n += __atomic_load_n(&c->calls_unseen, __ATOMIC_RELAXED);
		dropped |= __atomic_load_n(&c->calls_dropped, __ATOMIC_RELAXED) != 0;
	}
	if (!n)
		return;
	if (clauses_read_registers(sema_result(t->sema)))
		message_loss("%llu firing%s left out, as variables there are what registers "
			     "contained at the entry of the function: %s%s not seen (calls that "
			     "began before tracing, or in a parent process, or among too many)",
			     n, n > 1 ? "s" : "",
			     dropped ? "values were dropped (counted apart), or " : "",
			     n > 1 ? "the entries were" : "the entry was");
	else
		message_loss("%llu return%s left out, as entry() has no value there: %s%s not seen "
			     "(calls that began before tracing, or in a parent process)",
			     n, n > 1 ? "s" : "",
			     dropped ? "values were dropped (counted apart), or " : "",
			     n > 1 ? "the entries were" : "the entry was");
}
