/* SPDX-License-Identifier: BSD-2-Clause */
/* svg - what the pictures have in common: head, title, notes */
#ifndef SHOW_SVG_H
#define SHOW_SVG_H

#include "show/show.h"

#define SVG_WIDTH 1200.0 /* pixels */
#define SVG_LINE 16	 /* pixels of a line of text */
#define SVG_TOP (3 * SVG_LINE)

/*
 * The head of a picture of HEIGHT pixels and of the CLASS that STYLE, CSS, is for.  The command
 * line is the title, SUBTITLE, which says what is drawn, stands below; the third line above SVG_TOP
 * is free.
 */
void svg_begin(FILE *out, const struct show *s, const char *class, const char *subtitle,
	       const char *style, double height);

/* The notes of S, a line each, below Y, and their height. */
double svg_notes_height(const struct show *s);
void svg_notes(FILE *out, const struct show *s, double y);

#endif
