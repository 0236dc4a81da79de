/* SPDX-License-Identifier: BSD-2-Clause */
/* json_text - members, strings and exact numbers of an object of JSON, in a writer's memory */
#ifndef OUTPUT_JSON_TEXT_H
#define OUTPUT_JSON_TEXT_H

#include "output/writer.h"

/* "{" and the member `type`: in a line of its own. */
void json_line_open(struct writer *w, const char *type);

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

#endif
