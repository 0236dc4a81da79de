/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/beat.h"

#include <time.h>

#include "base/thread.h"
#include "base/time_unit.h"
#include "kernel/kernel.h"

static struct timespec after(uint64_t ns)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now); /* of our time namespace, as waits are */
	ns += (uint64_t)now.tv_nsec;
	return (struct timespec) { .tv_sec = now.tv_sec + (time_t)(ns / NS_PER_SECOND),
				   .tv_nsec = (long)(ns % NS_PER_SECOND) };
}

static void *beat(void *arg)
{
	struct beat *b = arg;
	kernel_run_soon(); /* others may spin on each CPU */
	pthread_mutex_lock(&b->lock);
	while (!b->is_over) {
		b->show(b->arg);
		struct timespec until = after(b->period_ns);
		pthread_cond_clockwait(&b->over, &b->lock, CLOCK_MONOTONIC, &until);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

bool beat_begin(struct beat *b)
{
	b->is_over = false;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->over, NULL);
	b->runs = thread_start(&b->thread, 0, beat, b);
	return b->runs;
}

void beat_end(struct beat *b)
{
	if (!b->runs)
		return;
	pthread_mutex_lock(&b->lock);
	b->is_over = true;
	pthread_cond_signal(&b->over);
	pthread_mutex_unlock(&b->lock);
	pthread_join(b->thread, NULL);
	pthread_cond_destroy(&b->over);
	pthread_mutex_destroy(&b->lock);
	b->runs = false;
}
