/* SPDX-License-Identifier: BSD-2-Clause */
/* mount - lines of /proc/self/mountinfo */
#ifndef TRACER_MOUNT_H
#define TRACER_MOUNT_H

#include "base/base.h"
#include "base/strbuf.h"

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
