/* SPDX-License-Identifier: BSD-2-Clause */
/* link_internal - what files that make links share */
#ifndef KERNEL_LINK_LINK_INTERNAL_H
#define KERNEL_LINK_LINK_INTERNAL_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "kernel/kernel.h"

/* perf_event_open(2). */
int event_open(struct perf_event_attr *attr, int pid, int cpu);

/* Attach PROG to EVENT, which is taken, and let it run. */
MUST_CHECK struct error *event_start(int event, int prog, uint64_t cookie, struct link_set *set);

/* The thread PID gets a SIGTRAP at each firing at OFFSET of the file PATH (stop_point.c). */
MUST_CHECK struct error *uprobe_stop_open(int pid, const char *path, uint64_t offset, int *ret);

/*
 * REQUEST's places as one event, which PERF_TYPE_TRACEPOINT's number RET means (place_event.c).
 * NULL: this kernel has no such events, or not for us.
 */
struct place_event;
struct place_event *place_event_new(const struct uprobe_multi *request, uint64_t *ret);
void place_event_free(struct place_event *e); /* all its perf events are closed */

/* Undo the attachments since SET had these counts. */
void link_set_shrink(struct link_set *set, size_t links, size_t events);

/*
 * link_thread.c - a link in the descriptor table of a separate thread
 *
 * A thread inside a function with a return probe of the kernel holds a lock
 * that every detaching of uprobes waits for (uretprobes_srcu).  After 100 ms a
 * timer releases the lock, but each further return probe of the thread restarts the timer
 * (Linux 6.13, and still 6.18).  So a link that is closed while another link's return probes still
 * fire may wait until the outer function returns: for main(), until the process ends.
 *
 * Therefore all links with return probes must be removed before one of them waits.
 * It is sufficient to close them in parallel as long as we live; but if we are killed,
 * the kernel closes a table of descriptors from its beginning to its end.  A
 * link thread has a table with only one link: all threads die at the same time.
 */

struct link_thread;

/* Makes a link and returns its descriptor, or a negative number. */
typedef int link_make_fn(void *arg);

/*
 * Start a thread that calls MAKE(ARG), unkillable.  NULL if MAKE failed, or if there is no
 * thread to call it.
 */
struct link_thread *link_thread_start(link_make_fn *make, void *arg);

/* Close the link on CPU; the thread waits for the kernel. */
void link_thread_release(struct link_thread *t, int cpu);
/* After link_thread_release(): returns when the link is closed. */
void link_thread_join(struct link_thread *t);

#endif
