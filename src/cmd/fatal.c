/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/fatal.h"

int fatal(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	message_va(MESSAGE_ERROR, fmt, ap);
	va_end(ap);
	return STATUS_FATAL;
}

int fatal_error(struct error *err)
{
	fatal("%s", error_text(err));
	error_free(err);
	return STATUS_FATAL;
}
