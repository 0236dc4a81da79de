/* SPDX-License-Identifier: BSD-2-Clause */
/* breakpoint - one address that a held process must not pass */
#ifndef PROCESS_BREAKPOINT_H
#define PROCESS_BREAKPOINT_H

#include "base/base.h"

/* Of a stopped process that we trace.  0: it is gone. */
uint64_t program_counter(int pid);
/* At a function's first instruction. */
uint64_t first_argument(int pid);
bool set_program_counter(int pid, uint64_t address);

/*
 * A hardware breakpoint in the registers of one stopped thread.  False where
 * debug registers are refused, or are accepted and do nothing: some emulators
 * do that, so the first call tries it on a child of ours (0.3 ms).
 */
bool breakpoint_set(int pid, uint64_t address);
void breakpoint_clear(int pid);

#endif
