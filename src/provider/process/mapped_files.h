/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped_files - the files that processes have mapped as code, of which a provider wants some
 *
 * For descriptions of every process: static probes (usdt.c), functions (pid_files.c).  A file is
 * looked at once for all processes that map it, and again when its change time is another one:
 * inode numbers are used again.  A process is only read: its mappings in /proc, and the files
 * through its root or /proc/PID/map_files, so files of other mount namespaces, deleted ones and
 * memfd are found.  What another user's process maps is passed over if we may not read it.
 *
 * What nobody maps any more is forgotten, in the end: first its probes are detached
 * (tracer/live/reap.c), then it is removed here.  A deleted file goes at once; of others
 * UNMAPPED_MOST stay traced, for a program that is run again should find its probes there from its
 * first instruction.
 *
 * dtrace -l of the static probes of 338 processes, with 860 mappings of code, takes 0.03 s in all
 * (6.18).
 */
#ifndef PROVIDER_PROCESS_MAPPED_FILES_H
#define PROVIDER_PROCESS_MAPPED_FILES_H

#include "provider/process/pid_object.h"

/* Which files a provider wants. */
struct mapped_files_kind {
	/* The next mappings are of PID.  NULL: it does not matter. */
	void (*process_begin)(void *arg, int pid);
	/* May the file that is mapped as M have probes, as far as its name tells?  NULL: any may.
	 */
	bool (*is_candidate)(void *arg, const struct mapping *m);
	/* O, or if NULL a file that was no candidate in other processes, is M of this one: is that
	 * news?  Required with process_begin. */
	bool (*is_news)(void *arg, struct pid_object *o, const struct mapping *m);
	/* Does the file have probes? */
	bool (*has_probes)(struct image *image);
	/* A hash of all that its probes depend on: a file that was written to, and has the same, is
	 * the same. */
	uint64_t (*contents)(struct image *image);
};

struct mapped_files;

/* KIND and ARG, a loan for its functions, must outlive the result. */
struct mapped_files *mapped_files_new(struct probe_db *db, const struct mapped_files_kind *kind,
				      void *arg);
void mapped_files_free(struct mapped_files *f); /* NULL is fine */

/* Files that were no candidates may be some now: they are looked at again. */
void mapped_files_ask_again(struct mapped_files *f);

/*
 * Of a provider whose state begins with its struct mapped_files *, or NULL, and the data of whose
 * probes begins with their struct pid_object *.
 */
extern const struct provider_files mapped_files_of_provider;

/* STATE and PROBE are the structs of such a provider. */
#define MAPPED_FILES_OF(state, probe)                                                              \
	_Static_assert(offsetof(state, files) == 0 && offsetof(probe, object) == 0,                \
		       "mapped_files.c finds them at the beginning")

/* The file at PATH, as we see it: also if nobody has mapped it yet. */
void mapped_files_add(struct mapped_files *f, const char *path);

/* Those with probes, in the order in which they were found; made by a look if there was none yet.
 */
const pid_object_vector *mapped_files_objects(struct mapped_files *f);

#endif
