/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * deadman - tracing ends when dtrace gets no CPU (-x deadman)
 *
 * Programs measure the time and end tracing: struct deadman (abi/state.h).  Here is what they
 * wait for, the beats.  A thread shows them, because the main thread may wait for a long time
 * although there is CPU time: for the reader of its output, for system().  A dtrace that is
 * stopped (^Z, a debugger, a frozen control group) shows none: it cannot end its probes, whatever
 * they cost, and that is what this is for.
 *
 * Anonymous tracing has no consumer until it is claimed, and no deadman before.
 */
#include "base/time_unit.h"
#include "tracer/limits/limits.h"
#include "tracer/wing.h"

#define BEATS 8		    /* in a limit of less than so many seconds */
#define LEAST NS_PER_SECOND /* less is no sign of anything: programs look each 32 to 320 ms */

/* In ns; 0: none. */
static uint64_t deadman_limit(const struct tracer *t)
{
	uint64_t limit = option_number(t->options, OPTION_deadman);
	return limit ? MAX(limit, LEAST) : 0;
}

static void show(void *arg)
{
	const struct tracer *t = arg;
	for (unsigned n = 0; n < tracer_halves(t); n++)
		__atomic_store_n(&tracer_half(t, n).source->control->deadman.alone, 0,
				 __ATOMIC_RELAXED);
}

static void set_limit(const struct tracer *t, uint64_t limit)
{
	for (unsigned n = 0; n < tracer_halves(t); n++)
		__atomic_store_n(&tracer_half(t, n).source->control->deadman.limit, limit,
				 __ATOMIC_RELEASE);
}

static void limits_begin(struct tracer *t)
{
	uint64_t limit = deadman_limit(t);
	struct beat *beat = &t->limits->deadman;
	*beat = (struct beat) {
		.show = show,
		.arg = t,
		.period_ns = MIN(limit / BEATS, NS_PER_SECOND),
	};
	if (limit && beat_begin(beat))
		set_limit(t, limit);
}

static void report_abandoned(const struct tracer *t)
{
	if (tracer_is_abandoned(t))
		message("Abort due to systemic unresponsiveness: dtrace got no CPU for %g "
			"seconds, so its probes do nothing any more: trace less, or set "
			"-x deadman=N (0: no limit) if it was stopped (^Z, a debugger)",
			(double)deadman_limit(t) / NS_PER_SECOND);
}

static void limits_end(struct tracer *t)
{
	if (t->limits->is_over || !t->source.control)
		return;
	t->limits->is_over = true;
	if (t->limits->deadman.runs)
		set_limit(t, 0);
	beat_end(&t->limits->deadman);
	report_abandoned(t);
}

const struct wing limits_wing = {
	.size = sizeof(struct limits),
	.load = limits_fit_memory,
	.begin = limits_begin,
	.end = limits_end,
};
