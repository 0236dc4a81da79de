/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program - a compiled program as bytes, and its verification
 *
 * In:   struct program (abi/program.h), from any maker; or its bytes.
 * Out:  bytes; or the program again; and whether the assumptions of its readers are true.
 *
 * The written form holds all of the program and refers to nothing outside of it, so a process that
 * never saw the D text can run it or print its records (record and replay).  It has a version, and
 * programs of other versions are refused.
 *
 * Loader, interpreter, consumer and output trust a program: they index its tables and its records
 * without checks.  That is right for a program that our compiler has just made, and the compiler
 * is tested by program_verify(); a program that was read from a file is verified first.
 *
 * What is verified: layouts lie inside their records, keys and values, at aligned offsets; tables
 * are sorted, in range, and refer to one another in range; code is whole instructions that jump to
 * instructions of the same function and end in `exit`; values that an executor fills in are
 * relocations in order, at instructions that can hold them; the frame has 512 bytes.  The kernel's
 * verifier checks the code's computations.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "abi/abi.h"
#include "base/base.h"
#include "types/types.h"

/* The first promise that is broken, or NULL. */
MUST_CHECK struct error *program_verify(const struct program *p);

/* P as bytes, appended to OUT.  TYPES has those that print() shows. */
void program_write(const struct program *p, struct types *types, struct strbuf *out);

/*
 * The program that was written as these bytes, verified.  It lives in ARENA; types that it shows
 * are of TYPES.
 */
MUST_CHECK struct error *program_read(const void *bytes, size_t size, struct types *types,
				      struct arena *arena, struct program *ret);

#endif
