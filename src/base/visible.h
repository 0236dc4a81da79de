/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * visible - escapes foreign text (names of processes, files, symbols) so that it cannot control a
 * terminal
 *
 * Control characters (C0, DEL, C1) and bytes that are not UTF-8 are shown as %S shows them.  Tab
 * stays, valid UTF-8 stays, and so does newline unless a line must stay one.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stdbool.h>

#include "base/strbuf.h"

enum visible {
	VISIBLE_NEWLINES = 1, /* newlines are shown as \n */
	VISIBLE_CONTROLS = 2, /* all others, too */
};

/* Would visible_add() change TEXT?  WHAT: enum visible bits. */
bool visible_changes(const char *text, size_t len, unsigned what);
void visible_add(struct strbuf *out, const char *text, size_t len, unsigned what);

/* One byte in the form of %S: if it is not printable ASCII, by its name (\n) or in octal (\033). */
void visible_add_byte(struct strbuf *out, unsigned char byte);

#endif
