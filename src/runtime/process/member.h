/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* member - the set of watched processes, whichever numbers they have */
#ifndef RUNTIME_PROCESS_MEMBER_H
#define RUNTIME_PROCESS_MEMBER_H

#include "runtime/runtime.h"

static always_inline struct watched_process *watched(uint64_t pid_tgid)
{
	uint32_t tgid = pid_tgid >> 32;
	return port_map_lookup(rt_watched, &tgid);
}

static always_inline uint32_t flags_of_child(uint32_t flags)
{
	uint32_t its = flags & (MEMBER_WATCHED | MEMBER_TRACED);
	if (NUMBER(rt_follow) & FOLLOW_FORK)
		return its;
	return NUMBER(rt_follow) & FOLLOW_EXEC ? its & MEMBER_WATCHED : 0;
}

/* The result: CHILD, or 0, if there was no room. */
static always_inline long join_tree(const struct watched_process *parent, uint32_t child)
{
	struct control *control = (struct control *)rt_control;
	struct watched_process its = { .target = parent->target,
				       .flags = flags_of_child(parent->flags) };
	/* Counted before, so that the count is never 0 while a member lives. */
	if (its.flags)
		ADD_SHARED(&control->members, 1);
	if (!port_map_update(rt_watched, &child, &its, 0))
		return child;
	if (its.flags)
		ADD_SHARED(&control->members, -1);
	ADD_SHARED(&control->members_missed, 1);
	return 0;
}

#endif
