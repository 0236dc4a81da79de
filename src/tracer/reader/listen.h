/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listen - the socket on which a reader is scraped (-x listen)
 *
 * We open it, since a port below 1024 needs privileges; the reader, which has none, is given it as
 * descriptor READER_FD.  So a port that is taken is an error before anything is started.
 */
#ifndef TRACER_READER_LISTEN_H
#define TRACER_READER_LISTEN_H

#include <stdbool.h>

#include "base/error.h"

struct listener {
	bool is_open;
	int fd;
};

/* Open L, once.  ADDRESS is [A.B.C.D:]PORT or [IPv6]:PORT; a port alone is of 127.0.0.1. */
MUST_CHECK struct error *listener_open(struct listener *l, const char *address);
/* The reader has it, or is not started: nothing of a socket that is not open. */
void listener_close(struct listener *l);

/* NULL, or why NAMES, of -x labels, are none: [@NAME=]LABEL,LABEL */
const char *labels_mistake(const char *names);

#endif
