/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* arrival - reports to the consumer about watched processes (struct arrival), and their end */
#ifndef RUNTIME_PROCESS_ARRIVAL_H
#define RUNTIME_PROCESS_ARRIVAL_H

#include "runtime/process/member.h"

/*
 * The result is a ticket: as many arrivals as there were with this one.  0, which is seen
 * already: there was no room for it.  The arrival is there before its ticket counts: so who reads
 * control.arrivals, and the arrivals after that, has met all that it counts.
 */
static always_inline uint64_t report_arrival(uint32_t tgid, uint32_t target, uint64_t kind,
					     uint16_t waits)
{
	struct control *control = (struct control *)rt_control;
	struct arrival arrival = {
		.tgid = tgid,
		.kind = (uint16_t)kind,
		.waits = waits,
		.cpu = port_cpu(),
		.target = target,
	};
	if (port_output(rt_arrivals, &arrival, sizeof(arrival), PORT_WAKE) >= 0)
		return __sync_fetch_and_add(&control->arrivals, 1) + 1;
	ADD_SHARED(&control->arrivals_missed, 1);
	return 0;
}

/* A thread of the process ends; with the last one its tree has a process less: is it that?  Two
 * threads may both see that none is left: one of them counts. */
static always_inline int end_member(uint64_t pid_tgid)
{
	struct control *control = (struct control *)rt_control;
	struct watched_process *w = watched(pid_tgid);
	if (!w || !w->target)
		return 0;
	uint64_t signal = word_at(port_task_number() + NUMBER(rt_offset_task_signal));
	if (half_at(signal + NUMBER(rt_offset_signal_live)))
		return 0;
	uint32_t before = __sync_fetch_and_or(&w->flags, MEMBER_ENDED);
	if (before & MEMBER_ENDED || !(before & MEMBER_COUNTS))
		return 1;
	if (__sync_fetch_and_add(&control->members, -1) == 1)
		report_arrival(pid_tgid >> 32, w->target, ARRIVAL_NO_MEMBER, 0);
	return 1;
}

#endif
