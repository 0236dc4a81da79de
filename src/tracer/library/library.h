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
#ifndef TRACER_LIBRARY_LIBRARY_H
#define TRACER_LIBRARY_LIBRARY_H

#include <stdint.h>

struct tracer;

/*
 * To be added to time since boot, sleep of the machine included, for the time of day; as it was
 * when tracing began.  Who claims anonymous tracing sets it before anything is compiled.
 */
int64_t *library_boot_wall_ns(struct tracer *t);

#endif
