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
#include "runtime/process/arrival.h"

long rt_process_forked(uint64_t pid_tgid, uint64_t child)
{
	struct watched_process *parent = watched(pid_tgid);
	if (!parent || !parent->target)
		return 0;
	if (word_at(child + NUMBER(rt_offset_task_leader)) != child) /* a thread */
		return 0;
	return join_tree(parent, half_at(child + NUMBER(rt_offset_task_tgid)));
}

/*
 * What the process still does (it closes its files, its parent gets SIGCHLD, it leaves the CPU) is
 * of the tree: it stays in the set until its task is freed.
 */
long rt_process_ended(uint64_t pid_tgid, uint64_t unused)
{
	end_member(pid_tgid);
	return 0;
}

/*
 * The number may be another process's already, but not for that reason alone a member's: numbers
 * are given in turn, and a task is freed soon after its number.  Another thread that executes a
 * program takes the number of the first one, which is freed and leads nobody.
 */
long rt_process_freed(uint64_t pid_tgid, uint64_t task)
{
	uint32_t tgid = half_at(task + NUMBER(rt_offset_task_tgid));
	struct watched_process *w = port_map_lookup(rt_watched, &tgid);
	if (w && w->flags & MEMBER_ENDED && word_at(task + NUMBER(rt_offset_task_leader)) == task)
		port_map_remove(rt_watched, &tgid);
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

long rt_target_of(uint64_t task)
{
	struct watched_process *w =
		watched((uint64_t)half_at(task + NUMBER(rt_offset_task_tgid)) << 32);
	return w ? w->target : 0;
}
