/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/fatal.h"

int fatal(const char *fmt, ...)
{
	auto_strbuf struct strbuf text = { 0 };
	va_list ap;
	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	message("%s", strbuf_text(&text));
	return STATUS_FATAL;
}

int fatal_error(struct error *err)
{
	message("%s", error_text(err));
	error_free(err);
	return STATUS_FATAL;
}
