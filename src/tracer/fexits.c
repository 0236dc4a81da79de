/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fexits - returns of the kernel's functions by fexit, where that is possible
 * (provider/fbt_fexit.c)
 *
 * Whether the kernel takes a program for a function shows when it is loaded and attached.  A
 * refusal makes us compile again: the function's return is a kernel return probe then.  A kernel
 * that has refused a few has none at all, we suppose.
 */
#include "tracer/internal.h"

#define REFUSED_MOST 3

static char *full_name(struct arena *a, const struct event *e)
{
	return arena_printf(a, "%s`%s", e->function.module, e->function.name);
}

static bool is_refused(struct tracer *t, const struct event *e)
{
	auto_free char *name = mem_printf("%s`%s", e->function.module, e->function.name);
	for (size_t i = 0; i < t->refused_fexits.names.count; i++)
		if (string_equal(t->refused_fexits.names.items[i], name))
			return true;
	return t->refused_fexits.names.count >= REFUSED_MOST;
}

const struct event *tracer_fexit_of(void *tracer, const struct event *e)
{
	struct tracer *t = tracer;
	const char *problem = NULL;
	/* Who claims anonymous tracing must compile the same, and does not know of refusals. */
	if (t->is_anonymous || is_refused(t, e))
		return NULL;
	const struct event *fexit = function_fexit(t->probes, e, &problem);
	if (!fexit)
		log_debug("the return of %s`%s is a kernel return probe, not fexit: %s",
			  e->function.module, e->function.name, problem);
	return fexit;
}

void tracer_no_fexit(void *tracer, const struct event *e, const struct error *why)
{
	struct tracer *t = tracer;
	vector_push(&t->refused_fexits.names, full_name(t->arena, e));
	t->refused_fexits.is_new = true;
	log_debug("the return of %s`%s is a kernel return probe, the kernel refuses fexit: %s",
		  e->function.module, e->function.name, error_text(why));
}

bool tracer_lost_fexit(struct tracer *t)
{
	bool is_new = t->refused_fexits.is_new;
	t->refused_fexits.is_new = false;
	return is_new;
}

void tracer_report_returns(const struct tracer *t, const struct program *p)
{
	unsigned count = 0;
	for (unsigned i = 0; i < p->group_count; i++)
		if (p->groups[i].kind == EVENT_KERNEL_RETURN && !p->groups[i].part)
			count += p->groups[i].event_count;
	if (count && !option_number(t->options, OPTION_quiet))
		message("%u return%s of the kernel's functions %s not probed by fexit (-x debug "
			"says "
			"why): of a function in which many threads are at once, the kernel misses "
			"returns without counting them",
			count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}
