/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* ancestor - the way from a task to its parents, by whatever number processes go */
#ifndef RUNTIME_ANCESTOR_H
#define RUNTIME_ANCESTOR_H

#include "runtime/runtime.h"

/*
 * Looked at, the process itself among them: more than there are processes on most machines.  The
 * walk ends with the first process; the bound is for a list that changes under us.
 */
#define ANCESTORS (1 << 16)

struct ancestry {
	uint64_t task;
	uint32_t wanted; /* the number of the ancestor */
	uint32_t found;
};

/* 0 where it cannot be read. */
static always_inline uint64_t task_parent(uint64_t task)
{
	return word_at(task + NUMBER(rt_offset_task_parent));
}

/* A's task has this NUMBER: on to its parent, or 1: the walk ends.  The idle thread is its own. */
static always_inline long next_ancestor(struct ancestry *a, uint32_t number)
{
	uint64_t task = a->task;
	a->found = number == a->wanted;
	a->task = task_parent(task);
	return a->found || a->task == 0 || a->task == task;
}

#endif
