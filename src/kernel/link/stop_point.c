/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stop_point - a process stops for its tracer at a place of a file
 *
 * The kernel shares one breakpoint among all tracers of a place, so ours disturbs no other and no
 * other swallows ours.  The event sends its signal (`sigtrap`) when the firing's task leaves the
 * kernel; by then the instruction at the place was executed, by the kernel or by a step.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/thread.h"
#include "kernel/link/link_internal.h"
#include "kernel/uapi.h"

struct stop_point {
	int pid, event; /* -1: not open */
	const char *path;
	uint64_t offset;
	struct error *err;
};

static void open_event(void *arg)
{
	struct stop_point *s = arg;
	s->err = uprobe_stop_open(s->pid, s->path, s->offset, &s->event);
}

struct error *stop_point_new(int pid, const char *path, uint64_t offset, struct stop_point **ret)
{
	struct stop_point s = { pid, -1, path, offset, NULL };
	run_unkillable(open_event, &s);
	if (s.err)
		return s.err;
	s.path = NULL; /* the caller's */
	*ret = mem_alloc(sizeof(s));
	**ret = s;
	return NULL;
}

static void close_event(void *arg)
{
	struct stop_point *s = arg;
	close(s->event);
}

static void *wait_for_close(void *arg)
{
	run_unkillable(close_event, arg);
	free(arg);
	return NULL;
}

static bool close_in_thread(struct stop_point *s)
{
	pthread_t thread;
	bool started = thread_start(&thread, 0, wait_for_close, s);
	if (started)
		pthread_detach(thread);
	return started;
}

/* Closing takes the kernel 20 to 100 ms (6.18): a thread waits for it. */
void stop_point_free(struct stop_point *s)
{
	if (!s)
		return;
	ioctl(s->event, PERF_EVENT_IOC_DISABLE, 0);
	if (!close_in_thread(s))
		wait_for_close(s);
}
