/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page - what the html form has read, and the parts of the document that show it
 *
 * The stream's text becomes content or attributes by xml_text() alone.  Rows of tables have a share
 * of bytes together, and pictures a number: what has no room is counted, and said where it would
 * be.
 */
#ifndef SHOW_HTML_PAGE_H
#define SHOW_HTML_PAGE_H

#include "show/html/losses.h"
#include "show/html/records.h"
#include "show/html/table.h"
#include "show/stacks.h"

struct page {
	struct stacks *stacks;
	struct histograms *histograms;
	struct tables tables;
	struct records records;
	struct losses losses;

	/* Of the document. */
	struct show *show;
	FILE *out;		      /* where parts are written */
	VECTOR(char *) titles;	      /* of sections: N has the id sN */
	struct hash *drawn;	      /* names of aggregations that have their pictures */
	unsigned pictures;	      /* also those that are left out */
	long rows_left, earlier_left; /* bytes of last printings, and of those before */
};

void section_begin(struct page *p, const char *title);
void section_end(struct page *p);

/* A section of each table, one of the records. */
void page_write_tables(struct page *p);
void page_write_records(struct page *p);

/* The flame graph of the aggregation NAME, NULL: of records, if it has stacks. */
void page_write_flame(struct page *p, const char *name);

/* A printing of T; *LEFT is how many bytes of rows it may have, and is lowered. */
void printing_write(struct page *p, const struct table *t, const struct printing *printing,
		    long *left);

/* The histogram V of COLUMN as bars; its TITLE, "" if it has none. */
void bars_write(FILE *out, const struct column *column, const struct value *v, const char *title);

/* The time of day of TIME: "20:31:07.123456". */
void page_write_time(struct page *p, uint64_t time);

#endif
