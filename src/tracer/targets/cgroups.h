/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroups - the hierarchy of control groups (version 2), as its file system shows it, and the lines
 * of /proc/self/mountinfo, which say where it is mounted (mount.c)
 */
#ifndef TRACER_TARGETS_CGROUPS_H
#define TRACER_TARGETS_CGROUPS_H

#include "base/base.h"
#include "base/strbuf.h"

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

/* --- mount.c --- */

#define MOUNTS_MOST (4u << 20) /* bytes of the list of mounts that are read */

struct mount {
	const char *root; /* what of the file system is mounted: a path in it */
	const char *point, *type;
	const char *options; /* of the file system, with commas */
};

/* The mounts that are looked for.  NULL: any. */
struct mount_wanted {
	const char *type;
	const char *path;   /* is in it */
	const char *option; /* of the file system */
};

/* The first of MOUNTS, which is changed and holds the result. */
bool mount_find(struct strbuf *mounts, struct mount_wanted wanted, struct mount *ret);

/* Is WORD in LIST, whose words have commas between them? */
bool list_has_word(const char *list, const char *word);

/* Is PATH the folder FOLDER, or in it? */
bool path_is_in(const char *path, const char *folder);

#endif
