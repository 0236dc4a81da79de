/* SPDX-License-Identifier: BSD-2-Clause */
/* registers - those of a stopped process that we trace, and words of its memory, as its run to a
 * stop needs them */
#ifndef PROCESS_REGISTERS_H
#define PROCESS_REGISTERS_H

#include "base/base.h"

uint64_t program_counter(int pid); /* 0: it is gone */
uint64_t stack_pointer(int pid);   /* 0: it is gone */
bool set_program_counter(int pid, uint64_t address);

/* The first argument, at a function's first instruction. */
uint64_t first_argument(int pid); /* 0: it is gone */
bool set_first_argument(int pid, uint64_t value);

/* Words of SIZE bytes, 4 or 8, at addresses that are aligned so. */
bool peek(int pid, uint64_t address, unsigned size, uint64_t *ret);
bool poke(int pid, uint64_t address, unsigned size, uint64_t value);

#endif
