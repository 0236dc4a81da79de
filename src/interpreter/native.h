/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native - the run-time library compiled for this process, on memory of one program
 *
 * Only one program at a time can use the library: its memory is global, as in the kernel's
 * programs.
 */
#ifndef INTERPRETER_NATIVE_H
#define INTERPRETER_NATIVE_H

#include "abi/abi.h"
#include "base/base.h"

/* A principal buffer: a u64 size before each record, which begins at a multiple of 8. */
struct native_ring {
	char *bytes;
	uint64_t used;
};

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
	char *scratch, *constants, *flight, *speculations, *self;
	struct control *control;
	struct area_counters *counters;
	struct clause_drops *clause_drops; /* NULL: not wanted */
	struct native_ring *rings;	   /* by area */
	uint64_t ring_size, flight_stride, wall_offset;
	uint64_t speculation_count, speculation_size, speculation_stride;
	enum buffer_policy policy;
	uint32_t cpu; /* of the firing */
	bool has_self;
	struct native_task task;
	void *owner; /* of the memory that the library may read: see native_owns() */
	bool (*owns)(void *owner, uint64_t address, size_t size);
};
extern struct native native;

bool native_owns(const void *address, size_t size);
long native_output(struct native_ring *ring, const void *data, uint64_t size);

/* The library's function for this row, called with five numbers; NULL: it has none. */
typedef uint64_t native_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
native_fn *native_function(enum rt_function function);

#endif
