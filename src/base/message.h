/* SPDX-License-Identifier: BSD-2-Clause */
/* message - what is said on standard error, after the name that we were called by */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include <stdarg.h>
#include <stdbool.h>

/* Take the name from ARGV0, without its folders; it is "dtrace" until then. */
void message_init(const char *argv0);
const char *message_program(void);

/* A terminal gets what the texts of others have in them, control characters too. */
void message_set_raw(bool raw);

/* What of a message's text is made visible (enum visible), which goes to FD. */
unsigned message_visible(int fd);

/* One line, in one piece; standard output is flushed before. */
void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void message_va(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

#endif
