/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Process numbers in the tracer's PID namespace
 *
 * Used if the tracer is not in the first PID namespace (loader/link.c): then
 * the kernel's pid and tgid are not the numbers that its user and its /proc
 * have.  A task has a number in each namespace from the first (level 0) to its
 * own; a task without a number in ours is 0, as in the kernel's own files.
 *
 *    task_struct.thread_pid --> struct pid { level, numbers[level + 1] of
 *                                            struct upid { int nr; struct pid_namespace *ns } }
 */
#include "runtime/process/ancestor.h"
#include "runtime/process/arrival.h"

#define LEVELS 33 /* the kernel's MAX_PID_NS_LEVEL, and the first */

struct level {
	uint64_t place; /* of the struct upid */
	uint32_t left;
	uint32_t number;
};

/* From the task's own namespace outwards: it is the first one mostly. */
static long look_at_level(uint32_t i, struct level *l)
{
	struct {
		uint32_t number, padding;
		uint64_t space;
	} upid = { 0, 0, 0 };
	port_read_kernel(&upid, sizeof(upid), (void *)l->place);
	if (half_at(upid.space + NUMBER(rt_offset_namespace_inode)) == NUMBER(rt_namespace)) {
		l->number = upid.number;
		return 1;
	}
	l->place -= sizeof(upid);
	return l->left-- == 0;
}

/* Of a thread; of a process when TASK is its first thread. */
static __attribute__((noinline)) uint64_t number_of(uint64_t task)
{
	uint64_t pid = word_at(task + NUMBER(rt_offset_task_pid));
	if (!pid)
		return 0;
	struct level l = { .left = half_at(pid + NUMBER(rt_offset_pid_level)) };
	l.place = pid + NUMBER(rt_offset_pid_numbers) + 16ull * l.left;
	port_loop(LEVELS, look_at_level, &l, 0);
	return l.number;
}

static always_inline uint64_t first_thread(uint64_t task)
{
	return word_at(task + NUMBER(rt_offset_task_leader));
}

long rt_namespace_pid_tgid(void)
{
	uint64_t task = port_task_number(), leader = first_thread(task);
	uint64_t thread = number_of(task);
	return (leader == task ? thread : number_of(leader)) << 32 | thread;
}

long rt_namespace_ppid(void)
{
	uint64_t parent = task_parent(port_task_number());
	return parent ? number_of(first_thread(parent)) : 0;
}

long rt_namespace_ustack_tgid(uint64_t at)
{
	uint64_t *to = scratch(at);
	if (to)
		*to = number_of(first_thread(port_task_number()));
	return 0;
}

static long namespace_ancestor(uint32_t i, struct ancestry *a)
{
	return next_ancestor(a, number_of(first_thread(a->task)));
}

/* No process is a child of one that is outside, whose number is 0. */
long rt_namespace_progenyof(uint64_t pid)
{
	struct ancestry a = { .task = port_task_number(), .wanted = pid };
	if (a.wanted)
		port_loop(ANCESTORS, namespace_ancestor, &a, 0);
	return a.found;
}

/* As in member.c. */
long rt_namespace_process_forked(uint64_t pid_tgid, uint64_t child)
{
	struct watched_process *parent = watched(pid_tgid);
	if (!parent || !parent->target || first_thread(child) != child)
		return 0;
	uint32_t number = number_of(child);
	return number ? join_tree(parent, number) : 0;
}

/* Not the number of a process, which is below 2^22. */
static always_inline uint32_t key_of_task(uint64_t task)
{
	return (uint32_t)(task >> 6) | 1u << 31;
}

/* As in member.c; but a task that is freed has no number any more, so the set keeps it for the
 * task. */
long rt_namespace_process_ended(uint64_t pid_tgid, uint64_t unused)
{
	uint32_t tgid = pid_tgid >> 32;
	struct watched_process number = { .target = tgid };
	if (!end_member(pid_tgid))
		return 0;
	uint32_t key = key_of_task(first_thread(port_task_number()));
	if (port_map_update(rt_watched, &key, &number, 0))
		port_map_remove(rt_watched, &tgid);
	return 0;
}

long rt_namespace_process_freed(uint64_t pid_tgid, uint64_t task)
{
	uint32_t key = key_of_task(task);
	struct watched_process *number = port_map_lookup(rt_watched, &key);
	if (!number)
		return 0;
	uint32_t tgid = number->target;
	struct watched_process *w = port_map_lookup(rt_watched, &tgid);
	if (w && w->flags & MEMBER_ENDED)
		port_map_remove(rt_watched, &tgid);
	port_map_remove(rt_watched, &key);
	return 0;
}

long rt_namespace_member(void)
{
	struct watched_process *w = watched(rt_namespace_pid_tgid());
	return w && w->flags & MEMBER_TRACED ? w->target : 0;
}

long rt_namespace_target(void)
{
	struct watched_process *w = watched(rt_namespace_pid_tgid());
	return w ? w->target : 0;
}

long rt_namespace_target_of(uint64_t task)
{
	struct watched_process *w = watched(number_of(first_thread(task)) << 32);
	return w ? w->target : 0;
}
