/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/command.h"

#include <errno.h>

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
	bool is_pipe = error_errno(err) == EPIPE && signals_pipes_end_us();
	int status = is_pipe ? STATUS_PIPE : fatal("%s", error_text(err));
	error_free(err);
	return status;
}

int fatal_write(const char *name, int errnum)
{
	return fatal_error(error_sys(errnum, "failed to write to %s", name));
}
