/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapping_log - what processes have mapped as code, kept when they have ended
 *
 * In:   mappings and forks, as the kernel reports them (kernel/code_watch.c), in their order.
 * Out:  the mappings that a process has had, those that it has inherited among them.
 *
 * The last thousands of processes are kept, with a bounded number of mappings each: the oldest of
 * one process, and the oldest processes, are forgotten.  A process that keeps running can be asked
 * itself (process_mappings()); the log is for those that cannot any more.
 */
#ifndef PROCESS_MAPPING_LOG_H
#define PROCESS_MAPPING_LOG_H

#include "process/process.h"

struct mapping_log;

/* REFRESH adds what is not reported yet; it is called before the log is read. */
typedef void mapping_log_refresh_fn(void *arg);
struct mapping_log *mapping_log_new(mapping_log_refresh_fn *refresh, void *arg);
void mapping_log_free(struct mapping_log *l); /* NULL is fine */

/* PID has mapped M, which is copied; what is in no file is left out. */
void mapping_log_add(struct mapping_log *l, int pid, const struct mapping *m);
/* PARENT has made PID, another process; it has what PARENT has. */
void mapping_log_fork(struct mapping_log *l, int parent, int pid);

/*
 * Visit what PID has mapped since it was made, and what its parents had mapped before that: the
 * oldest first.  A mapping is valid during its visit.  The result is how many there were: if it is
 * the same as before, they are the same.  VISIT NULL: they are only counted.
 */
typedef void mapping_log_fn(void *arg, const struct mapping *m);
size_t mapping_log_visit(struct mapping_log *l, int pid, mapping_log_fn *visit, void *arg);

#endif
