/* SPDX-License-Identifier: BSD-2-Clause */
/* strbuf - a string that grows; always ends with a NUL that is not counted */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *text; /* NULL while empty */
	size_t len, capacity;
};

void strbuf_deinit(struct strbuf *b);
void strbuf_clear(struct strbuf *b); /* keeps the memory */

/*
 * Memory for MORE bytes and a NUL after the text, to be written directly; the caller adds to LEN.
 */
char *strbuf_room(struct strbuf *b, size_t more);

void strbuf_add(struct strbuf *b, const void *data, size_t len);
void strbuf_puts(struct strbuf *b, const char *s);
void strbuf_putc(struct strbuf *b, char c);
void strbuf_add_hexadecimal(struct strbuf *b, const void *data, size_t len); /* 1fa0 */
void strbuf_fill(struct strbuf *b, char c, size_t count);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap);

/* The text, never NULL; owned by B. */
const char *strbuf_text(const struct strbuf *b);

/* Pass the text to the caller, who frees it; B is empty afterwards. */
char *strbuf_take(struct strbuf *b);

#define auto_strbuf __attribute__((cleanup(strbuf_deinit)))

#endif
