/* SPDX-License-Identifier: BSD-2-Clause */
/* value - values in lines of the stream (docs/json.md, "Data"); each may be of any kind, or NULL */
#ifndef SHOW_VALUE_H
#define SHOW_VALUE_H

#include <json-c/json.h>

#include "base/base.h"

/* The member NAME of V; NULL: V is no object, or has none. */
struct json_object *value_member(struct json_object *v, const char *name);

/* The items of V; 0: it is no array. */
size_t value_count(struct json_object *v);

/* V is a number, digits in a string or {"integer": "..."}: is it an integer of 64 bits? */
bool value_signed(struct json_object *v, int64_t *ret);
bool value_unsigned(struct json_object *v, uint64_t *ret); /* also from 2^63 on */

/* Is V a number or digits in a string: an integer below 2^128? */
bool value_wide(struct json_object *v, unsigned __int128 *ret);

uint64_t member_unsigned(struct json_object *v, const char *name); /* 0: V has no such integer */

/* V, ours (a name, a tag), as a string; "" if it is none.  Owned by V. */
const char *value_word(struct json_object *v);

/*
 * Text for people, added to RET: strings, integers, names of addresses.  Control characters in it
 * are U+FFFD.
 */
void value_text(struct json_object *v, struct strbuf *ret);
void value_lines(struct json_object *v, struct strbuf *ret); /* newlines and tabs stay */

/*
 * The function of the frame V, added to RET: "libc.so.6`read", "vmlinux`do_syscall_64",
 * "a.out`[unknown]".  So frames of one function have one name, wherever in it they are.
 */
void value_frame(struct json_object *v, struct strbuf *ret);

/* The four names of the PROBE of a record, added to RET: "syscall::read:entry"; nothing of NULL. */
void value_probe(struct json_object *probe, struct strbuf *ret);

/* Is V of stack(), ustack() or jstack()?  Is one of the items of LIST? */
bool value_is_stack(struct json_object *v);
bool values_have_stack(struct json_object *list);

/* "a,b,": the names of the aggregations of VALUES, of a row.  The caller frees it. */
char *values_names(struct json_object *values);

/* Does the text form print the text or the values of ACTION, of a record? */
bool action_prints(const char *action);

/*
 * What the text form prints for ITEM, of a record's data, added to RET: its text, else its values.
 * Stacks are lines of frames; of printa() there is nothing, its rows are lines of their own.
 */
void item_text(struct json_object *item, struct strbuf *ret);

/*
 * Does RECORD, a line, empty the aggregation NAME, or any if that is NULL?  By clear(), or by
 * trunc() of all rows.
 */
bool record_clears(struct json_object *record, const char *name);

/*
 * A number that all rows of one printing of an aggregation have, and those of the next do not have.
 */
uint64_t line_printing(struct json_object *line);

/* A sum that would overflow stays at UINT64_MAX. */
static inline void count_add(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = UINT64_MAX;
}

#endif
