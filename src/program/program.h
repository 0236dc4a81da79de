/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program - what a compiled program promises
 *
 * In:   struct program (abi/program.h), by whoever made it.
 * Out:  whether all that its readers rely upon holds.
 *
 * Loader, interpreter, consumer and output trust a program: they index its tables and its records
 * without asking again.  That is right for a program that our compiler has just made, and the
 * compiler is tested by program_verify(); a program that was read from a file is verified first.
 *
 * What is verified: layouts lie inside their records, keys and values, at aligned offsets; tables
 * are sorted, in range, and refer to one another in range; code is whole instructions that jump to
 * instructions of the same function and end in `exit`; what an executor completes is a relocation
 * in order, at an instruction that has room for it; the frame has 512 bytes.  What the code
 * computes is the kernel's verifier's business.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "abi/abi.h"
#include "base/base.h"

/* The first promise that is broken, or NULL. */
struct error *program_verify(const struct program *p);

#endif
