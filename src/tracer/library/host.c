/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host - values of this machine that the kernel's variables have, for programs that cannot read
 * them
 *
 * A kernel that lists no variables hides where its load averages and its count of free pages are.
 * Then `hp_avenrun and `freemem are variables of our library (dlib/solaris.d), whose values a
 * thread here reads from /proc: before BEGIN, and each second.
 */
#include <stdio.h>

#include "base/file.h"
#include "base/time_unit.h"
#include "plan/plan.h"
#include "tracer/library/library_file.h"

#define FILE_MAX 65536
#define LOAD_BITS 11 /* after the point, as in the kernel's variable */

struct host_value {
	bool is_used;	 /* by the program */
	uint32_t offset; /* in the globals */
};

static struct host_value place_of(const struct plan *plan, const char *name)
{
	const struct typed_program *typed = plan->typed;
	for (unsigned i = 0; i < typed->variable_count[SCOPE_GLOBAL]; i++) {
		const struct variable *v = typed->variables[SCOPE_GLOBAL][i];
		if (v->declarer == DECLARED_BY_LIBRARY && v->used && string_equal(v->name, name))
			return (struct host_value) { true, plan_variable(plan, v)->offset };
	}
	return (struct host_value) { false };
}

static void loads_store(uint32_t *to)
{
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read("/proc/loadavg", FILE_MAX, &text);
	unsigned whole[3], hundredths[3];
	if (err || sscanf(strbuf_text(&text), "%u.%u %u.%u %u.%u", &whole[0], &hundredths[0],
			  &whole[1], &hundredths[1], &whole[2], &hundredths[2]) != 6)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		__atomic_store_n(&to[i],
				 (whole[i] << LOAD_BITS) + (hundredths[i] << LOAD_BITS) / 100,
				 __ATOMIC_RELAXED);
}

static void free_pages_store(uint64_t *to)
{
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *err = file_read("/proc/meminfo", FILE_MAX, &text);
	const char *line = err ? NULL : strstr(strbuf_text(&text), "\nMemFree:");
	unsigned long long kilobytes;
	if (line && sscanf(line, "\nMemFree: %llu", &kilobytes) == 1)
		__atomic_store_n(to, kilobytes / ((uint64_t)sysconf(_SC_PAGESIZE) / 1024),
				 __ATOMIC_RELAXED);
}

static void show_in(const struct plan *plan, char *globals)
{
	struct host_value loads = place_of(plan, "host_loads");
	struct host_value free_pages = place_of(plan, "host_free_pages");
	if (loads.is_used)
		loads_store((uint32_t *)(globals + loads.offset));
	if (free_pages.is_used)
		free_pages_store((uint64_t *)(globals + free_pages.offset));
}

static void show(void *arg)
{
	const struct tracer *t = arg;
	show_in(t->plan, t->source.globals);
	if (tracer_halves(t) > 1)
		show_in(t->beside.plan, t->beside.source.globals);
}

void host_begin(struct tracer *t)
{
	if (!place_of(t->plan, "host_loads").is_used &&
	    !place_of(t->plan, "host_free_pages").is_used)
		return;
	show(t);
	t->library->host = (struct beat) { .show = show, .arg = t, .period_ns = NS_PER_SECOND };
	beat_begin(&t->library->host);
}
