/* SPDX-License-Identifier: BSD-2-Clause */
/* fatal - exit codes, and the messages that end the command */
#ifndef CMD_FATAL_H
#define CMD_FATAL_H

#include "base/base.h"

/* Exit codes. */
enum status {
	STATUS_OK = 0,
	STATUS_FATAL = 1,
	STATUS_USAGE = 2,
	/* The reader of our output is gone: main() ends by SIGPIPE, silently, as other commands of
	 * a pipeline do.  Where that signal is ignored, this is a message and STATUS_FATAL. */
	STATUS_PIPE = 141,
};

/* As message(); returns STATUS_FATAL, for `return fatal(...)`. */
int fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same for an error that came from below, maybe STATUS_PIPE; takes ERR. */
int fatal_error(struct error *err);

/* "failed to write to NAME: REASON", or STATUS_PIPE. */
int fatal_write(const char *name, int errnum);

#endif
