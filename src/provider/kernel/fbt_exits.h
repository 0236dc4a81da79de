/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_exits - single instructions of a function of the kernel: the one at an offset, those that
 * leave the function
 *
 * What leaves a function are returns and jumps to other functions: these return in its place.  Code
 * that the compiler moved elsewhere (NAME.cold) belongs to the function.
 */
#ifndef PROVIDER_FBT_EXITS_H
#define PROVIDER_FBT_EXITS_H

#include "provider/kernel/fbt_text.h"

typedef VECTOR(uint64_t) address_vector;

/* The addresses of SYMBOL's instructions that leave it, added to RET; the result is NULL, or why
 * they are not known. */
const char *fbt_exits(const struct kernel_text *t, const struct text_symbol *symbol,
		      address_vector *ret);

/* Why no probe can be OFFSET bytes after SYMBOL's first one; NULL: an instruction begins there. */
const char *fbt_offset_problem(const struct kernel_text *t, const struct text_symbol *symbol,
			       uint64_t offset);

#endif
