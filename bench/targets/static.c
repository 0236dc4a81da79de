/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * static - waits to be killed
 * static CALLS REPORT - calls of a function that has a static probe of our header, bench:static,
 * with two arguments
 *
 * With -DPLAIN the function is the same without the probe, with -DTESTED it asks before whether
 * the probe is enabled.
 */
#include <dtrace/sdt.h>
#include <unistd.h>

#include "target.h"

#if defined(PLAIN)
#define PROBE(x, y) __asm__ volatile("" : : "r"(x), "r"(y))
#elif defined(TESTED)
#define PROBE(x, y)                                                                                \
	do {                                                                                       \
		if (DTRACE_PROBE_ENABLED(bench, static))                                           \
			DTRACE_PROBE2(bench, static, x, y);                                        \
	} while (0)
#else
#define PROBE(x, y) DTRACE_PROBE2(bench, static, x, y)
#endif

__attribute__((noinline, noclone)) static void called(long x, long y)
{
	PROBE(x, y);
}

static void work(long n)
{
	for (long i = 0; i < n; i++)
		called(i, n);
}

int main(int argc, char **argv)
{
	if (argc == 1)
		return pause();
	return target_main(argc, argv, work);
}
