/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

bool log_enabled;

void log_debug(const char *fmt, ...)
{
	if (!log_enabled)
		return;
	va_list ap;
	va_start(ap, fmt);
	fputs("dtrace debug: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
}
