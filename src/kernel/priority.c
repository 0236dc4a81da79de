/* SPDX-License-Identifier: BSD-2-Clause */
/* priority - when this thread gets a CPU */
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "kernel/uapi.h"

#define NICE_SOON -10
#define NICE_FIRST -20
#define SLICE_NS 100000ull /* the least there is; before 6.12 it says nothing */

static bool run_at(int nice)
{
	const struct uapi_sched_attr attr = {
		.size = sizeof(attr),
		.policy = SCHED_OTHER,
		.flags = UAPI_SCHED_RESET_ON_FORK,
		.nice = nice,
		.runtime = SLICE_NS,
	};
	bool done = syscall(SYS_sched_setattr, 0, &attr, 0) == 0;
	if (!done)
		log_debug("no higher priority: %s", strerrorname_np(errno));
	return done;
}

static bool is_ordinary(void)
{
	return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_OTHER;
}

void kernel_run_soon(void)
{
	if (is_ordinary() && getpriority(PRIO_PROCESS, 0) == 0)
		run_at(NICE_SOON);
}

/* Without the priority another one could have that CPU for long. */
void kernel_run_first(int cpu)
{
	bool first = is_ordinary() && getpriority(PRIO_PROCESS, 0) <= 0 && run_at(NICE_FIRST);
	if (first && cpu >= 0 && cpu < CPU_SETSIZE) {
		cpu_set_t only;
		CPU_ZERO(&only);
		CPU_SET(cpu, &only);
		sched_setaffinity(0, sizeof(only), &only);
	}
}
