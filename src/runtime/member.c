/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Members of trees of processes (-x follow, the built-in variable target)
 *
 * A child inherits its parent's breakpoints, but a link with a process number refuses to fire
 * there.  So links for trees have none, and their programs test the set of members first.  The
 * program at sched_process_fork adds the child before it runs: of 500 forks and 500 vforks of
 * children that call a probed function at once, no call is missed (tests/trace/follow).
 *
 * The set is the map of watched processes (abi/state.h).
 */
#include "runtime/arrival.h"

long rt_process_forked(uint64_t pid_tgid, uint64_t child)
{
	struct watched_process *parent = watched(pid_tgid);
	if (!parent || !parent->target)
		return 0;
	if (word_at(child + NUMBER(rt_offset_task_leader)) != child) /* a thread */
		return 0;
	return join_tree(parent, half_at(child + NUMBER(rt_offset_task_tgid)));
}

/* Two threads may both see that none is left: the one that removes the member counts. */
long rt_process_ended(uint64_t pid_tgid, uint64_t unused)
{
	struct control *control = (struct control *)rt_control;
	uint32_t tgid = pid_tgid >> 32;
	struct watched_process *w = watched(pid_tgid);
	if (!w || !w->target)
		return 0;
	uint64_t signal = word_at(port_task_number() + NUMBER(rt_offset_task_signal));
	if (half_at(signal + NUMBER(rt_offset_signal_live)))
		return 0;
	uint32_t flags = w->flags, target = w->target;
	if (port_map_remove(rt_watched, &tgid) || !(flags & MEMBER_COUNTS))
		return 0;
	if (__sync_fetch_and_add(&control->members, -1) == 1)
		report_arrival(tgid, target, ARRIVAL_NO_MEMBER, 0);
	return 0;
}

long rt_member(void)
{
	struct watched_process *w = watched(port_pid_tgid());
	return w && w->flags & MEMBER_TRACED ? w->target : 0;
}

long rt_target(void)
{
	struct watched_process *w = watched(port_pid_tgid());
	return w ? w->target : 0;
}
