/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_path - functions of the kernel that probes and programs themselves call
 *
 * The kernel enters our path at some functions, by pointers (own_path.def): what runs programs, and
 * what programs call.  What these call in turn is found in their machine code: direct calls, and
 * jumps to other functions.  The walk ends where the path is left in exceptional cases only:
 * warnings, the scheduler, allocation of pages (own_path.def, too), code that the compiler calls
 * cold; and, as kernels differ, at each call from which calls lead to more than 64 functions.
 *
 * Calls by pointers inside of the path are not seen: their targets are listed as beginnings.
 */
#ifndef PROVIDER_FBT_PATH_H
#define PROVIDER_FBT_PATH_H

#include "provider/kernel/fbt_text.h"

struct fbt_path;

/* T: sorted, and not needed any more afterwards. */
struct fbt_path *fbt_path_new(const struct kernel_text *t);
void fbt_path_free(struct fbt_path *p); /* NULL is fine */

/* Why the function at ADDRESS is on our path: "called by NAME"; owned by P.  NULL: it is not. */
const char *fbt_path_reason(const struct fbt_path *p, uint64_t address);
size_t fbt_path_count(const struct fbt_path *p);

/* By its name alone, for kernels whose code we cannot read. */
const char *fbt_path_name_reason(const char *function);
/* Not on our path, but left out as well: FORBIDDEN of own_path.def. */
const char *fbt_forbidden_reason(const char *function);

#endif
