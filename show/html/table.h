/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table - aggregations as tables: for each the rows of its last printings
 *
 * Aggregations that one printa() joined are one table, with a column of values for each.  Rows come
 * largest first.  Of a printing with very many rows, and of very many printings, the others are
 * counted.
 */
#ifndef SHOW_HTML_TABLE_H
#define SHOW_HTML_TABLE_H

#include "show/histogram.h"

enum value_kind { VALUE_MISSING, VALUE_NUMBER, VALUE_HISTOGRAM };

struct value {
	enum value_kind kind;
	char digits[24];
	double weight;		/* the number; of a histogram how many values it has */
	uint64_t count;		/* of the values of an average; 0: it is none */
	struct bucket *buckets; /* with the counts as `now` */
	size_t bucket_count;
	char *percentiles; /* "50 %: 7", with commas between them; NULL: none */
};

enum key_kind { KEY_TEXT = 't', KEY_NUMBER = 'n', KEY_STACK = 's' };

struct row {
	uint64_t place; /* in the stream */
	char *keys;	/* each its enum key_kind, its text and a NUL; an empty one at the end */
	struct value *values; /* as many as the table has columns */
};

struct printing {
	uint64_t run, number, time; /* time 0: the end of tracing */
	VECTOR(struct row) rows;
	uint64_t left_out; /* rows that are no larger than these */
	double least;	   /* the last one of these, if some are left out */
	double whole;	   /* sum of the first values of all rows */
};

struct column {
	char *name, *function;
	char *normal; /* the divisor of normalize(), NULL: none */
};

struct table {
	VECTOR(struct column) columns;
	VECTOR(struct printing) printings; /* the last ones */
	uint64_t left_out;		   /* printings before these */
	size_t keys;			   /* of a row, at most */
	bool has_stacks, has_numbers, has_histograms;
	bool has_cpus; /* the stream has values by CPU, which are not kept */
};

struct tables {
	VECTOR(struct table *) list;
	struct hash *index; /* names of the columns to the table */
	uint64_t rows;
};

void tables_init(struct tables *t);
void tables_deinit(struct tables *t);

/* Take the LINE of an aggregation. */
void tables_add(struct tables *t, const struct show *show, struct json_object *line);

/* There are no more lines: rows get their order. */
void tables_finish(struct tables *t);

#endif
