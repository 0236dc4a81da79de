/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interpreter - this process as executor: BEGIN, END, ERROR and tick probes without privileges
 *
 * The program's bytecode is run instruction by instruction (machine.c) in the tracer itself, with
 * the run-time library compiled for this processor (native.c).  No system call for tracing is made.
 * So a script can be tried, taught and tested where the kernel does not allow tracing; the
 * interpreter is slow, and only these probes fire.
 *
 * The program works on a struct interpreter_memory.  The executor makes one itself (memory.c).
 * Another executor, whose programs run elsewhere on memory that it shares with them, supplies its
 * own to interpreter_on(): so these probes have the same variables, aggregations and speculations
 * as its others.
 *
 * All clauses run in the tracer's only thread, between rounds: a clause is never interrupted, and a
 * tick that is due while dtrace prints fires afterwards.
 *
 * User memory is that of the tracer; a read of kernel memory is a fault.
 *
 * Always true, whatever others write to a shared memory, at any time:
 *   1. Instructions access the memory, their frame, context and constants, and nothing else; the
 *      library's functions likewise (POINTED rows of row.def, and the bounds of runtime/).  What is
 *      read is never an address that is followed without this test.
 *   2. Constants, probe tables, positions and sizes are the tracer's own.
 *   3. A firing ends: loops have the bounds that the kernel gives them.
 *   4. User memory is only the arguments of the tracer; nothing is written there, and no signal is
 *      raised.  Else an address in a variable would lead to all that the tracer has.
 *
 *   machine.c   instructions, and the memory that they may access
 *   native.c    the run-time library (runtime/); native_string.c: its functions of strings;
 *               native_table.c: the functions of the rows of rt.def (row.def)
 *   memory.c    the memory that the executor makes; elements.c: its maps
 *   refer.c     references into a memory, and this process as the library reads it
 *   reader.c    its own memory for the consumer
 *   interpreter.c  firings
 *
 * To add a row of rt.def: a row in row.def; for each argument that is an address a row POINTED.
 */
#ifndef INTERPRETER_INTERPRETER_H
#define INTERPRETER_INTERPRETER_H

#include "executor/executor.h"

extern const struct executor_ops interpreter_executor;

/* Maps and buffers of a memory; ARG is its own. */
struct interpreter_functions {
	/* The value, which does not move, or NULL. */
	char *(*find)(void *arg, unsigned map, const void *key);
	/* FLAGS as bpf(2)'s; < 0: an error. */
	long (*update)(void *arg, unsigned map, const void *key, const void *value, uint64_t flags);
	long (*remove)(void *arg, unsigned map, const void *key);
	/* KEY is copied; VALUE is as find() returns it.  The caller changes none
	 * during the walk; of shared memory others may. */
	struct error *(*each)(void *arg, unsigned map, element_visit_fn *visit, void *visit_arg);
	/* A record into the buffer of AREA; < 0: there is no room. */
	long (*output)(void *arg, unsigned area, const void *data, uint64_t size);
	uint64_t (*used)(void *arg, unsigned area); /* bytes in that buffer */
};

#define AREA_OF_CPU UINT32_MAX

struct interpreter_memory {
	/* What the program may access, besides constants; the state and so on are in it. */
	char *bytes;
	uint64_t size;
	bool is_shared; /* others write to it, too, and are not trusted */
	struct control *control;
	struct area_counters *counters;
	struct clause_drops *clause_drops; /* NULL: not wanted */
	char *globals, *keyless, *scratch;
	char *self; /* the block of the tracer's thread */
	/* Not for instructions, so they may be elsewhere; sizes and counts as in abi/state.h. */
	char *flight, *speculations;
	uint64_t flight_stride, speculation_count, speculation_size, speculation_stride;
	uint64_t ring_size;
	uint32_t area; /* of all firings; AREA_OF_CPU: of the CPU that they begin on */
	const struct interpreter_functions *functions;
	void *arg;
};

/*
 * Instead of load(): run the groups of P on MEMORY, which has state (abi/state.h) and outlives the
 * result, of which attach(), fire(), step(), poll_fd() and free() are to be used.  Groups of other
 * events than refuse_event() accepts are ignored.
 */
MUST_CHECK struct error *interpreter_on(const struct program *p,
					const struct executor_options *options,
					const struct interpreter_memory *memory, void **ret);

#endif
