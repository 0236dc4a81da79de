/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * http - GET of /metrics, by libmicrohttpd
 *
 * A request waits until http_answer() gives the text; one text answers all that wait, and those
 * that arrive within the next tenth of a second.  A connection is closed after its answer.
 * Nothing here blocks.
 *
 * Always true: there are at most CONNECTIONS_MOST connections, whose buffers hold CONNECTION_BYTES,
 * and TEXTS_MOST texts that clients have not taken yet.  A silent client loses its connection.
 */
#ifndef SHOW_OPENMETRICS_HTTP_H
#define SHOW_OPENMETRICS_HTTP_H

#include "base/base.h"

#define CONNECTIONS_MOST 1000
#define CONNECTION_BYTES 8192
#define CONNECTION_SECONDS 5
#define TEXTS_MOST 16

struct http;

/* LISTENER is a socket that listens; it becomes ours.  NULL: it cannot be served. */
struct http *http_new(int listener);
/* Requests that wait are answered that tracing has ended. */
void http_free(struct http *h);

int http_poll_fd(const struct http *h); /* readable: http_run() has work */
int http_timeout(const struct http *h); /* ms until http_run() has work anyway; -1: never */
void http_run(struct http *h);

bool http_waits(const struct http *h); /* do requests wait for a text? */
/* TEXT, of malloc(), becomes ours; NULL: there is none, WHY is a sentence. */
void http_answer(struct http *h, char *text, size_t len, const char *why);

#endif
