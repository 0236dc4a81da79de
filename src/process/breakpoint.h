/* SPDX-License-Identifier: BSD-2-Clause */
/* breakpoint - one address that a held process must not pass */
#ifndef PROCESS_BREAKPOINT_H
#define PROCESS_BREAKPOINT_H

#include "base/base.h"

/* The program counter of a stopped process that we trace.  0: it is gone. */
uint64_t program_counter(int pid);
/* The first argument, at a function's first instruction. */
uint64_t first_argument(int pid);
bool set_program_counter(int pid, uint64_t address);

/*
 * A hardware breakpoint in the registers of one stopped thread.  False if
 * debug registers are refused, or have no effect, as on some emulators: the
 * first call tries them on a child process (0.3 ms).
 */
bool breakpoint_set(int pid, uint64_t address);
void breakpoint_clear(int pid);

#endif
