/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * format - printf and printa formats, parsed
 *
 * Sema checks arguments against the conversions, output prints by them; both
 * read the same list.
 */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct error;

/*
 * The largest width and precision: more is a mistake of the script, not a wish.  A larger value of
 * a
 * `*` counts as this.
 */
#define FORMAT_WIDTH_MOST 65536

struct format_conversion {
	const char *text; /* literal text before it ... */
	size_t text_len;
	char letter;  /* 0: only text (the format's end); '%' is given as text */
	char size[3]; /* "", "h", "hh", "l", "ll", "L", "w" */
	bool alternate, zero, left, plus, blank, group; /* # 0 - + space ' */
	bool pointer_width;				/* ? */
	bool aggregation;				/* @ */
	bool width_star, precision_star;
	int width, precision; /* -1: none */
};

struct format {
	struct format_conversion *conversions; /* the last one has letter 0 */
	size_t count;			       /* with the last one */
};

/* Parse TEXT; it must outlive the result.  An error names the mistake and its place. */
MUST_CHECK struct error *format_parse(const char *text, struct format *ret);
void format_deinit(struct format *f);

#endif
