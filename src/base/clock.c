/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/clock.h"

#include "base/time_unit.h"

uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

uint64_t clock_wall_offset(void)
{
	static uint64_t offset;
	if (!offset)
		offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	return offset;
}
