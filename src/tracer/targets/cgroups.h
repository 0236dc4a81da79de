/* SPDX-License-Identifier: BSD-2-Clause */
/* cgroups - the hierarchy of control groups (version 2), as its file system shows it */
#ifndef TRACER_CGROUPS_H
#define TRACER_CGROUPS_H

#include "base/base.h"

struct hierarchy {
	char *mount;  /* where it is mounted */
	char *prefix; /* the path of the group that is mounted there; "" for the highest */
};

/* An error if only version 1 is here. */
MUST_CHECK struct error *hierarchy_find(struct hierarchy *ret);
void hierarchy_deinit(struct hierarchy *h);

/*
 * The path in H of what the user called NAME: a folder of H's file system, or the path itself.  An
 * error if NAME is in a hierarchy of version 1.  The caller frees it.
 */
MUST_CHECK struct error *hierarchy_path(const struct hierarchy *h, const char *name, char **ret);

/* Are we in a cgroup namespace, so that paths of the kernel begin with a part that is hidden? */
bool hierarchy_is_in_namespace(void);

/*
 * A control group, before those below it.  IS_BELOW: the call for the group above returned true.
 * PATH begins with a slash.
 */
typedef bool cgroup_visit_fn(void *arg, uint64_t id, const char *path, bool is_below);
/* Groups that are removed meanwhile may be left out. */
void hierarchy_walk(const struct hierarchy *h, cgroup_visit_fn *visit, void *arg);

#endif
