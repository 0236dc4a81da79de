/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * escape - escapes foreign text (names of processes, files, symbols) so that it cannot control a
 * terminal
 *
 * Control characters (C0, DEL, C1) and bytes that are not UTF-8 are printed like %S prints them.
 * Valid UTF-8 stays, and so do newline unless a line must stay one, and tab unless a column must be
 * aligned.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdbool.h>

#include "base/strbuf.h"

enum escape {
	ESCAPE_NEWLINES = 1, /* newlines become \n */
	ESCAPE_CONTROLS = 2, /* all others but tabs, too */
	ESCAPE_TABS = 4,     /* tabs become \t: where columns are aligned */
};

/* Would escape_add() change TEXT?  WHAT: enum escape bits. */
bool escape_changes(const char *text, size_t len, unsigned what);
void escape_add(struct strbuf *out, const char *text, size_t len, unsigned what);

/* The bytes of the UTF-8 character at TEXT, of LEN > 0 bytes; 0: it is not valid (RFC 3629). */
size_t utf8_length(const unsigned char *text, size_t len);

/*
 * One byte in the form of %S, as C reads it back: by its name (\n) or in octal (\033) if it is not
 * printable ASCII; quotation marks and backslashes have a backslash before them.
 */
void escape_add_byte(struct strbuf *out, unsigned char byte);

#endif
