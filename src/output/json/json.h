/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json - what the files of the JSON writer share; docs/json.md is for its readers
 *
 *   json.c        lines: records, drops, errors, exit     json_rows.c   lines: aggregations
 *   json_text.c   strings, numbers, members               json_value.c  data, stacks, symbols
 *   json_print.c  print()
 *
 * No value is lost: a value that JSON cannot represent is an object with the name of its form,
 * {"integer": "18446744073709551615"}, {"bytes": "ff00"}.
 */
#ifndef OUTPUT_JSON_JSON_H
#define OUTPUT_JSON_JSON_H

#include "output/internal.h"

/* --- json_text.c --- */

/* NAME and a colon; a comma before it unless it is the first of its object. */
void json_member(struct writer *w, const char *name);
/* A comma unless something opens here: before each item of an array. */
void json_separate(struct writer *w);

void json_string(struct writer *w, const char *text); /* ours: known to be UTF-8 */
/* Anybody's text: a string, or (not UTF-8) an object that has the bytes too. */
void json_text(struct writer *w, const void *text, size_t len);
void json_bytes(struct writer *w, const unsigned char *bytes, size_t len);
void json_hexadecimal(struct writer *w, const unsigned char *bytes, size_t len); /* "ff00" */

/*
 * Readers whose numbers are doubles are exact up to 2^53; integers beyond are
 * written as digits in a string.  As data, where a string would be taken for
 * one, they are objects (json_integer_value()).
 */
void json_unsigned(struct writer *w, uint64_t x);
void json_signed(struct writer *w, int64_t x);
void json_integer_value(struct writer *w, uint64_t x, bool is_signed);
void json_float(struct writer *w, long double x, uint32_t size); /* of SIZE bytes in C */
void json_address(struct writer *w, uint64_t address);

/* json_member() and its value; of a list only the bracket that opens it. */
void json_unsigned_member(struct writer *w, const char *name, uint64_t x);
void json_signed_member(struct writer *w, const char *name, int64_t x);
void json_address_member(struct writer *w, const char *name, uint64_t address);
void json_text_member(struct writer *w, const char *name, const char *text);
void json_true_member(struct writer *w, const char *name);
void json_list_member(struct writer *w, const char *name);

/* --- verify.c --- */

/* Is TEXT one JSON object and a newline? */
bool json_is_line(const char *text, size_t len);

/* --- json_value.c --- */

void json_value(struct output *o, struct writer *w, const struct value *v);

/* --- json_print.c --- */

/* The members of a print() action: address, type, value. */
void json_print(struct output *o, struct writer *w, const struct record *r,
		const struct action_layout *action);

/* --- json.c --- */

struct writer *json_line_begin(struct output *o, const char *type);
void json_line_end(struct output *o);

/* --- json_rows.c --- */

struct json_printing {
	uint64_t number;		    /* from 1 */
	const struct record *record;	    /* of printa(); NULL: the end, or a snapshot */
	const struct action_layout *action; /* the same */
	const uint64_t *from;		    /* by aggregation: when its values began; 0: unknown */
	uint64_t to;			    /* when they were printed; ns of CLOCK_MONOTONIC */
};
void json_rows(struct output *o, const struct json_printing *p,
	       const struct aggregation_rows *rows);

#endif
