/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void strbuf_deinit(struct strbuf *b)
{
	free(b->text);
	*b = (struct strbuf) { 0 };
}

void strbuf_clear(struct strbuf *b)
{
	b->len = 0;
	if (b->text)
		b->text[0] = '\0';
}

char *strbuf_room(struct strbuf *b, size_t more)
{
	if (b->len + more + 1 > b->capacity) {
		b->capacity = (b->len + more + 1) * 2;
		b->text = mem_realloc(b->text, b->capacity);
		b->text[b->len] = '\0';
	}
	return b->text + b->len;
}

void strbuf_add(struct strbuf *b, const void *data, size_t len)
{
	char *end = strbuf_room(b, len);
	if (len)
		memcpy(end, data, len);
	end[len] = '\0';
	b->len += len;
}

void strbuf_puts(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_putc(struct strbuf *b, char c)
{
	strbuf_add(b, &c, 1);
}

void strbuf_fill(struct strbuf *b, char c, size_t count)
{
	char *end = strbuf_room(b, count);
	memset(end, c, count);
	end[count] = '\0';
	b->len += count;
}

void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	char small[256];
	int len = vsnprintf(small, sizeof(small), fmt, ap);
	if (len >= 0 && (size_t)len < sizeof(small)) {
		strbuf_add(b, small, (size_t)len);
	} else if (len >= 0) {
		char *end = strbuf_room(b, (size_t)len);
		vsnprintf(end, (size_t)len + 1, fmt, again);
		b->len += (size_t)len;
	}
	va_end(again);
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	strbuf_vprintf(b, fmt, ap);
	va_end(ap);
}

const char *strbuf_text(const struct strbuf *b)
{
	return b->text ? b->text : "";
}

char *strbuf_take(struct strbuf *b)
{
	char *text = b->text ? b->text : mem_strdup("");
	*b = (struct strbuf) { 0 };
	return text;
}

void strbuf_add_hexadecimal(struct strbuf *b, const void *data, size_t len)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < len; i++)
		strbuf_printf(b, "%02x", bytes[i]);
}
