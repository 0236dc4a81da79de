/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inject - the traced process as executor: probes of its functions without the kernel
 *
 * In:   a program; the held process of -c, or that of -p, which runs.
 * Out:  jumps in its functions, which lead to the program's code in the process; a source for the
 *       consumer (executor/source.h).
 *
 * The program's groups are translated (translate/) to code that calls the agent's image (agent/).
 * Each site of an event gets a window (patch/), whose jump leads to a trampoline: it finds the
 * thread's area, makes the context, and calls the group's code.  Values and records are in memory
 * that the process and dtrace share (abi/process.h).  BEGIN, END, ERROR and ticks run in dtrace, by
 * interpreter_on(), on the same memory.  No privileges are needed for one's own processes.
 *
 * The process is entered while it is held, that of -c before its first instruction or initializer:
 * it makes the memory itself by system calls (process_call()), so that its limits and its
 * namespaces hold, and dtrace opens the memory's descriptor.  After its release dtrace has no hold
 * of it; a futex word of the memory says to each trampoline that dtrace lives.
 *
 * That of -p is held three times for a moment: to make the memory; to make the jumps, when its
 * files are known; and to take them out.  All its threads are stopped then (process_hold()), which
 * do not notice it: process/threads.c says how.  A thread in the middle of a window goes on in the
 * copy of that instruction, and so does a function that a signal has interrupted there: the
 * kernel's frame of the signal is changed.  If the thread waits there in a system call, which the
 * kernel makes again, the site is refused.  At the end the instructions are put back, and what no
 * thread uses any more is unmapped (taken.c).  If dtrace is killed the jumps pass through; whoever
 * enters the process next takes them out.
 *
 *   executor.c     the table process_executor: what it can run, the order of a run
 *   memory.c       the memory, in the process and here; what refuses it; again in a new program
 *   own.c          struct process_own: what the process's code knows of its process
 *   refer.c        what references of bytecode mean in the process (struct translate_owner)
 *   reader.c       records and elements for the consumer; the end of a process
 *   arrivals.c     libraries that the process loads later
 *   children.c     children that fire, too: whether any live, who they are, their end
 *   executed.c     programs that the process executes, children that share its memory until then
 *   remote.c       calls and writes, while it is held and later
 *   stacks.c       tables by which the process walks its stacks, and its mapped code
 *   settle.c       the end of firings under way; where the threads of a held process are
 *   taken.c        jumps taken out, ours and those of a dtrace that was killed
 *   waker.c        the thread that waits for the process's wake-ups
 *   sites.h        sites to windows and jumps
 *   code/          what is known of a file's code; places near its mappings, and what is written;
 *                  the groups' code in a place; the code of one firing
 *
 * Always true:
 *   1. Nothing in the process is changed before all that can be refused was asked: the size of its
 *      address space, filters of system calls, its word size.
 *   2. Of the memory that the process can write dtrace takes no address, size or index as it is
 *      (agent/agent.h).  A process that damages it ends its own trace.
 *   3. A forked child runs the code without firing: its struct process_own is zeros.  One that
 *      shares the memory has another number, and its parent's area says that (AREA_FORKS).  If the
 *      run follows children, both fire in areas of their own (agent/inside/child.c).
 *   4. What the process had recorded completely before its end, however it ended, is read.
 *   5. Code gets and loses jumps only while no thread runs it, and none stands in a window: while
 *      the process is held, later what a library brings whose thread waits (arrivals.c).
 *   6. However dtrace ends, the process goes on: it is held by another process of ours (process/
 *      hand.c), each of whose steps leaves it whole.
 *   7. Nothing is unmapped while a thread is in it, or a signal's frame on a thread's stack returns
 *      to it.  (A program that leaves a signal handler by switching stacks in the middle of
 *      a firing, and comes back after the end, is not seen.)
 *
 * Not yet: several processes, programs that children execute.
 */
#ifndef INJECT_INJECT_H
#define INJECT_INJECT_H

#include "executor/executor.h"

extern const struct executor_ops process_executor;

#endif
