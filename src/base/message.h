/* SPDX-License-Identifier: BSD-2-Clause */
/* message - messages on standard error, after the name of the command */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct strbuf;

/* How bad it is: its colour on a terminal. */
enum message_kind {
	MESSAGE_NOTE,
	MESSAGE_LOSS,  /* something is missing from the output */
	MESSAGE_ERROR, /* the requested action is not done */
};

/* Take the name from ARGV0, without its folders, escaped; the name is "dtrace" until then. */
void message_init(const char *argv0);
const char *message_program(void);

/* The name as it begins a message on FD: in colour if that is a terminal, unless the environment
 * has NO_COLOR (https://no-color.org) or TERM=dumb. */
void message_add_name(struct strbuf *out, enum message_kind kind, int fd);

/* A terminal gets foreign texts unchanged, control characters included. */
void message_set_raw(bool raw);

/* The bits of enum escape for a message to FD. */
unsigned message_escapes(int fd);

/* TEXT, lines with our layout and foreign names: characters that act on a terminal are escaped.
 */
void message_listing(FILE *f, const char *text);

/* One line, in one piece; standard output is flushed before. */
void message(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* a note */
void message_loss(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void message_va(enum message_kind kind, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

#endif
