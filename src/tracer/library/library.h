/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library - D libraries: the names that they define, and fetching one definition
 *
 * No definition is compiled before a program uses it (sema/name/library.c), so libraries cost
 * no time at start, and a library that is broken or does not fit this kernel affects only
 * programs that use it.  The files in directories of -L are checked whole, once, after the
 * program: mistakes, libraries that are missing, circles.
 *
 * Our own libraries (dlib/) are in the program, with an index made at build time.  The libraries
 * of -L, of the site's directory, /etc/dtrace/lib, and of the system's, ../lib/dtrace next to our
 * program's directory, are read at the first look-up of a name, for their names
 * (syntax/outline.h).  A file hides files of its name in later directories; ours come last except
 * the system's, so a user can replace each.  The system's directory may have subdirectories for
 * kernels, 6.1 or 6.1.12: that of the newest kernel that is not newer than the running one comes
 * before it.
 *
 * The declarer of ours, the system's and files that hide one of these is DECLARED_BY_LIBRARY:
 * their names and the built-ins mean the same whatever other files declare.  The declarer of all
 * others is DECLARED_BY_SITE.
 */
#ifndef TRACER_LIBRARY_H
#define TRACER_LIBRARY_H

#include "base/diagnostic.h"
#include "sema/sema.h"

struct tracer;
struct library;

void library_free(struct library *l); /* NULL is fine */

/* Before the first program: open them if the user named directories, whose files may set options.
 */
void library_open_named(struct tracer *t);

/*
 * For struct sema_env; ARG is the tracer.  The first call reads the names of all libraries and
 * carries out `#pragma D option` of their files.
 */
enum library_kind library_find(void *arg, enum declarer who, const char *name);
void library_define(void *arg, enum declarer who, const char *name);
bool library_left_out(void *arg, const char *name, const char **file, const char **needed);
bool library_dependency(void *arg, const char *kind, const char *name);

/*
 * After a program was checked: compile the clauses of the files that it used, only to report
 * their mistakes.  A library's clauses are never enabled.
 */
void library_check_clauses(struct tracer *t);

/*
 * After that: compile all of the files in directories that the user gave, once, for their mistakes.
 */
void library_check_named(struct tracer *t);

#endif
