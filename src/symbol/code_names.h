/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_names - file, line and function of an interpreter's frame
 *
 * In:   words of frames, and the texts that programs have copied (abi/interpreted.h).
 * Out:  names in UTF-8; the line that the instruction was made from.
 *
 * The texts come from a traced process: every length in them is checked.  Lines are decoded from
 * CPython's table of locations (Objects/locations.md, 3.11 and later).
 */
#ifndef SYMBOL_CODE_NAMES_H
#define SYMBOL_CODE_NAMES_H

#include "abi/interpreted.h"
#include "base/base.h"
#include "object/object.h"

struct code_names;

/* TEXTS, which may be NULL and must outlive it, have SIZE bytes. */
struct code_names *code_names_new(const struct code_texts *texts, size_t size);
void code_names_free(struct code_names *n); /* NULL is fine */

struct code_place {
	const char *file, *function; /* owned by the struct code_names; of a method file is NULL */
	uint32_t line;		     /* 0: the instruction is of none */
	bool is_cut;		     /* a name was too long to be copied */
};

/* False: the names of the frame WORD are not known. */
bool code_names_find(struct code_names *n, uint64_t word, struct code_place *ret);

/*
 * WORD, or the first word that was given here and has the same file, function and line.  What
 * belongs to the native frame alone stays WORD's.
 */
uint64_t code_names_same(struct code_names *n, uint64_t word);

/* The line of instruction NUMBER by the table LINES; 0: it has none. */
uint32_t code_line(struct bytes lines, uint32_t first_line, int32_t number);

/*
 * cpython.c - where CPython keeps the frames of its threads
 *
 * In:   a program or library that exports _PyRuntime, and since 3.11 its version (Py_Version).
 * Out:  the address of the first, and where the members are that lead from there to the frames.
 *
 * The structs are private to each release of two numbers (3.11), and the same in all of its
 * patches.  Before 3.11 the frames were objects of another form.
 */

struct cpython {
	bool is_here;	       /* the file contains CPython, */
	unsigned major, minor; /* of this version; 0, 0: before 3.11 */
	bool is_known;	       /* what follows is right: the version is one that we know */
	uint64_t runtime;      /* _PyRuntime, link-time */
	struct cpython_layout layout;
};

struct cpython cpython_of_file(struct elf_file *e);

/* May the file with this base name contain CPython? */
bool cpython_may_be_in(const char *base, size_t len);

/*
 * hotspot.c - where HotSpot's libjvm keeps what leads from an interpreted method to its names
 *
 * In:   libjvm.so, which exports tables of its structs for debuggers (gHotSpotVMStructs, runtime/
 *       vmStructs.hpp): for each member the names of its type and itself, its offset, and the
 *       address of a static one.  Since JDK 6 a row has had the same form.
 * Out:  where these rows are.  The offsets in them are filled in when the library begins, so they
 *       are read in the process (runtime/stack/methods.c).
 */

/* False: E lacks the tables, or rows in them.  RET's base is 0. */
bool hotspot_of_file(struct elf_file *e, struct hotspot *ret);

/* May the file with this base name contain HotSpot? */
bool hotspot_may_be_in(const char *base, size_t len);

#endif
