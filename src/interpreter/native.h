/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native - the run-time library compiled for this process, on memory of one program
 *
 * Only one program at a time can use the library: its memory is global, as in the kernel's
 * programs.
 */
#ifndef INTERPRETER_NATIVE_H
#define INTERPRETER_NATIVE_H

#include "interpreter/interpreter.h"

/* The process data that the library reads: the kernel's task_struct and mm_struct in one. */
struct native_task {
	struct native_task *parent, *self;
	uint64_t arguments, arguments_end;
	uint32_t tgid, flags;
};

/* The same of a timer that fires; the context of its program begins with it. */
struct native_timer {
	struct native_timer *self;
	uint64_t expires;
};

struct native {
	const struct program *program;
	struct interpreter_memory memory;
	char *constants; /* never shared */
	uint64_t wall_offset;
	enum buffer_policy policy;
	uint32_t cpu, area; /* of the firing */
	bool has_self;
	struct native_task task;
	void *owner; /* of the memory that the library may read: see native_owns() */
	bool (*owns)(void *owner, uint64_t address, size_t size);
};
extern struct native native;

bool native_owns(const void *address, size_t size);
/* May clauses read and write these bytes as user memory? */
bool native_is_user(const void *address, size_t size, bool write);

/* The library's function for this row, called with five numbers; NULL: it has none. */
typedef uint64_t native_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
native_fn *native_function(enum rt_function function);

#endif
