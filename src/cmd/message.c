/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/message.h"

#include <stdio.h>
#include <string.h>

static const char *program = "dtrace";

void message_init(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');
	const char *name = slash ? slash + 1 : argv0;
	if (*name)
		program = name;
}

const char *message_program(void)
{
	return program;
}

/* One write for the whole line: it must not mix with what a traced command prints. */
static void print(const char *fmt, va_list ap)
{
	auto_strbuf struct strbuf line = { 0 };
	strbuf_printf(&line, "%s: ", program);
	strbuf_vprintf(&line, fmt, ap);
	strbuf_putc(&line, '\n');
	fflush(stdout);
	fputs(strbuf_text(&line), stderr);
}

void message(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
}

int fatal(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
	return STATUS_FATAL;
}

int fatal_error(struct error *err)
{
	message("%s", error_text(err));
	error_free(err);
	return STATUS_FATAL;
}
