/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ancestor - the walk from a task to its ancestors, by any kind of process number */
#ifndef RUNTIME_PROCESS_ANCESTOR_H
#define RUNTIME_PROCESS_ANCESTOR_H

#include "runtime/runtime.h"

/*
 * The most tasks of a walk, the first included: more than most machines have processes.  The
 * walk ends at the first process; the bound is for a list that changes meanwhile.
 */
#define ANCESTORS (1 << 16)

struct ancestry {
	uint64_t task;
	uint32_t wanted; /* the number of the ancestor to find */
	uint32_t found;
};

/* 0 if it cannot be read. */
static always_inline uint64_t task_parent(uint64_t task)
{
	return word_at(task + NUMBER(rt_offset_task_parent));
}

/* A's task has this NUMBER: move to its parent, or return 1 to end the walk.  The idle thread is
 * its own parent. */
static always_inline long next_ancestor(struct ancestry *a, uint32_t number)
{
	uint64_t task = a->task;
	a->found = number == a->wanted;
	a->task = task_parent(task);
	return a->found || a->task == 0 || a->task == task;
}

#endif
