/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct error {
	char *text;
	int errnum;
	int tag;
};

static struct error *error_make(char *text, int errnum)
{
	struct error *err = mem_zalloc(sizeof(*err));
	err->text = text;
	err->errnum = errnum;
	return err;
}

struct error *error_new(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	struct error *err = error_make(mem_vprintf(fmt, ap), 0);
	va_end(ap);
	return err;
}

static struct error *error_prefix(struct error *err, char *front)
{
	char *text = mem_printf("%s: %s", front, err->text);
	free(front);
	free(err->text);
	err->text = text;
	return err;
}

/* The system's text, and the remedy where there is always the same. */
static char *errnum_text(int errnum)
{
	const char *advice = errnum == EMFILE ? " (allow more: ulimit -n)" : "";
	return mem_printf("%s%s", strerror(errnum), advice);
}

struct error *error_sys(int errnum, const char *fmt, ...)
{
	struct error *err = error_make(errnum_text(errnum), errnum);
	va_list ap;
	va_start(ap, fmt);
	char *front = mem_vprintf(fmt, ap);
	va_end(ap);
	return error_prefix(err, front);
}

struct error *error_wrap(struct error *err, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *front = mem_vprintf(fmt, ap);
	va_end(ap);
	return error_prefix(err, front);
}

const char *error_text(const struct error *err)
{
	return err->text;
}

bool error_unless(struct error **first, bool it, unsigned line, const char *fmt, ...)
{
	if (it || *first)
		return !*first;
	va_list ap;
	va_start(ap, fmt);
	*first = error_make(mem_vprintf(fmt, ap), 0);
	va_end(ap);
	if (line)
		*first = error_prefix(*first, mem_printf("line %u", line));
	return false;
}

struct error *error_tag(struct error *err, int tag)
{
	err->tag = tag;
	return err;
}

int error_tag_of(const struct error *err)
{
	return err->tag;
}

int error_errno(const struct error *err)
{
	return err->errnum;
}

void error_free(struct error *err)
{
	if (!err)
		return;
	free(err->text);
	free(err);
}
