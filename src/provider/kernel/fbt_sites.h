/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_sites - instructions of the kernel by what they do: calls of one function in another, and
 * additions to a per-CPU counter
 *
 * A function is meant with those that the compiler has made of it (NAME.isra.0), but not with code
 * that it has moved elsewhere (NAME.cold).
 */
#ifndef PROVIDER_FBT_SITES_H
#define PROVIDER_FBT_SITES_H

#include "provider/kernel/fbt_text.h"
#include "provider/provider.h"

typedef VECTOR(struct kernel_site) kernel_site_vector;

/*
 * The sites that Q means, into RET, which is empty; their functions' names are in A.  VARIABLE: the
 * address of the counter.  The result is NULL, or why there are none, in A.
 */
const char *fbt_sites(const struct kernel_text *t, struct arena *a, const struct site_query *q,
		      uint64_t variable, kernel_site_vector *ret);

#endif
