/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * saved - programs for anonymous tracing, as readable text
 *
 *	dtrace-anonymous 1
 *	option bufsize=16m        as after -x
 *	argument boot.d           $0, $1 ...
 *	macro pid=812             its value when the program was saved
 *	script boot.d             or "name", "function", "module", "provider"
 *	text syscall::execve:entry
 *		{ @[execname] = count(); }
 *	end
 *
 * Each entry is a keyword and a text; a line that begins with a tab continues the text.  Empty
 * lines and lines that begin with a #, above or below, belong to the administrator of the file.
 */
#ifndef TRACER_ANONYMOUS_SAVED_H
#define TRACER_ANONYMOUS_SAVED_H

#include "base/base.h"
#include "tracer/tracer.h"

struct saved_text {
	char *text; /* ends with a NUL that is not counted */
	size_t len;
};

struct saved_program {
	enum program_kind kind;
	struct saved_text name, text; /* the same string, except for scripts */
};

struct saved {
	VECTOR(struct saved_text) options, arguments, macros;
	VECTOR(struct saved_program) programs;
};

#define SAVED_HEADING "dtrace-anonymous"

/* Write to OUT: the heading, entries (KEYWORD is one of the above), the end. */
void saved_begin(struct strbuf *out);
void saved_end(struct strbuf *out);
void saved_add(struct strbuf *out, const char *keyword, const char *text, size_t len);
/* The keyword of programs of KIND; NULL: they cannot be saved. */
const char *saved_keyword(enum program_kind kind);

/* The errors name the line. */
MUST_CHECK struct error *saved_parse(const char *text, size_t len, struct saved **ret);
void saved_free(struct saved *s); /* NULL is fine */

#endif
