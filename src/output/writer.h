/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * writer - bytes on their way to a descriptor, or kept in memory
 *
 * The buffer is written out when it is full and when writer_flush() asks.  A
 * writer without descriptor (-1) keeps everything in `buffer`.
 */
#ifndef OUTPUT_WRITER_H
#define OUTPUT_WRITER_H

#include <signal.h>
#include <string.h>

#include "base/base.h"
#include "base/cells.h"

struct writer {
	int fd;
	int errnum; /* of the first write that failed; 0: none */
	char *buffer;
	size_t used, capacity;
	bool is_terminal;
	size_t line_cells;		    /* terminal_cells() */
	uint64_t lost;			    /* bytes that were not written, because of errnum */
	uint64_t written, written_at_error; /* bytes; when errnum was set */
	/* When this is 2 or more, an interrupted write gives up (ECANCELED); NULL: never. */
	const volatile sig_atomic_t *interrupts;
};

void writer_init(struct writer *w, int fd);
void writer_set_fd(struct writer *w, int fd); /* what is in the buffer goes there, too */
void writer_deinit(struct writer *w);	      /* does not flush, does not close */

/* Write the buffer; the result is errnum. */
int writer_flush(struct writer *w);
/* Nothing more is written: errnum is ERRNUM, unless a write failed before. */
void writer_stop(struct writer *w, int errnum);

/* Make space for SIZE bytes; writer_room() is the fast path. */
char *writer_make_room(struct writer *w, size_t size);

/* SIZE bytes to fill; add the number written to w->used. */
static inline char *writer_room(struct writer *w, size_t size)
{
	if (w->capacity - w->used >= size)
		return w->buffer + w->used;
	return writer_make_room(w, size);
}

static inline void writer_add(struct writer *w, const void *data, size_t len)
{
	if (len)
		memcpy(writer_room(w, len), data, len);
	w->used += len;
}

static inline void writer_puts(struct writer *w, const char *text)
{
	writer_add(w, text, strlen(text));
}

static inline void writer_putc(struct writer *w, char c)
{
	*writer_room(w, 1) = c;
	w->used++;
}

static inline void writer_fill(struct writer *w, char c, size_t count)
{
	if (count)
		memset(writer_room(w, count), c, count);
	w->used += count;
}

void writer_printf(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* TEXT padded with blanks to WIDTH cells of a terminal. */
void writer_pad_left(struct writer *w, const char *text, size_t len, size_t width);
void writer_pad_right(struct writer *w, const char *text, size_t len, size_t width);

/* Decimal, right-justified in WIDTH. */
void writer_unsigned(struct writer *w, uint64_t x, size_t width);
void writer_signed(struct writer *w, int64_t x, size_t width);

#endif
