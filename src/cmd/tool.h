/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tool - scripts that come with dtrace, by name: `dtrace -s opensnoop`
 *
 * A name without a slash that is not a file here is looked for, with ".d" unless it has that, in
 * the directories of -x tooldir=, in /etc/dtrace/toolkit, and where ours are: share/dtrace of the
 * place where dtrace is installed, or toolkit/ of the sources for a dtrace that was built there.
 */
#ifndef CMD_TOOL_H
#define CMD_TOOL_H

#include "base/base.h"

struct options;

/*
 * The path of the script NAME is appended to RET: that of a tool, or else NAME itself.  An error
 * names the places when there is neither.
 */
MUST_CHECK struct error *tool_find(const struct options *o, const char *name, struct strbuf *ret);

/* If the script at PATH, TEXT is the tool NAME: how it is used, free() it; else NULL. */
char *tool_usage(const char *name, const char *path, const char *text);

#endif
