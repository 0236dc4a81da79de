/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "runtime/deadman.h"

/* Of firings that look at once, one counts: that which sets the time of the next look. */
long rt_look(uint64_t ticks)
{
	struct deadman *deadman = &((struct control *)rt_control)->deadman;
	uint64_t at = *(volatile uint64_t *)&deadman->look_at;
	if (at > ticks ||
	    __sync_val_compare_and_swap(&deadman->look_at, at, ticks + DEADMAN_TICKS) != at)
		return 0;
	return deadman_look(port_time());
}
