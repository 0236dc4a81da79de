/* SPDX-License-Identifier: BSD-2-Clause */
/* sheet - the tables that may be written: rows of aggregations, and records */
#ifndef SHOW_CSV_SHEET_H
#define SHOW_CSV_SHEET_H

#include "show/csv/cells.h"
#include "show/show.h"

struct sheet {
	char *names;	/* of its aggregations: "a,b,"; NULL: records */
	size_t keys;	/* of an aggregation's rows */
	size_t columns; /* of an aggregation; of records the most that one has */
	bool is_histogram;
	uint64_t run; /* that the rows are of; of records: of all */
	struct cells head, body;
	/* Of records, whose number of cells differs: where each ends in `body`, and its cells. */
	VECTOR(size_t) ends;
	VECTOR(size_t) counts;
	uint64_t rows, unlike; /* unlike: with another number of keys, and left out */
	bool has_percentiles, has_cpus, has_normal, has_counts; /* what is not written, or not so */
};

void sheet_free(struct sheet *s); /* NULL is fine */

struct sheet *sheet_new(const char *names); /* NULL: of records */

/* Add the row of LINE, an aggregation's with the sheet's names; of a record. */
void sheet_add_row(struct sheet *s, const struct show *show, struct json_object *line);
void sheet_add_record(struct sheet *s, const struct show *show, struct json_object *line);

/* Does LINE, a record, have a value or a text? */
bool record_has_values(struct json_object *line);

void sheet_write(const struct sheet *s, FILE *out);

#endif
