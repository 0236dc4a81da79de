/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader - the wing that gives what is traced to a program which draws it (show/show.h)
 *
 * A form of -x oformat that output/ does not have is the name of a program in libexec/dtrace.  If
 * we are root it runs as nobody, in any case without capabilities and without the privileges that
 * an exec could give, with the environment that says what the terminal is, and with these
 * descriptors: its standard input is a socket with the lines of the stream (of --show: the file),
 * its standard output the document or the terminal, its standard error ours; one on the terminal
 * has a pipe, too (terminal.h), one that is scraped a socket (listen.h).  Signals for our process
 *group do not end it while it reads from us; the end of the lines does.  If it ends, tracing ends.
 *
 * The other way the socket carries requests, a line each; a request is one of these, byte for byte:
 *
 *	{"request":"snapshot"}	print the aggregations as SIGUSR1 does, at most ten times a second
 *	{"request":"end"}	end tracing as SIGINT does, once
 *
 * The reader is not trusted: there is nothing else that it can request, and other bytes end
 * tracing.  A reader that does not read makes us wait, as a full pipe does: the kernel counts
 * drops, and a second SIGINT ends tracing and the reader at once.
 *
 * With -o the document is kept in memory until it is whole, and then replaces the file; else the
 * program writes it to our standard output.
 */
#ifndef TRACER_READER_H
#define TRACER_READER_H

#include <sys/types.h>

#include "tracer/internal.h"
#include "tracer/reader/listen.h"
#include "tracer/reader/terminal.h"

struct reader {
	pid_t pid;		  /* 0: there is none */
	int stream;		  /* our end of the socket */
	int document;		  /* in memory; -1: standard output is the document */
	struct terminal terminal; /* of a reader that shows its data there */
	struct listener listener; /* of a reader that is scraped, until it has it */
	char received[64];	  /* the begin of a request */
	size_t received_len;
	bool wants_snapshot;
	uint64_t next_snapshot; /* not before, in ns of CLOCK_MONOTONIC */
	bool has_ended_tracing;
};

enum reader_request { REQUEST_SNAPSHOT = 1, REQUEST_END = 2 };
#define REQUEST_READS 16 /* of reader_requests() at most: others have their turn */

/*
 * What the reader has requested since the last call, bits of enum reader_request; never waits.  An
 * error: the reader has ended (EPIPE, ECONNRESET), or has sent something else.
 */
MUST_CHECK struct error *reader_requests(struct reader *r, unsigned *ret);

/*
 * Start the program of OPTIONS' oformat.  INPUT is what it reads, -1: a socket, whose other end is
 * RET->stream.  The document is kept if KEEPS.  RET is zero but for its terminal and listener.
 */
MUST_CHECK struct error *reader_start(const struct options *options, int input, bool keeps,
				      struct reader *ret);

/*
 * There are no more lines: wait until the reader has drawn, and make the document, if it was kept,
 * the content of the file at PATH, NULL: of none.  *INTERRUPTS, NULL: none, above 1 ends it at
 * once.
 */
MUST_CHECK struct error *reader_finish(struct reader *r, const char *form, const char *path,
				       const volatile sig_atomic_t *interrupts);

#endif
