/* SPDX-License-Identifier: BSD-2-Clause */
/* script - the text of a -s program: a file's, or standard input's */
#ifndef CMD_SCRIPT_H
#define CMD_SCRIPT_H

#include "base/base.h"

/* Appends the whole text of PATH ("-" and /dev/stdin: standard input) to RET. */
MUST_CHECK struct error *script_read(const char *path, struct strbuf *ret);

#endif
