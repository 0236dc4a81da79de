/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waiting - while a process waits for the probes of code that it has mapped
 *
 * It spins in a program of ours (runtime/process/arrival.c).  A thread counts beats meanwhile, so
 * that it waits on as long as we live and work.  And we leave its CPU: there we could only run when
 * it yields, and before Linux 6.18 it then holds the lock that each new probe needs.
 */
#include <sched.h>

#include "tracer/live/live.h"

#define BEAT_NS 100000000 /* ten times as often as the process looks for one */

static void show(void *arg)
{
	waiting_beat(arg);
}

static void begin(struct waiting *w, struct control *control)
{
	*w = (struct waiting) {
		.control = control,
		.beat = { .show = show, .arg = w, .period_ns = BEAT_NS },
	};
	beat_begin(&w->beat);
}

static void leave(struct waiting *w, unsigned cpu)
{
	cpu_set_t others;
	if (cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof(others), &others) < 0)
		return;
	if (!w->has_moved)
		w->before = others;
	CPU_CLR(cpu, &others);
	w->has_moved |= CPU_COUNT(&others) && sched_setaffinity(0, sizeof(others), &others) == 0;
}

void waiting_begin(struct waiting *w, struct control *control, unsigned cpu)
{
	if (!w->control)
		begin(w, control);
	waiting_beat(w); /* the thread's first may take a while */
	leave(w, cpu);
}

void waiting_beat(struct waiting *w)
{
	if (w->control)
		__atomic_fetch_add(&w->control->arrivals_beats, 1, __ATOMIC_RELAXED);
}

void waiting_end(struct waiting *w)
{
	if (!w->control)
		return;
	beat_end(&w->beat);
	if (w->has_moved)
		sched_setaffinity(0, sizeof(w->before), &w->before);
	w->control = NULL;
}
