/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outline - which names a D library defines, without parsing it
 *
 * A library defines hundreds of names and a program uses a few, so only the used items
 * are ever parsed.  To find the items, the text is scanned once for brackets, strings,
 * comments and semicolons (1 GB/s); tools/embed-dlib does that at build time for the
 * libraries that we ship, the tracer at run time for those of -L.
 *
 * Names as sema looks them up: "curpsinfo" of an inline, a variable or an enumerator, "self->x"
 * and "this->x" of other variables, "psinfo_t" of a typedef, "struct psinfo" of a tag, "xlate
 * psinfo_t" of a translator, "provider io"; of control lines "library io.d" and, by their kind,
 * the name that they refer to.  An item that defines several names has a row for each, one after
 * another; an item that defines none has one row and no name.
 */
#ifndef SYNTAX_OUTLINE_H
#define SYNTAX_OUTLINE_H

#include "base/base.h"

enum outline_kind {
	OUTLINE_VALUE,	/* inline, variable, extern, enumerator */
	OUTLINE_TYPE,	/* typedef, "struct x" */
	OUTLINE_OTHER,	/* "xlate T", "provider P" */
	OUTLINE_DEPEND, /* "module M", "provider P", "library L": the whole file depends on it */
	OUTLINE_OPTION, /* "quiet", "bufsize=4k": #pragma D option */
	OUTLINE_PRAGMA, /* attributes or binding of the name */
	OUTLINE_CHECK,	/* "": a clause, or a control line unknown to D: only to be checked */
};

struct outline_item {
	uint32_t kind : 4;  /* enum outline_kind */
	uint32_t line : 28; /* of its begin */
	uint32_t name;	    /* offset into the outline's names */
	uint32_t begin;	    /* the item in the text, with the binding pragma of a translator */
	uint32_t end;
};

struct outline {
	VECTOR(struct outline_item) items;
	struct strbuf names; /* each ended by a NUL */
	const char *problem; /* NULL, or why the rest could not be read (static) */
	uint32_t problem_line;
};

void outline_read(const char *text, size_t len, struct outline *ret);
/* Is the word FIRST somewhere before the word SECOND, with nothing but blanks and comments between?
 */
bool outline_has_words(const char *text, size_t len, const char *first, const char *second);
void outline_deinit(struct outline *o);

#endif
