/* SPDX-License-Identifier: BSD-2-Clause */
/* cells - lines of cells as RFC 4180 writes them */
#ifndef SHOW_CSV_CELLS_H
#define SHOW_CSV_CELLS_H

#include <json-c/json.h>

#include "base/base.h"

struct cells {
	struct strbuf text;
	size_t count;	  /* of the line that is written */
	uint64_t guarded; /* cells with an apostrophe before them */
};

void cells_deinit(struct cells *c);

/* An empty cell; an integer; a name of ours. */
void cell_empty(struct cells *c);
void cell_signed(struct cells *c, int64_t number);
void cell_unsigned(struct cells *c, uint64_t number);
void cell_name(struct cells *c, const char *name);

/*
 * Foreign TEXT of LEN bytes.  What a spreadsheet would take for a formula has an apostrophe before
 * it.
 */
void cell_text(struct cells *c, const char *text, size_t len);

/*
 * A value of the stream: integers as digits, a stack as its functions, outermost first, with
 * semicolons between them.  NULL is an empty cell.
 */
void cell_value(struct cells *c, struct json_object *v);

/* Empty cells until there are COUNT, and the end of the line. */
void cells_end(struct cells *c, size_t count);

#endif
