/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trampolines - entries and returns of the kernel's functions by fentry and fexit, where that is
 * possible (provider/kernel/fbt_trampoline.c)
 *
 * Whether the kernel takes a program for a function shows when it is loaded and attached.  A
 * refusal makes us compile again: the function has kernel probes then.  A kernel that has refused
 * a few takes none at all, we suppose.
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
	for (size_t i = 0; i < t->refusals.trampolines.count; i++)
		if (string_equal(t->refusals.trampolines.items[i], name))
			return true;
	return t->refusals.trampolines.count >= REFUSED_MOST;
}

/* Of E, which is a kernel probe now; HOW is "not" or "the kernel refuses". */
static void log_probe(const struct event *e, const char *how, const char *why)
{
	bool is_return = event_is_return(e->kind);
	log_debug("the %s of %s`%s is a kernel %s, %s %s: %s", is_return ? "return" : "entry",
		  e->function.module, e->function.name, is_return ? "return probe" : "probe", how,
		  is_return ? "fexit" : "fentry", why);
}

const struct event *tracer_trampoline_of(void *tracer, const struct event *e)
{
	struct tracer *t = tracer;
	const char *problem = NULL;
	/* Who claims anonymous tracing must compile the same, and does not know of refusals. */
	if (t->request.is_anonymous || is_refused(t, e))
		return NULL;
	const struct event *trampoline = function_trampoline(t->probes, e, &problem);
	if (!trampoline)
		log_probe(e, "not", problem);
	return trampoline;
}

void tracer_no_trampoline(void *tracer, const struct event *e, const struct error *why)
{
	struct tracer *t = tracer;
	vector_push(&t->refusals.trampolines, full_name(t->arena, e));
	t->refusals.has_new_trampoline = true;
	log_probe(e, "the kernel refuses", error_text(why));
}

bool tracer_lost_trampoline(struct tracer *t)
{
	bool is_new = t->refusals.has_new_trampoline;
	t->refusals.has_new_trampoline = false;
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
			"says why): of a function in which many threads are at once, the kernel "
			"misses returns without counting them",
			count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}
