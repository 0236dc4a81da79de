/* SPDX-License-Identifier: BSD-2-Clause */
/* symbol_internal - one process of those that struct symbols keeps */
#ifndef SYMBOL_INTERNAL_H
#define SYMBOL_INTERNAL_H

#include "base/base.h"
#include "symbol/regions.h"
#include "symbol/symbol.h"

struct symbols_process {
	struct regions regions;
	struct jit_map *jit;	 /* NULL if not read yet */
	uint64_t sought_dump_at; /* the jitdump file, in the mappings; CLOCK_MONOTONIC */
	struct hash *stubs;	 /* symbol -> its stub's name; NULL: none yet */
	struct arena *names;	 /* of these */
};

/* A process, which shares IMAGES and the LOG (NULL: there is none) with others; they must outlive
 * it. */
struct symbols_process *symbols_process_new(int pid, struct images *images,
					    struct mapping_log *log);
void symbols_process_free(struct symbols_process *s); /* NULL is fine */
/* As symbols_set_mappings(). */
void symbols_process_set_mappings(struct symbols_process *s, const struct mapping *list,
				  size_t count);

/*
 * The file that ADDRESS is mapped from, and the offset in it; NULL: no readable file.  *IS_DATA:
 * the address is on the stack or heap or among a program's data, which contain no code, or above
 * all mappings.
 */
struct elf_file *symbols_process_code(struct symbols_process *s, uint64_t address,
				      uint64_t *link_address, bool *is_data);

/*
 * Does the pid belong to another process since we read its mappings? Checked once a second at
 * most; the check also reads a process again that executed another program meanwhile.
 */
bool symbols_process_is_other(struct symbols_process *s);

/*
 * jit_dump.c - the records of a jitdump file
 *
 * In:   jit-PID.dump (linux/tools/perf/Documentation/jitdump-specification.txt), as Node.js, the
 * JVM, .NET, LLVM and others write on demand: a header, then a record for each piece of code. Out:
 * where code is and its name, in the order of the file.
 *
 * The file has the code itself, too: of each record only its begin is read.
 */

struct jit_code {
	uint64_t start, size;
	uint64_t index;	  /* the code's number: it stays when code moves */
	const char *name; /* NULL: it has moved here and keeps its name */
};

typedef void jit_code_fn(void *arg, const struct jit_code *code);

/*
 * FOUND for the whole records from byte AT of FD on, AT being 0 or an earlier result.  The result
 * is where the next record will be; UINT64_MAX: what is there is damaged, or is not of this form.
 */
uint64_t jit_dump_read(int fd, uint64_t at, jit_code_fn *found, void *arg);

/*
 * jit_map.c - names of code that a process has made at run time
 *
 * In:   /tmp/perf-PID.map, as the JIT compilers of Node.js, the JVM, .NET, CPython and others write
 *       on demand (linux/tools/perf/Documentation/jit-interface.txt): lines "START SIZE NAME",
 *       hexadecimal, in the order in which code was made.
 *       The jitdump file that the process maps (jit_dump.c).
 * Out:  the name of an address; code that was made later replaces what was there.
 *
 * The file is looked for in the process's own /tmp, under its number in its own PID namespace.  It
 * is read only if the process's user or root owns it: everybody may write to /tmp.  It grows while
 * the process runs, and new lines are read at the next look-up.
 */

struct jit_map;

struct jit_map *jit_map_new(int pid);
/* The map in the file FD, which is read again for each answer, for tests. */
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
