/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The current thread, its ancestors, and the time */
#include "runtime/runtime.h"

#define ANCESTORS 256

/* 0 where it cannot be read. */
static always_inline uint64_t task_parent(uint64_t task)
{
	uint64_t parent = 0;
	port_read_kernel(&parent, sizeof(parent), (void *)(task + NUMBER(rt_offset_task_parent)));
	return parent;
}

static always_inline uint32_t task_tgid(uint64_t task)
{
	uint32_t tgid = 0;
	port_read_kernel(&tgid, sizeof(tgid), (void *)(task + NUMBER(rt_offset_task_tgid)));
	return tgid;
}

long rt_ppid(void)
{
	uint64_t parent = task_parent(port_task_number());
	return parent ? task_tgid(parent) : 0;
}

struct ancestry {
	uint64_t task;
	uint32_t wanted;
	uint32_t found;
};

/* The idle thread is its own parent. */
static long next_ancestor(uint32_t i, struct ancestry *a)
{
	uint64_t task = a->task;
	a->found = task_tgid(task) == a->wanted;
	a->task = task_parent(task);
	return a->found || a->task == 0 || a->task == task;
}

/* At most ANCESTORS levels, the process itself among them. */
long rt_progenyof(uint64_t pid)
{
	struct ancestry a = { .task = port_task_number(), .wanted = pid };
	port_loop(ANCESTORS, next_ancestor, &a, 0);
	return a.found;
}

/* Up to the last tick or switch of the thread: the kernel adds it up there. */
long rt_vtime(void)
{
	uint64_t time = 0;
	port_read_kernel(&time, sizeof(time),
			 (void *)(port_task_number() + NUMBER(rt_offset_task_run_time)));
	return time;
}

/* The clock that `timestamp` shows, moved; a clock set while tracing is not followed. */
long rt_wall_time(void)
{
	return port_time() + NUMBER(rt_wall_offset);
}
