/* SPDX-License-Identifier: BSD-2-Clause */
/* lines - the last lines of a text that grows */
#ifndef SHOW_TOP_LINES_H
#define SHOW_TOP_LINES_H

#include "base/base.h"

#define LINES_MOST 1000
#define LINE_BYTES 4096 /* the rest of a longer line is left out */

struct lines {
	char *kept[LINES_MOST];
	uint64_t count;	    /* so far, also those that are not kept */
	struct strbuf open; /* the last line, without its end */
};

void lines_deinit(struct lines *l);
void lines_add(struct lines *l, const char *text, size_t len);
/* Line N, from 0; NULL: it is not kept, or not whole. */
const char *lines_at(const struct lines *l, uint64_t n);
/* The number of the first line that is kept. */
uint64_t lines_first(const struct lines *l);

#endif
