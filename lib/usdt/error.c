/* SPDX-License-Identifier: BSD-2-Clause */
/* error - the sentence about a thread's last failure */
#include <errno.h>
#include <stdio.h>

#include "internal.h"

static __thread char last[256];

int fail(int error, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	vsnprintf(last, sizeof(last), format, values);
	va_end(values);
	errno = error;
	return -1;
}

const char *dtusdt_error(void)
{
	return last;
}
