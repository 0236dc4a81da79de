/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * executor - what runs programs: the kernel, or this process (interpreter/)
 *
 * In:   struct program (abi/program.h).
 * Out:  firings, whose records and values the consumer reads as a source (source.h).
 *
 * The tracer knows an executor by this table of functions alone.  Their order in a run:
 *
 *   refuse   for each group of events, before anything is made
 *   load     memory, maps and code; nothing fires
 *   source   for the consumer
 *   attach   events fire from now on, but clauses run only while control.activity is ACTIVE
 *   fire     BEGIN; later END
 *   step     in each round, and when poll_fd is readable: what is due
 *   free     nothing fires any more
 *
 * To come, each where somebody needs it: facts for the plan (areas, maps, frames of the kernel);
 * more programs and parts of them attached and detached while others fire; pins; tables that the
 * executor asks for by a request (unwinding).
 */
#ifndef EXECUTOR_EXECUTOR_H
#define EXECUTOR_EXECUTOR_H

#include "executor/source.h"

/* How much memory may be taken; as the options of these names. */
struct executor_options {
	enum buffer_policy policy;
	uint64_t buffer_size;  /* of each area */
	uint64_t dynamic_size; /* limits self variables */
	unsigned speculation_count;
	uint64_t speculation_size;
	uint64_t wall_offset; /* ns to add to the monotonic clock for UTC */
};

/* What happens at a probe: of timers also when, and where. */
struct executor_event {
	enum event_kind kind;
	uint64_t period; /* ns */
	bool on_each_cpu;
};

struct executor_ops {
	const char *name; /* as in messages: "the interpreter" */
	/* Why it cannot run clauses at this event, in words behind the probe's name; NULL: it can.
	 */
	const char *(*refuse_event)(const struct executor_event *event);
	/* The same of what code calls. */
	bool (*has)(enum rt_function function);
	/* P outlives what is loaded. */
	struct error *(*load)(const struct program *p, const struct executor_options *options,
			      void **ret);
	struct error *(*source)(void *self, struct record_source *ret);
	/* INDEX: in the probe table of the program's group GROUP. */
	struct error *(*attach)(void *self, unsigned group, uint32_t index,
				const struct executor_event *event);
	struct error *(*fire)(void *self, unsigned group, uint32_t index); /* BEGIN, END */
	struct error *(*step)(void *self);
	int (*poll_fd)(void *self); /* readable when step() has something to do */
	void (*free)(void *self);   /* NULL is fine */
};

#endif
