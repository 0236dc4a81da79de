/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loader - the kernel as executor: program to loaded programs
 *
 * In:   struct program (abi/program.h).
 * Out:  kernel_executor, a table of executor/executor.h: a loaded program for each group, attached
 *       to its events; records, values and requests as a source.
 *
 * For each group the loader combines the group's code and the functions of the run-time library
 * that it calls (link.c), fills in descriptors and addresses (relocate.c), describes all functions
 * in BTF, which the kernel needs to verify them one by one (program_btf.c), and loads the result.
 * Maps are made when the first instruction refers to them (maps.c, program_map.c, buffers.c), so a
 * script without strings has no scratch memory.  load.c does all this for each group, with the
 * library of runtime.c and the offsets of kernel_offsets.c.  attach/watcher.c loads the small
 * programs that the others rely on.  reader.c reads buffers and maps for the consumer.
 *
 * executor.c is the table, and the life of a run.  attach/attach.c has a row for each kind of
 * event: the type of its program, and the function that attaches it (watchpoint.c,
 * exit_functions.c). attach/follow.c attaches to processes and CPUs, which come and go; members.c
 * to each process of a tree alone; release.c closes links, in a thread; cgroups.c has the control
 * groups of -x target.
 *
 * Always true:
 *   1. All kernel objects belong to descriptors of this process and end with it.  Only pinned
 * objects stay, for another process to adopt (pin.c).
 *   2. A refusal by the verifier is our bug, unless a limit of the verifier is exceeded; the
 * message says which.  It names the clause and its line, and the verifier's log is shown under
 * -xdebug (verifier_log.c).
 */
#ifndef LOADER_LOADER_H
#define LOADER_LOADER_H

#include "executor/executor.h"

extern const struct executor_ops kernel_executor;

#endif
