/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * detach - programs whose end would take long are refused
 *
 * A perf event takes 0.1 s to close, and they queue in the kernel; until then dtrace cannot be
 * killed (docs/kernel.md).  So there may be only so many of them.
 */
#include "tracer/internal.h"

#define DETACHES_PER_SECOND 10

static unsigned events_of(const struct program *p, enum event_kind kind)
{
	unsigned count = 0;
	for (unsigned i = 0; i < p->group_count; i++)
		if (p->groups[i].kind == kind && !p->groups[i].part)
			count += p->groups[i].event_count;
	return count;
}

struct error *tracer_check_detaching(const struct tracer *t, const struct program *p)
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
