/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Counts of truncated strings and stacks: separate functions, so that others pay nothing */
#include "runtime/string/text.h"

long rt_truncated(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot) {
		slot->truncated_strings++;
		if (slot->truncations_pending)
			return 0;
	}
	COUNT(truncated_strings);
	return 0;
}

long rt_truncated_stack(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot) {
		slot->truncated_stacks++;
		if (slot->truncations_pending)
			return 0;
	}
	COUNT(truncated_stacks);
	return 0;
}

long rt_truncations_end(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (!slot)
		return 0;
	slot->truncations_pending = 0;
	if (slot->truncated_strings)
		COUNT_MORE(truncated_strings, slot->truncated_strings);
	if (slot->truncated_stacks)
		COUNT_MORE(truncated_stacks, slot->truncated_stacks);
	return 0;
}

long rt_truncations_forget(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot)
		slot->truncations_pending = slot->truncated_strings = slot->truncated_stacks = 0;
	return 0;
}
