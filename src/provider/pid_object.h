/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_object - the files that a process runs code from
 *
 * An object lives until the end of the program: probes point to it, and the
 * next description of the same process finds its symbols already read.  What
 * is mapped is looked up anew each time, so libraries loaded later are found.
 */
#ifndef PROVIDER_PID_OBJECT_H
#define PROVIDER_PID_OBJECT_H

#include "base/base.h"
#include "object/object.h"

struct pid_object {
	int pid;
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	char *module; /* base name */
	int fd;	      /* held open, so that nothing can take the file's place; -1: refused */
	char *path;   /* of fd, for us and for the kernel */
	bool is_main; /* the executable: a.out */
	struct elf_file *elf; /* NULL until asked for */
};

typedef VECTOR(struct pid_object *) pid_object_vector;

/* The objects of PID now, by address.  The caller frees the vector only. */
struct error *pid_objects(int pid, pid_object_vector *ret);

/* Open it, unless open. */
struct error *pid_object_open(struct pid_object *object);

/* Is MODULE another name of it: a.out, or its name up to ".so"? */
bool pid_object_alias(const struct pid_object *object, const char *module);

/* Has PID, as far as pid_objects() saw, a C++ run-time library? */
bool pid_throws(int pid);

#endif
