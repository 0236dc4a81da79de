/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* arrival - reports to the consumer about watched processes (struct arrival) */
#ifndef RUNTIME_ARRIVAL_H
#define RUNTIME_ARRIVAL_H

#include "runtime/member.h"

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

#endif
