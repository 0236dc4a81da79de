/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of the wing of code that arrives; see live.h */
#include "tracer/live/live.h"

#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "tracer/names/names.h"

static struct error *live_connect(struct tracer *t, struct consumer_setup *consumer,
				  struct output_setup *output)
{
	if (t->watched.every)
		names_request_mappings(t);
	return NULL;
}

/* Files of the start for which clauses have versions: before anything fires. */
static void live_begin(struct tracer *t)
{
	t->live->early.begun = clock_ns(CLOCK_MONOTONIC);
	if (sema_result(t->sema)->has_other_files && t->watched.every)
		live_match_again(t);
}

/* A description of static probes that has matched nothing, by -Z. */
static bool awaits_program(const struct tclause *c)
{
	const char *provider = c->desc.provider;
	size_t len = strlen(provider);
	return !c->probe_count && len && isdigit((unsigned char)provider[len - 1]) &&
	       strncmp(provider, "pid", 3) != 0;
}

/* Of what a process maps later it shows us what its dynamic linker loads. */
static void report_unmatched(const struct tracer *t)
{
	const struct typed_program *r = sema_result(t->sema);
	bool any = false;
	for (unsigned i = 0; i < r->clause_count && t->executor->enter && !any; i++) {
		const struct probe_desc *d = &r->clauses[i]->desc;
		any = awaits_program(r->clauses[i]);
		if (any)
			message("%s:%s:%s:%s matches nothing yet: the process shows probes of "
				"libraries that it loads, not those that it creates itself "
				"(-x executor=kernel can trace them)",
				d->provider, d->module, d->function, d->name);
	}
}

static void live_report(struct tracer *t)
{
	arrivals_report_unseen(t);
	report_unmatched(t);
	if (t->watched.every) {
		names_read(t);
		live_match_last(t);
		early_report(t);
		tracer_report_left_out(t);
	}
}

static void live_free(struct tracer *t)
{
	arrivals_free(t->live);
	additions_free(t->live);
	early_free(&t->live->early);
}

const struct wing live_wing = {
	.size = sizeof(struct live),
	.connect = live_connect,
	.enable = live_watch,
	.begin = live_begin,
	.mapped = files_note,
	.forked = early_note_forked,
	.left = early_note_left,
	.serve = arrivals_serve,
	.step = arrivals_step,
	.hurries = arrivals_are_due,
	.report = live_report,
	.end = arrivals_let_go,
	.free = live_free,
};
