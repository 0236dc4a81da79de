/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/writer.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define WRITER_BYTES ((size_t)256 << 10)

void writer_init(struct writer *w, int fd)
{
	*w = (struct writer) { 0 };
	writer_set_fd(w, fd);
}

void writer_set_fd(struct writer *w, int fd)
{
	w->fd = fd;
	w->is_terminal = fd >= 0 && isatty(fd);
	w->line_cells = terminal_cells(fd);
}

void writer_deinit(struct writer *w)
{
	free(w->buffer);
	*w = (struct writer) { .fd = -1 };
}

/* Another process with the same terminal or pipe may have made it non-blocking: then we wait. */
static ssize_t write_some(int fd, const char *data, size_t len)
{
	ssize_t n = write(fd, data, len);
	if (n >= 0 || errno != EAGAIN)
		return n;
	struct pollfd f = { .fd = fd, .events = POLLOUT };
	return poll(&f, 1, -1) < 0 ? -1 : 0;
}

/* LEFT: the bytes not written. */
static int write_all(const struct writer *w, size_t *left)
{
	const char *data = w->buffer;
	for (size_t len = *left = w->used; len; *left = len) {
		ssize_t n = write_some(w->fd, data, len);
		if (n < 0 && errno == EINTR && w->interrupts && *w->interrupts >= 2)
			return ECANCELED;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

int writer_flush(struct writer *w)
{
	if (w->fd < 0)
		return 0;
	size_t left = w->used;
	int errnum = w->errnum ? 0 : write_all(w, &left);
	w->written += w->used - left;
	w->lost += left;
	w->used = 0;
	if (errnum)
		writer_stop(w, errnum);
	if (w->is_terminal)
		w->line_cells = terminal_cells(w->fd); /* it may have been resized */
	return w->errnum;
}

void writer_stop(struct writer *w, int errnum)
{
	if (w->errnum)
		return;
	w->errnum = errnum;
	w->written_at_error = w->written;
}

char *writer_make_room(struct writer *w, size_t size)
{
	if (w->used)
		writer_flush(w);
	if (w->capacity - w->used < size) {
		size_t least = w->fd < 0 ? 2 * w->capacity + 256 : WRITER_BYTES;
		w->capacity = MAX(w->used + size, least);
		w->buffer = mem_realloc(w->buffer, w->capacity);
	}
	return w->buffer + w->used;
}

void writer_printf(struct writer *w, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	size_t room = 128;
	int len = vsnprintf(writer_room(w, room), room, fmt, ap);
	if (len >= (int)room)
		len = vsnprintf(writer_room(w, (size_t)len + 1), (size_t)len + 1, fmt, again);
	if (len > 0)
		w->used += (size_t)len;
	va_end(again);
	va_end(ap);
}

void writer_pad_left(struct writer *w, const char *text, size_t len, size_t width)
{
	size_t cells = width ? text_cells(text, len) : len;
	if (cells < width)
		writer_fill(w, ' ', width - cells);
	writer_add(w, text, len);
}

void writer_pad_right(struct writer *w, const char *text, size_t len, size_t width)
{
	size_t cells = width ? text_cells(text, len) : len;
	writer_add(w, text, len);
	if (cells < width)
		writer_fill(w, ' ', width - cells);
}

/* Digits of X before END; the result is their begin. */
static char *digits_before(char *end, uint64_t x)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	while (x >= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (x % 100), 2);
		x /= 100;
	}
	if (x >= 10) {
		end -= 2;
		memcpy(end, pairs + 2 * x, 2);
	} else {
		*--end = (char)('0' + x);
	}
	return end;
}

void writer_unsigned(struct writer *w, uint64_t x, size_t width)
{
	char text[24], *end = text + sizeof(text);
	char *begin = digits_before(end, x);
	writer_pad_left(w, begin, (size_t)(end - begin), width);
}

void writer_signed(struct writer *w, int64_t x, size_t width)
{
	char text[24], *end = text + sizeof(text);
	char *begin = digits_before(end, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
	if (x < 0)
		*--begin = '-';
	writer_pad_left(w, begin, (size_t)(end - begin), width);
}
