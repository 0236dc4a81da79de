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

/* Undo the attachments since SET had these counts. */
void link_set_shrink(struct link_set *set, size_t links, size_t events);

#endif
