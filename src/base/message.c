/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/message.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/visible.h"

static const char *program = "dtrace";
static bool is_raw;

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

void message_set_raw(bool raw)
{
	is_raw = raw;
}

unsigned message_visible(int fd)
{
	return VISIBLE_NEWLINES | (is_raw || !isatty(fd) ? 0 : VISIBLE_CONTROLS);
}

/* One write for the whole line: it must not mix with what a traced command prints. */
void message_va(const char *fmt, va_list ap)
{
	auto_strbuf struct strbuf text = { 0 }, line = { 0 };
	strbuf_printf(&text, "%s: ", program);
	strbuf_vprintf(&text, fmt, ap);
	visible_add(&line, strbuf_text(&text), text.len, message_visible(STDERR_FILENO));
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
