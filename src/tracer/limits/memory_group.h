/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_group - how much memory the control groups of this process leave
 *
 * Maps of BPF are charged to the group of the process that makes them, and who goes beyond the
 * limit is killed, without a word.  The limit of each group holds for all groups below, too.
 */
#ifndef TRACER_MEMORY_GROUP_H
#define TRACER_MEMORY_GROUP_H

#include "base/base.h"

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
