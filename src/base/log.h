/* SPDX-License-Identifier: BSD-2-Clause */
/* log - debugging text on standard error, only with -xdebug or DTRACE_DEBUG */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

extern bool log_enabled;

void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
