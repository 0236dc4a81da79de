/* SPDX-License-Identifier: BSD-2-Clause */
/* burst N - N times getppid as fast as possible; says how long it took, and its CPU time */
#include <sys/syscall.h>

#include "trigger.h"

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 1000);

	trigger_wait();
	long long wall = trigger_now(CLOCK_MONOTONIC), cpu = trigger_now(CLOCK_PROCESS_CPUTIME_ID);
	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	trigger_count("cpu_ns", trigger_now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	trigger_count("wall_ns", trigger_now(CLOCK_MONOTONIC) - wall);
	trigger_count("getppid", n);
	return 0;
}
