/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interpreter - this process as executor: BEGIN, END, ERROR and tick probes without privileges
 *
 * The program's bytecode is run instruction by instruction (machine.c) in the tracer itself, on
 * memory of its own, with the run-time library compiled for this processor (native.c).  No system
 * call of tracing is made.  So a script can be tried out, taught and tested where the kernel lets
 * nobody trace; it is slow, and nothing but these probes fires.
 *
 * All happens in the tracer's one thread, between rounds: a clause is never interrupted, and a
 * tick that falls due while dtrace prints fires after that.  A firing's area is the CPU that it
 * began on.
 *
 * User memory is that of the tracer; the kernel's cannot be read: reading it is a fault.
 *
 *   machine.c   instructions, and which memory they may touch
 *   native.c    the run-time library (runtime/) and the rows of rt.def (row.def)
 *   elements.c  maps: aggregations and associative arrays
 *   memory.c    the shared state, buffers, references into them
 *   reader.c    the same for the consumer
 *   interpreter.c  firings
 *
 * To add a row of rt.def: a row in row.def.
 */
#ifndef INTERPRETER_INTERPRETER_H
#define INTERPRETER_INTERPRETER_H

#include "executor/executor.h"

extern const struct executor_ops interpreter_executor;

#endif
