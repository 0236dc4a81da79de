/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/file.h"
#include "base/strbuf.h"

static const char *program = "dtrace";
static bool is_raw;

void message_init(const char *argv0)
{
	const char *name = path_base_name(argv0);
	if (!*name)
		return;
	static struct strbuf shown;
	strbuf_clear(&shown);
	escape_add(&shown, name, strlen(name), ESCAPE_NEWLINES | ESCAPE_CONTROLS);
	program = strbuf_text(&shown);
}

const char *message_program(void)
{
	return program;
}

void message_set_raw(bool raw)
{
	is_raw = raw;
}

unsigned message_escapes(int fd)
{
	return ESCAPE_NEWLINES | (is_raw || !isatty(fd) ? 0 : ESCAPE_CONTROLS);
}

static bool has_colours(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	return isatty(fd) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

void message_add_name(struct strbuf *out, enum message_kind kind, int fd)
{
	static const char *const colours[] = {
		[MESSAGE_NOTE] = "\033[1m",
		[MESSAGE_LOSS] = "\033[1;33m",
		[MESSAGE_ERROR] = "\033[1;31m",
	};
	bool coloured = has_colours(fd);
	strbuf_puts(out, coloured ? colours[kind] : "");
	strbuf_puts(out, program);
	strbuf_puts(out, coloured ? "\033[0m" : "");
}

void message_listing(FILE *f, const char *text)
{
	auto_strbuf struct strbuf shown = { 0 };
	escape_add(&shown, text, strlen(text), message_escapes(fileno(f)) & ~ESCAPE_NEWLINES);
	fwrite(strbuf_text(&shown), 1, shown.len, f);
}

/* One write for the whole line: it must not mix with a traced command's output. */
void message_va(enum message_kind kind, const char *fmt, va_list ap)
{
	auto_strbuf struct strbuf text = { 0 }, line = { 0 };
	strbuf_vprintf(&text, fmt, ap);
	message_add_name(&line, kind, STDERR_FILENO);
	strbuf_puts(&line, ": ");
	escape_add(&line, strbuf_text(&text), text.len, message_escapes(STDERR_FILENO));
	strbuf_putc(&line, '\n');
	fflush(stdout);
	fputs(strbuf_text(&line), stderr);
}

void message(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	message_va(MESSAGE_NOTE, fmt, ap);
	va_end(ap);
}

void message_loss(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	message_va(MESSAGE_LOSS, fmt, ap);
	va_end(ap);
}
