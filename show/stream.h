/* SPDX-License-Identifier: BSD-2-Clause */
/* stream - lines of JSON, one after the other, from a descriptor */
#ifndef SHOW_STREAM_H
#define SHOW_STREAM_H

#include <json-c/json.h>

#include "base/base.h"

struct stream;

struct stream *stream_new(int fd); /* FD stays the caller's */
void stream_free(struct stream *s);

/* WAIT(ARG, FD) is called whenever more is about to be read; it may take its time. */
void stream_set_wait(struct stream *s, void (*wait)(void *arg, int fd), void *arg);

/*
 * The next line that is an object with a type; the caller releases it by json_object_put().  NULL:
 * the end.  Lines that are not whole, not UTF-8, no objects or longer than 64 MiB are left out and
 * counted.
 */
struct json_object *stream_next(struct stream *s, const char **type);

uint64_t stream_damaged(const struct stream *s); /* lines that were left out */
int stream_errno(const struct stream *s);	 /* of the read that failed, or 0 */

#endif
