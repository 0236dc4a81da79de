/* SPDX-License-Identifier: BSD-2-Clause */
/* request - what a live form requests of dtrace (src/tracer/reader/reader.h) */
#ifndef SHOW_REQUEST_H
#define SHOW_REQUEST_H

#include <stdbool.h>

/* Is the stream a socket to dtrace?  Else it is a file, or another program's. */
bool request_is_possible(int stream);

/* Neither waits; false: it was not sent. */
bool request_snapshot(int stream); /* print the aggregations */
bool request_end(int stream);	   /* end tracing, as ^C does */

#endif
