/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cells - text in the lines of a terminal
 *
 * A line has as many cells as the terminal has columns.  Text is UTF-8 whatever the locale: wide
 * characters fill two cells, accents none.
 */
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include "base/base.h"

size_t text_cells(const char *text, size_t len);
/* The bytes at the begin of TEXT that fill at most CELLS. */
size_t text_fit(const char *text, size_t len, size_t cells);
/* Add TEXT; if it fills more than MOST cells, its begin and "..". */
void text_add_cut(struct strbuf *out, const char *text, size_t len, size_t most);
/* Of a line of FD; 0: that is not a terminal, or its size is unknown, so that nothing is cut. */
size_t terminal_cells(int fd);

/* A column of a table: all numbers are cells. */
struct table_column {
	size_t width;	/* that it always has */
	size_t content; /* of the text in it */
	size_t most;	/* what the text may fill, by columns_fit() */
};

/*
 * What the widths leave of a line of CELLS is shared by the columns whose texts are longer.  Two
 * columns in 15 cells:
 *
 *     width  content  most
 *         5        3     5   3 are padded to 5
 *         5       30    10   30 are cut: 8 and the mark
 *
 * Where the widths alone need more than CELLS, `most` is the width, and the line is too long.
 */
void columns_fit(struct table_column *columns, unsigned count, size_t cells);

#endif
