/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Texts that did not fit into a string, stacks that go on: functions of their own so that others
 * pay nothing */
#include "runtime/text.h"

long rt_cut(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot) {
		slot->cut_strings++;
		if (slot->cuts_wait)
			return 0;
	}
	COUNT(cut_strings);
	return 0;
}

long rt_cut_stack(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot) {
		slot->cut_stacks++;
		if (slot->cuts_wait)
			return 0;
	}
	COUNT(cut_stacks);
	return 0;
}

long rt_cuts_end(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (!slot)
		return 0;
	slot->cuts_wait = 0;
	if (slot->cut_strings)
		COUNT_MORE(cut_strings, slot->cut_strings);
	if (slot->cut_stacks)
		COUNT_MORE(cut_stacks, slot->cut_stacks);
	return 0;
}

long rt_cuts_forget(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot)
		slot->cuts_wait = slot->cut_strings = slot->cut_stacks = 0;
	return 0;
}
