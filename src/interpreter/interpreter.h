/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interpreter - this process as executor: BEGIN, END, ERROR and tick probes without privileges
 *
 * The program's bytecode is run instruction by instruction (machine.c) in the tracer itself, on its
 * own memory, with the run-time library compiled for this processor (native.c).  No system call for
 * tracing is made.  So a script can be tried, taught and tested where the kernel does not allow
 * tracing; the interpreter is slow, and only these probes fire.
 *
 * All clauses run in the tracer's only thread, between rounds: a clause is never interrupted, and a
 * tick that is due while dtrace prints fires afterwards.  A firing's area is the CPU that it began
 * on.
 *
 * User memory is that of the tracer; a read of kernel memory is a fault.
 *
 *   machine.c   instructions, and the memory that they may access
 *   native.c    the run-time library (runtime/); native_string.c: its functions of strings;
 *               native_table.c: the functions of the rows of rt.def (row.def)
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
