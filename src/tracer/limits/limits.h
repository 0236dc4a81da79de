/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * limits - the wing that keeps tracing within the memory and the CPU time that it may have
 *
 * Maps of BPF are charged to the control group of the process that makes them, and who goes beyond
 * the limit is killed, without a word.  The limit of each group holds for all groups below.
 */
#ifndef TRACER_LIMITS_LIMITS_H
#define TRACER_LIMITS_LIMITS_H

#include "tracer/beat.h"
#include "tracer/internal.h"

struct limits {
	struct beat deadman;
	bool is_over;	       /* the beats have ended */
	bool lowered_reported; /* sizes */
};

/* room.c: make sizes fit into the memory of our control groups; an error: bufresize=manual */
MUST_CHECK struct error *limits_fit_memory(struct tracer *t, struct executor_options *o);

/* memory_group.c: how much memory the control groups of this process leave */
struct memory_group {
	char *path; /* from the root of its hierarchy on; the caller frees it */
	uint64_t limit;
	uint64_t left; /* of the limit; caches of files count as left, for the kernel drops them */
};

/* The group, of version 1 or 2, that leaves least.  False: no group limits our memory. */
bool memory_group_find(struct memory_group *ret);

/*
 * The same among the groups that LINES, the content of /proc/self/cgroup, name; their folders are
 * found by MOUNTS, the content of /proc/self/mountinfo.
 */
bool memory_group_of(const char *lines, const char *mounts, struct memory_group *ret);

#endif
