/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Notes of returns (abi/exit.h) whose process ends, executes a program or forks
 *
 * Each process has a count of its places, mostly 0.  Only if it has some, the table is walked,
 * which takes 0.1 ms.
 */
#include "abi/exit.h"
#include "runtime/runtime.h"

struct place_walk {
	uint64_t count; /* of the places that were removed or copied */
	uint32_t tgid, child;
};

static always_inline void count_places(uint64_t n)
{
	ADD_SHARED(&((struct control *)rt_control)->exit_places, n);
}

/* --- ends --- */

static long place_sweep(void *map, const struct exit_key *key, const struct exit_place *p,
			struct place_walk *w)
{
	const struct exit_key its = *key;
	if (its.tgid == w->tgid && !port_map_remove(rt_exit_places, &its))
		w->count++;
	return 0;
}

long rt_exits_executed(void)
{
	struct place_walk w = { .tgid = port_pid_tgid() >> 32 };
	const uint64_t *places = port_map_lookup(rt_exit_counts, &w.tgid);
	if (!places)
		return 0;
	if (*places)
		port_for_each(rt_exit_places, place_sweep, &w, 0);
	port_map_remove(rt_exit_counts, &w.tgid);
	count_places(-w.count);
	return 0;
}

long rt_exits_ended(void)
{
	uint64_t signal = word_at(port_task_number() + NUMBER(rt_offset_task_signal));
	return half_at(signal + NUMBER(rt_offset_signal_live)) ? 0 : rt_exits_executed();
}

/* --- forks: the child has a copy of the stack, and returns as its parent does --- */

static long place_copy(void *map, const struct exit_key *key, const struct exit_place *p,
		       struct place_walk *w)
{
	struct exit_key its = *key;
	its.tgid = w->child;
	if (key->tgid == w->tgid && !port_map_update(rt_exit_places, &its, p, BPF_NOEXIST))
		w->count++;
	return 0;
}

/* A thread, and a child of vfork(), has its parent's memory, and nothing to return to. */
static always_inline int memory_is_copied(uint64_t parent, uint64_t child)
{
	return word_at(child + NUMBER(rt_offset_task_memory)) !=
	       word_at(parent + NUMBER(rt_offset_task_memory));
}

long rt_exits_forked(uint64_t parent, uint64_t child)
{
	struct place_walk w = { .tgid = port_pid_tgid() >> 32 };
	const uint64_t *places = port_map_lookup(rt_exit_counts, &w.tgid);
	if (!places || !*places || !memory_is_copied(parent, child))
		return 0;
	w.child = half_at(child + NUMBER(rt_offset_task_tgid));
	port_for_each(rt_exit_places, place_copy, &w, 0);
	count_places(w.count);
	port_map_update(rt_exit_counts, &w.child, &w.count, 0);
	return 0;
}
