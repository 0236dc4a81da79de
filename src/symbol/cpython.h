/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpython - where CPython keeps the frames of its threads
 *
 * In:   a program or library that exports _PyRuntime, and since 3.11 its version (Py_Version).
 * Out:  the address of the first, and where the members are that lead from there to the frames.
 *
 * The structs are private to each release of two numbers (3.11), and the same in all of its
 * patches.  Before 3.11 the frames were objects of another form.
 */
#ifndef SYMBOL_CPYTHON_H
#define SYMBOL_CPYTHON_H

#include "abi/interpreted.h"
#include "object/object.h"

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

#endif
