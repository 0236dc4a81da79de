/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waiting - while a process waits for the probes of code that it has mapped
 *
 * It spins in a program of ours (runtime/arrival.c).  A thread counts beats meanwhile, so that it
 * waits on as long as we live and work.  And we leave its CPU: there we could only run when it
 * yields, and before Linux 6.18 it then holds the lock that each new probe needs.
 */
#include <sched.h>
#include <time.h>

#include "tracer/internal.h"

#define BEAT_NS 100000000 /* ten times as often as the process looks for one */

static void *beat(void *arg)
{
	struct waiting *w = arg;
	kernel_run_soon(); /* many may spin on each CPU */
	pthread_mutex_lock(&w->lock);
	while (!w->is_over) {
		__atomic_fetch_add(&w->control->arrivals_beats, 1, __ATOMIC_RELAXED);
		struct timespec until;
		clock_gettime(CLOCK_MONOTONIC, &until); /* of our time namespace, as waits are */
		until.tv_nsec += BEAT_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_clockwait(&w->over, &w->lock, CLOCK_MONOTONIC, &until);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void begin(struct waiting *w, struct control *control)
{
	*w = (struct waiting) { .control = control };
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->over, NULL);
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->beats = pthread_create(&w->thread, NULL, beat, w) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
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
	pthread_mutex_lock(&w->lock);
	w->is_over = true;
	pthread_cond_signal(&w->over);
	pthread_mutex_unlock(&w->lock);
	if (w->beats)
		pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->over);
	pthread_mutex_destroy(&w->lock);
	if (w->has_moved)
		sched_setaffinity(0, sizeof(w->before), &w->before);
	w->control = NULL;
}
