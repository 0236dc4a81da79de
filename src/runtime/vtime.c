/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * vtimestamp: how long the current thread has run
 *
 * The kernel adds up run times only at ticks and switches, by a clock that
 * programs cannot read.  So while vtimestamp is in use, rt_thread_switch() runs
 * at each switch of threads and saves its time; a thread whose vtimestamp was
 * read has a struct vtime, where its run times are added up by CLOCK_MONOTONIC.
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

/* The kernel's value, as of the last tick or switch. */
static always_inline uint64_t run_time(void)
{
	return word_at(port_task_number() + NUMBER(rt_offset_task_run_time));
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

static always_inline void vtime_begin(struct vtime *v, struct area_counters *cpu)
{
	uint64_t now = port_time();
	if (!cpu->switched) /* we have seen none on this CPU yet */
		cpu->switched = now;
	v->total = run_time() - (now - cpu->switched);
	v->known = 1;
}

long rt_vtime(void)
{
	struct area_counters *cpu = counters();
	struct vtime *v =
		port_task_storage(rt_vtimes, port_task(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!v) {
		COUNT(dynamic);
		return run_time();
	}
	if (!v->known)
		vtime_begin(v, cpu);
	uint64_t time = time_now(v, cpu);
	if ((int64_t)(time - v->told) < 0)
		return v->told;
	v->told = time;
	return time;
}

/* The program at sched_switch; the thread that leaves the CPU is still the current one. */
long rt_thread_switch(void *context)
{
	struct area_counters *cpu = counters();
	uint64_t now = port_time(), switched = cpu->switched;
	cpu->switched = now;
	struct vtime *v = port_task_storage(rt_vtimes, port_task(), 0, 0);
	if (v && v->known)
		v->total += now - switched;
	return 0;
}
