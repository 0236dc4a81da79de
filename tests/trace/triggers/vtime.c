/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vtime N - hands N times its own CPU time over: after short work, and after a sleep now and then
 *
 * mark(kind, ns): kind 0 after work of about 100 us, 1 after a sleep of 20 ms.
 */
#include "trigger.h"

PROBED void mark(long kind, long long ns)
{
	KEEP(kind);
	KEEP(ns);
}

static long long cpu_ns(void)
{
	return trigger_now(CLOCK_THREAD_CPUTIME_ID);
}

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 100);
	trigger_wait();
	mark(0, cpu_ns()); /* the first hit brings pages in */
	for (long i = 0; i < n; i++) {
		long long begin = cpu_ns();
		while (cpu_ns() < begin + 100000)
			;
		mark(0, cpu_ns());
		if (i % 10 == 9) {
			trigger_pause(20000);
			mark(1, cpu_ns());
		}
	}
	return 0;
}
