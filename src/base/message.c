/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/message.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

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
void message_va(const char *fmt, va_list ap)
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
	message_va(fmt, ap);
	va_end(ap);
}
