/* SPDX-License-Identifier: BSD-2-Clause */
/* cells - text and numbers in cells of a terminal */
#ifndef SHOW_TOP_CELLS_H
#define SHOW_TOP_CELLS_H

#include <wchar.h>

#include "base/base.h"
#include "show/top/amount.h"

/* May characters beyond ASCII be shown?  As the locale says, which main() has set. */
bool cells_are_utf8(void);

/* The cells that TEXT fills as cells_fit() writes it. */
size_t cells_count(const char *text);

/*
 * TEXT in WIDTH cells at most to RET, which has room for CELLS_ROOM(WIDTH) characters; the result
 * is how many cells it fills.  Foreign text is harmless: what has no width, acts on the terminal or
 * changes the direction of writing is replaced or left out.  What is cut off ends in "~".
 */
#define CELLS_ROOM(width) (4 * (width) + 1)
size_t cells_fit(const char *text, size_t width, wchar_t *ret);

/* NUMBER in ten cells at most: "123456789", "123456.7G"; beyond 10^27 in more. */
void cells_number(long double number, char ret[32]);
void cells_rate(double rate, char ret[32]);

/* The shape of a histogram to RET, in WIDTH cells at most. */
void cells_shape(const struct amount *m, size_t width, wchar_t *ret);

#endif
