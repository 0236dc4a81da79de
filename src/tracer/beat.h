/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * beat - a thread that calls a function again and again as long as this process gets CPU time
 *
 * By the beats others see that dtrace runs, whatever its main thread does (a slow terminal,
 * system()).
 */
#ifndef TRACER_BEAT_H
#define TRACER_BEAT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct beat {
	void (*show)(void *arg); /* in the thread, at once and then each period */
	void *arg;
	uint64_t period_ns;
	/* the rest is beat.c's */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool runs, is_over;
};

/* The caller has set the members above.  *B stays where it is until beat_end().  False: no thread.
 */
bool beat_begin(struct beat *b);
/* Without effect if there is no thread. */
void beat_end(struct beat *b);

#endif
