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
#define SLICE_NS 100000ull /* the least there is; before 6.12 it says nothing */

void kernel_run_soon(void)
{
	const struct uapi_sched_attr attr = {
		.size = sizeof(attr),
		.policy = SCHED_OTHER,
		.flags = UAPI_SCHED_RESET_ON_FORK,
		.nice = NICE_SOON,
		.runtime = SLICE_NS,
	};
	bool chosen = sched_getscheduler(0) != SCHED_OTHER || getpriority(PRIO_PROCESS, 0) != 0;
	if (!chosen && syscall(SYS_sched_setattr, 0, &attr, 0) < 0)
		log_debug("no higher priority: %s", strerrorname_np(errno));
}
