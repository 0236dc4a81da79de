/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jit_map - names of code that a process has made at run time
 *
 * In:   /tmp/perf-PID.map, as the JIT compilers of Node.js, the JVM, .NET, CPython and others write
 *       on demand (linux/tools/perf/Documentation/jit-interface.txt): lines "START SIZE NAME",
 *       hexadecimal, in the order in which code was made.
 *       The jitdump file that the process maps (jit_dump.h).
 * Out:  the name of an address; code that was made later replaces what was there.
 *
 * The file is looked for in the process's own /tmp, under its number in its own PID namespace.  It
 * is read only if the process's user or root owns it: everybody may write to /tmp.  It grows while
 * the process runs, and what is new in it is read when somebody asks.
 */
#ifndef SYMBOL_JIT_MAP_H
#define SYMBOL_JIT_MAP_H

#include "base/base.h"

struct jit_map;

struct jit_map *jit_map_new(int pid);
/* The map in the file FD, which is looked at anew for each answer, for tests. */
struct jit_map *jit_map_of_file(int fd);
void jit_map_free(struct jit_map *m); /* NULL is fine */

/* PATH, a name of a file in some folder: may it be a jitdump file? */
bool jit_map_is_dump(const char *path);
/* The process maps the jitdump file FD, which M closes; if it has one already, at once. */
void jit_map_add_dump(struct jit_map *m, int fd);
bool jit_map_has_dump(const struct jit_map *m);

/* Read what is new now, and who the process is, since it may end. */
void jit_map_update(struct jit_map *m);

/* The name of the code at ADDRESS, and the bytes before it there; NULL: none.  Owned by M. */
const char *jit_map_find(struct jit_map *m, uint64_t address, uint64_t *offset);

#endif
