/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watchpoint - accesses of memory, by the debug registers of CPUs
 *
 * The kernel counts the registers of each CPU and thread that perf events and ptrace use, and
 * refuses the one too many (ENOSPC).
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kernel/link/link_internal.h"
#include "kernel/uapi.h"

/* After exec the address is one of another program: the event ends. */
static struct perf_event_attr attributes_of_watch(const struct perf_watch *w)
{
	return (struct perf_event_attr) {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = w->access,
		.bp_addr = w->address,
		.bp_len = w->length,
		.sample_period = 1,
		.disabled = 1,
		.inherit = w->thread != 0,
		.inherit_thread = w->thread && !w->follows,
		.remove_on_exec = w->thread != 0,
	};
}

/* Another tracer has all registers, or we have no privileges: the machine may have registers. */
static bool is_of_the_moment(int errnum)
{
	return errnum == ENOSPC || errnum == EACCES || errnum == EPERM;
}

static volatile uint64_t own_word;

/* Virtual machines may accept what is watched, and never report it. */
static bool reports_write(int event)
{
	uint64_t count = 0;
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	own_word++;
	return read(event, &count, sizeof(count)) != sizeof(count) || count;
}

int kernel_watches(uint32_t access, uint32_t length)
{
	const struct perf_watch own = { (uintptr_t)&own_word, length, access, .thread = getpid() };
	struct perf_event_attr attr = attributes_of_watch(&own);
	auto_close int event = event_open(&attr, 0, -1);
	if (event < 0)
		return is_of_the_moment(errno) ? 0 : errno;
	return !(access & WATCH_WRITES) || reports_write(event) ? 0 : EIO;
}

struct error *link_watch(int prog, int cpu, const struct perf_watch *watch, uint64_t cookie,
			 struct link_set *set)
{
	struct perf_event_attr attr = attributes_of_watch(watch);
	int event = event_open(&attr, watch->thread ? watch->thread : -1, cpu);
	if (event < 0 && errno == ENOSPC)
		return bpf_error(errno, "all debug registers are taken: most CPUs have four, and "
					"debuggers and other tracers use them, too");
	if (event < 0)
		return bpf_error(errno, "cannot watch 0x%llx", (unsigned long long)watch->address);
	return event_start(event, prog, cookie, set);
}
