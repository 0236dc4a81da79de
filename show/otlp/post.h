/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * post - bodies to an HTTP endpoint, one after the other, by libcurl
 *
 * The library, with all that it needs, is loaded when it is first used.  A body that the endpoint
 * does not take (429, 502, 503, 504, no connection, no answer in POST_SECONDS) is sent again,
 * later and later, or when it says (Retry-After); one that it refuses otherwise is thrown away.
 *
 * Always true: at most BATCHES_MOST bodies wait; then the oldest is thrown away.  Nothing waits for
 * the endpoint but post_drain().
 */
#ifndef SHOW_OTLP_POST_H
#define SHOW_OTLP_POST_H

#include "base/base.h"

#define BATCHES_MOST 16
#define POST_SECONDS 5
#define RETRY_MOST_NS 30000000000ull

struct post;

MUST_CHECK struct error *post_new(const char *endpoint, struct post **ret);
void post_free(struct post *p); /* NULL is fine */

void post_add(struct post *p, const char *body, size_t len);

/* Send, for at most TIMEOUT ms, or until FD is readable: the result. */
bool post_wait(struct post *p, int fd, int timeout);
/* Send what is left, for at most TIMEOUT ms. */
void post_drain(struct post *p, int timeout);

/* Bodies that were thrown away; points that the endpoint has refused. */
uint64_t post_lost(const struct post *p);
uint64_t post_rejected(const struct post *p);
const char *post_problem(const struct post *p); /* the last one; NULL: there was none */

#endif
