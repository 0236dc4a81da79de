/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * detach - programs whose end would take long are refused
 *
 * A perf event takes 0.1 s to close, and they queue in the kernel; until then dtrace cannot be
 * killed (docs/kernel.md).  So there may be only so many of them.
 */
#include "tracer/advice/advice.h"

#define DETACHES_PER_SECOND 10

static unsigned events_of(const struct program *p, enum event_kind kind)
{
	unsigned count = 0;
	for (unsigned i = 0; i < p->group_count; i++)
		if (p->groups[i].kind == kind && !p->groups[i].part)
			count += p->groups[i].event_count;
	return count;
}

static struct error *check_records(const struct tracer *t, const struct program *p)
{
	unsigned records = events_of(p, EVENT_RECORD);
	uint64_t most = option_number(t->options, OPTION_sdtmax);
	if (records <= most)
		return NULL;
	return error_new(
		"the fields of %u sdt probes are read, each of which takes the kernel 0.1 s "
		"to detach, some %u s in all: read none (sdt probes without them are fast), "
		"trace fewer, or allow so many (-x sdtmax=%u; now %llu)",
		records, records / DETACHES_PER_SECOND, records, (unsigned long long)most);
}

static unsigned instructions_of(const struct program *p)
{
	unsigned count = 0;
	for (unsigned i = 0; i < p->group_count; i++)
		for (unsigned k = 0; p->groups[i].kind == EVENT_KERNEL_INSIDE &&
				     !p->groups[i].part && k < p->groups[i].event_count;
		     k++)
			count += p->groups[i].events[k].function.count;
	return count;
}

static struct error *check_instructions(const struct tracer *t, const struct program *p)
{
	unsigned count = instructions_of(p);
	uint64_t most = option_number(t->options, OPTION_fbtmax);
	if (count <= most)
		return NULL;
	return error_new(
		"%u instructions of the kernel's functions are probed, each of which takes the "
		"kernel 0.1 s to detach, some %u s in all: trace fewer, or allow so many "
		"(-x fbtmax=%u; now %llu)",
		count, count / DETACHES_PER_SECOND, count, (unsigned long long)most);
}

static struct error *check_functions(const struct tracer *t, const struct program *p)
{
	unsigned count = events_of(p, EVENT_KERNEL_ENTRY) + events_of(p, EVENT_KERNEL_RETURN);
	uint64_t most = option_number(t->options, OPTION_fbtmax);
	if (count <= most || kernel_has(FEATURE_KPROBE_MULTI))
		return NULL;
	return error_new("%u functions of the kernel are probed, each of which takes this kernel "
			 "(without kprobe.multi, CONFIG_FPROBE) 0.1 s to detach, some %u s in all: "
			 "trace fewer, or allow so many (-x fbtmax=%u; now %llu)",
			 count, count / DETACHES_PER_SECOND, count, (unsigned long long)most);
}

struct error *detach_check(const struct tracer *t, const struct program *p)
{
	struct error *err = check_records(t, p);
	err = err ? err : check_functions(t, p);
	return err ? err : check_instructions(t, p);
}
