/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_lines - lines of source files as probes: pid$target:a.out:file.c@123:
 *
 * In place of the function stands FILE@LINE, a file's name without its folders, which has a dot,
 * and the number of a line; both may be patterns.  The probe is called `line`.  It fires before
 * the code of the line runs: in each function, inlined function or block that has code of it, so
 * of an inlined function or a template one probe has several sites.  arg0 is the offset in the
 * function whose symbol is there.
 */
#ifndef PROVIDER_PID_LINES_H
#define PROVIDER_PID_LINES_H

#include "provider/process/pid.h"

#define PID_LINE_NAME "line"

/* Does FUNCTION, of a description, mean lines? */
bool pid_lines_wanted(const char *function);

/* Make the probes of OBJECT's lines that S means; s->line_*: why there are none. */
void pid_lines_search(struct pid_search *s, struct pid_object *object);

/* The error for a search without result. */
MUST_CHECK struct error *pid_lines_missing(const struct pid_search *s);

#endif
