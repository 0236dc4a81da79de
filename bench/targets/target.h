/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target - what all programs to be measured share
 *
 *   NAME CALLS REPORT    do CALLS calls, then write what they cost to the file REPORT
 *
 * The report, a line "KEY VALUE" each:
 *
 *   calls     calls that were done, all of them
 *   ns        CPU time of one call, of target_clock: the median of 20 equal batches, which a
 *             neighbour that disturbs a few of them does not move
 *   start_ns  wall clock when the first call began
 *   all_ms    CPU time of the whole process
 *
 * The thread stays on one CPU (the last it may use), so that the tracer's own
 * work finds the others idle.
 */
#ifndef TARGET_H
#define TARGET_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCHES 20

static clockid_t target_clock = CLOCK_THREAD_CPUTIME_ID; /* for `ns` */

static inline long long target_now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline void target_pin(void)
{
	cpu_set_t may, one;
	int last = 0;
	CPU_ZERO(&one);
	sched_getaffinity(0, sizeof(may), &may);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &may))
			last = cpu;
	CPU_SET(last, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static inline int target_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* WORK does N calls; it is a function of the program so that no pointer is followed per call. */
static inline int target_main(int argc, char **argv, void (*work)(long n))
{
	if (argc != 3) {
		fprintf(stderr, "usage: %s CALLS REPORT\n", argv[0]);
		return 2;
	}
	long batch = (atol(argv[1]) + BATCHES - 1) / BATCHES;
	double ns[BATCHES];

	target_pin();
	long long start = target_now(CLOCK_REALTIME);
	for (int i = 0; i < BATCHES; i++) {
		long long cpu = target_now(target_clock);
		work(batch);
		ns[i] = (double)(target_now(target_clock) - cpu) / (double)batch;
	}
	qsort(ns, BATCHES, sizeof(ns[0]), target_compare);

	FILE *report = fopen(argv[2], "w");
	if (!report) {
		perror(argv[2]);
		return 1;
	}
	fprintf(report, "calls %ld\nns %.2f\nstart_ns %lld\nall_ms %.3f\n", batch * BATCHES,
		(ns[BATCHES / 2 - 1] + ns[BATCHES / 2]) / 2, start,
		(double)target_now(CLOCK_PROCESS_CPUTIME_ID) / 1e6);
	return fclose(report) != 0;
}

#endif
