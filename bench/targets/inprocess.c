/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inprocess CALLS REPORT - calls of a function with two numbers and a string
 *
 * It begins with `push %rbp` (no optimization).  Reported besides, in ns of the same run: `lock`,
 * an addition with lock, and `clock`, a call of the clock that firings read.
 */
#include <stdint.h>
#include <string.h>

#include "target.h"

__attribute__((noinline, noclone, used)) long called(long i, long j, const char *text)
{
	__asm__ volatile("" : : "r"(i), "r"(text) : "memory");
	return j;
}

static char path[64]; /* a copy on the stack is what firings read by loads */

static void work(long n)
{
	char text[64];
	memcpy(text, path, sizeof(text));
	for (long i = 0; i < n; i++)
		called(i & 15, i, text);
}

static volatile uint64_t word;

static void add_with_lock(long n)
{
	for (long i = 0; i < n; i++)
		__atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
}

static void read_clock(long n)
{
	struct timespec t;
	for (long i = 0; i < n; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
}

static double cost(void (*function)(long n), long n)
{
	double ns[BATCHES];
	for (int i = 0; i < BATCHES; i++) {
		long long cpu = target_now(target_clock);
		function(n);
		ns[i] = (double)(target_now(target_clock) - cpu) / (double)n;
	}
	qsort(ns, BATCHES, sizeof(ns[0]), target_compare);
	return (ns[BATCHES / 2 - 1] + ns[BATCHES / 2]) / 2;
}

int main(int argc, char **argv)
{
	strcpy(path, "/usr/lib/x86_64-linux-gnu/libc.so.6");
	int status = target_main(argc, argv, work);
	FILE *report = status == 0 ? fopen(argv[2], "a") : NULL;
	if (!report)
		return 1;
	fprintf(report, "lock %.2f\nclock %.2f\n", cost(add_with_lock, 20000),
		cost(read_clock, 20000));
	return fclose(report) != 0;
}
