/* SPDX-License-Identifier: BSD-2-Clause */
/* Returns whose clauses did not run, as entry() has no value: once, at the end */
#include "tracer/advice/advice.h"

void unseen_entries_report(const struct tracer *t)
{
	const struct control *c = t->source.control;
	unsigned long long n = __atomic_load_n(&c->calls_unseen, __ATOMIC_RELAXED);
	if (!n)
		return;
	bool dropped = __atomic_load_n(&c->calls_dropped, __ATOMIC_RELAXED);
	message_loss("%llu return%s left out, as entry() has no value there: %s%s not seen "
		     "(calls that began before tracing, or in a parent process)",
		     n, n > 1 ? "s" : "", dropped ? "values were dropped (counted apart), or " : "",
		     n > 1 ? "the entries were" : "the entry was");
}
