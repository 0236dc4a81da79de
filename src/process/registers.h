/* SPDX-License-Identifier: BSD-2-Clause */
/* registers - those of a held process that its run to a stop needs */
#ifndef PROCESS_REGISTERS_H
#define PROCESS_REGISTERS_H

#include "base/base.h"

/* The program counter of a stopped process that we trace.  0: it is gone. */
uint64_t program_counter(int pid);
/* The first argument, at a function's first instruction. */
uint64_t first_argument(int pid);
bool set_program_counter(int pid, uint64_t address);

#endif
