/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_event - what files that make links to perf events share */
#ifndef KERNEL_PERF_EVENT_H
#define KERNEL_PERF_EVENT_H

#include <linux/perf_event.h>

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

#endif
