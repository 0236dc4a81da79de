/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inject - the traced process as executor: probes of its functions without the kernel
 *
 * In:   a program; the held process of -c.
 * Out:  jumps in its functions, which lead to the program's code in the process; a source for the
 *       consumer (executor/source.h).
 *
 * The program's groups are translated (translate/) to code that calls the agent's image (agent/).
 * Each site of an event gets a window (patch/), whose jump leads to a trampoline: it finds the
 * thread's area, makes the context, and calls the group's code.  Values and records are in memory
 * that the process and dtrace share (abi/process.h).  BEGIN, END, ERROR and ticks run in dtrace, by
 * interpreter_on(), on the same memory.  No privileges are needed for one's own processes.
 *
 * The process is entered while it is held, before its first instruction or initializer: it makes
 * the memory itself by system calls (process_call()), so that its limits and its namespaces hold,
 * and dtrace opens the memory's descriptor.  After its release dtrace has no hold of it; a futex
 * word of the memory says to each trampoline that dtrace lives.
 *
 *   executor.c     the table process_executor: what it can run, the order of a run
 *   memory.c       the memory, in the process and here; what refuses it; again in a new program
 *   own.c          struct process_own: what the process's code knows of its process
 *   refer.c        what references of bytecode mean in the process (struct translate_owner)
 *   reader.c       records and elements for the consumer; the end of a process
 *   arrivals.c     libraries that the process loads later
 *   executed.c     programs that the process executes, children that share its memory until then
 *   remote.c       calls and writes, while it is held and later
 *   stacks.c       tables by which the process walks its stacks, and its mapped code
 *   settle.c       the end of firings under way
 *   waker.c        the thread that waits for the process's wake-ups
 *   sites.h        sites to windows and jumps
 *   code.h         what is known of a file's code; places near its mappings, and what is written
 *   groups.h       the groups' code in a place, also where returns follow jumps
 *   trampoline.h   the code of one firing
 *
 * Always true:
 *   1. Nothing in the process is changed before all that can be refused was asked: the size of its
 *      address space, filters of system calls, its word size.
 *   2. Of the memory that the process can write dtrace takes no address, size or index as it is
 *      (agent/agent.h).  A process that damages it ends its own trace.
 *   3. A forked child runs the code without firing: its struct process_own is zeros.  One that
 *      shares the memory has another number, and its parent's area says that (AREA_FORKS).
 *   4. What the process had recorded completely before its end, however it ended, is read.
 *   5. Only code that no thread can run gets jumps: while the process is held all of it, later
 *      what a library brings whose thread waits (arrivals.c).
 *
 * Not yet: processes that run already (-p), several processes, children.
 */
#ifndef INJECT_INJECT_H
#define INJECT_INJECT_H

#include "executor/executor.h"

extern const struct executor_ops process_executor;

#endif
