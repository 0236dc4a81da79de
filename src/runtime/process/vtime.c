/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * vtimestamp: how long the current thread has run
 *
 * The kernel adds up run times only at ticks and switches, by a clock that
 * programs cannot read.  So while vtimestamp is in use, rt_thread_switch() runs
 * at each switch of threads and saves its time, and how long the thread that
 * begins has run: at a switch the kernel knows it exactly.  A thread whose
 * vtimestamp was read has a struct vtime, where its run times are added up by
 * CLOCK_MONOTONIC.
 *
 *	vtimestamp = total + (now - the CPU's last switch)
 *
 * Always true: it never goes backwards.
 */
#include "runtime/runtime.h"

struct vtime {
	uint64_t known; /* 0: not used before */
	uint64_t total; /* up to the last switch to this thread */
	uint64_t told;	/* the greatest result so far */
};

/* The kernel's value for TASK, as of the last tick or switch. */
static always_inline uint64_t run_time(uint64_t task)
{
	return word_at(task + NUMBER(rt_offset_task_run_time));
}

/*
 * The thread may be preempted in the middle of this, and then TOTAL and the
 * switch belong to different turns: look again.
 */
static always_inline uint64_t time_now(struct vtime *v, struct area_counters *cpu)
{
	uint64_t time = 0;
	for (int i = 0; i < 4; i++) {
		uint64_t switched = *(volatile uint64_t *)&cpu->switched;
		uint64_t total = *(volatile uint64_t *)&v->total;
		time = total + port_time() - switched;
		if (*(volatile uint64_t *)&cpu->switched == switched)
			break;
	}
	return time;
}

/* A thread that is preempted in the middle of this looks again, as above. */
static always_inline void vtime_begin(struct vtime *v, struct area_counters *cpu)
{
	if (!cpu->switched) { /* we have seen none on this CPU yet */
		cpu->ran = run_time(port_task_number());
		cpu->switched = port_time();
	}
	v->known = 1;
	for (int i = 0; i < 4; i++) {
		uint64_t switched = *(volatile uint64_t *)&cpu->switched;
		v->total = *(volatile uint64_t *)&cpu->ran;
		if (*(volatile uint64_t *)&cpu->switched == switched)
			break;
	}
}

long rt_vtime(void)
{
	struct area_counters *cpu = counters();
	struct vtime *v =
		port_task_storage(rt_vtimes, port_task(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!v) {
		COUNT(dynamic);
		return run_time(port_task_number());
	}
	if (!v->known)
		vtime_begin(v, cpu);
	uint64_t time = time_now(v, cpu);
	if ((int64_t)(time - v->told) < 0)
		return v->told;
	v->told = time;
	return time;
}

/* sched_switch(preempted, previous, next, ...) */
static always_inline uint64_t switch_next(void *context)
{
	return ((uint64_t *)context)[2];
}

/* The program at sched_switch; the thread that leaves the CPU is still the current one. */
long rt_thread_switch(void *context)
{
	struct area_counters *cpu = counters();
	uint64_t now = port_time(), switched = cpu->switched;
	cpu->switched = now;
	cpu->ran = run_time(switch_next(context));
	struct vtime *v = port_task_storage(rt_vtimes, port_task(), 0, 0);
	if (v && v->known)
		v->total += now - switched;
	return 0;
}
