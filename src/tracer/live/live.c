/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of the wing of code that arrives; see live.h */
#include "tracer/live/live.h"

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

static void live_report(struct tracer *t)
{
	arrivals_report_unseen(t);
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
