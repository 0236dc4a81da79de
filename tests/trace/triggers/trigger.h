/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trigger - what all programs to be traced share
 *
 * TRIGGER_GATE=PATH     wait until PATH exists before the work begins
 * TRIGGER_COUNTS=PATH   write what was done there, a line "NAME NUMBER" each
 *
 * So a test compares what dtrace counted with what the target itself counted.
 */
#ifndef TRIGGER_H
#define TRIGGER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A function that can be probed: not inlined, and not left out as useless. */
#define PROBED __attribute__((noinline, noclone, used))
#define KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

static inline void trigger_pause(long microseconds)
{
	struct timespec t = { microseconds / 1000000, microseconds % 1000000 * 1000 };
	if (microseconds)
		nanosleep(&t, NULL);
}

static inline void trigger_wait(void)
{
	const char *gate = getenv("TRIGGER_GATE");
	while (gate && access(gate, F_OK) != 0)
		trigger_pause(1000);
}

static inline void trigger_count(const char *name, long long number)
{
	const char *path = getenv("TRIGGER_COUNTS");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (!f)
		return;
	fprintf(f, "%s %lld\n", name, number);
	fclose(f);
}

/* CLOCK's nanoseconds. */
static inline long long trigger_now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The I-th argument as a number, or OTHERWISE. */
static inline long trigger_argument(int argc, char **argv, int i, long otherwise)
{
	return i < argc ? atol(argv[i]) : otherwise;
}

#endif
