/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Texts that did not fit into a string, a function of its own so that those that fit pay nothing */
#include "runtime/text.h"

long rt_cut(uint64_t at)
{
	struct slot *slot = slot_of(at);
	if (slot)
		slot->cut_strings++;
	COUNT(cut_strings);
	return 0;
}
