/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * terminal - what a reader that shows its data on the terminal has to itself
 *
 * The terminal is opened again for reading and writing, because standard output may be for writing
 * alone.  Of what would be written to it otherwise, our messages and the output of commands go to a
 * pipe, which the reader has as descriptor 3; a command that would read keys reads nothing.
 *
 * The terminal is left as it was found, however the reader has ended: its modes are kept here, and
 * if it was killed, its screen is left by the sequences that terminals with such a screen know.
 *
 * ^Z stops us after the reader, which leaves its screen first.  A shell takes the terminal and
 * prints its prompt as soon as we have stopped: the screen would be left over that prompt, or with
 * the terminal taken away the modes would stay.
 */
#ifndef TRACER_READER_TERMINAL_H
#define TRACER_READER_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include "base/error.h"

#define READER_FD 3 /* of the reader: the pipe, or its listener; show/top/top.c, openmetrics.c */

struct process_start;

struct terminal {
	bool is_open;
	int fd;
	struct termios modes; /* as we found them */
	bool has_pipe;
	int messages, written; /* its ends */
	int errors;	       /* our standard error; 0: it is still this */
};

/* Open it, once; an error if standard output is not a terminal. */
MUST_CHECK struct error *terminal_open(struct terminal *t);

/* Make the pipe, once, unless nothing of ours goes to the terminal. */
MUST_CHECK struct error *terminal_share(struct terminal *t);
/* The standard streams of a command that START starts. */
void terminal_set_streams(const struct terminal *t, struct process_start *start);
/* From now on our messages go to the pipe. */
void terminal_take_messages(struct terminal *t);
/* From now on ^Z stops us after the reader PID, unless ^Z is ignored. */
void terminal_stop_after(pid_t pid);
/* The reader has all lines: messages go to our standard error again. */
void terminal_return_messages(struct terminal *t);

/*
 * The reader is gone; IS_LEFT: by itself.  What it has left in the pipe goes to standard error.
 * Nothing if the terminal is not open.
 */
void terminal_close(struct terminal *t, bool is_left);

#endif
