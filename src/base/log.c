/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"
#include "base/strbuf.h"

bool log_enabled;

void log_debug(const char *fmt, ...)
{
	if (!log_enabled)
		return;
	auto_strbuf struct strbuf text = { 0 };
	va_list ap;
	va_start(ap, fmt);
	strbuf_puts(&text, "dtrace debug: ");
	strbuf_vprintf(&text, fmt, ap);
	strbuf_putc(&text, '\n');
	va_end(ap);
	message_listing(stderr, strbuf_text(&text));
}
