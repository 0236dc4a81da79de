/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_files - functions of every process: pid*:libx.so:f:entry
 *
 * The function in each process that maps the file, now or later.  A probe is one for all of them,
 * named without a number, in an object without a process (struct pid_object, pid 0); so are its
 * links, and the kernel puts the breakpoint into each process that maps the file, from its first
 * instruction on.  Of such probes everything holds that usdt.h says of static probes of every
 * process: files come and go (mapped_files.h), two files of one name are two probes, probeprov has
 * the number of the process that fires.
 *
 * MODULE is the name of a file, as a library has it, or a pattern with some of it, or a path.  A
 * name means the files of this name in all mount namespaces; a path the one file that we find
 * there, so the file at this path in a container is another one.  What MODULE must not be is every
 * file, or one that is different in each process (a.out).
 */
#ifndef PROVIDER_PID_FILES_H
#define PROVIDER_PID_FILES_H

#include "provider/process/pid.h"

struct pid_files;
void pid_files_free(struct pid_files *f); /* NULL is fine */

/* The files that S's description means, into S: an error, with its tag, if it cannot mean any. */
MUST_CHECK struct error *pid_files_find(struct pid_search *s);
/* The error for a search that found no file. */
MUST_CHECK struct error *pid_files_missing(const struct pid_search *s);

/* struct provider_files */
bool pid_of_every_process(const struct probe_db *db, const char *field);
bool pid_file_mapped(struct probe_db *db, int pid, const struct mapping *m);
bool pid_files_look(struct probe_db *db);
bool pid_is_gone(struct probe_db *db, const struct probe *probe);
int pid_mapped_by(const struct probe *probe);
size_t pid_mappers(const struct probe *probe, const int **ret);
void pid_files_forget(struct probe_db *db);

#endif
