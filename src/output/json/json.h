/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json - what the files of the JSON writer share; docs/json.md is for its readers
 *
 *   json.c        lines: records, drops, errors, exit     json_rows.c   lines: aggregations
 *   json_start.c  the first line                          json_names.c  descriptions, numbers
 *   json_value.c  data, stacks, symbols                   json_print.c  print()
 *   json_process.c  names of processes
 *
 * output/json_text.h has strings, numbers and members, which lists of probes have, too.
 *
 * There are two forms of the same lines.  `json` has all that is known in each line.  In `stream`,
 * probes, threads, frames and stacks are described once, in lines of their own, and are numbers
 * elsewhere; a record has no more than its clause, which the first line describes, leaves unsaid.
 *
 * No value is lost: a value that JSON cannot represent is an object with the name of its form,
 * {"integer": "18446744073709551615"}, {"bytes": "ff00"}.
 */
#ifndef OUTPUT_JSON_JSON_H
#define OUTPUT_JSON_JSON_H

#include "output/internal.h"
#include "output/json_text.h"

struct json {
	bool is_stream;
	bool has_texts;	      /* of what is formatted, besides its values; JSON always has */
	struct writer record; /* the line of the current record */
	struct writer line;   /* any other line */
	struct json_names *names;
	struct process_names *processes;
	bool record_has_numbers;  /* of json_number_of_room(): the current one, so far */
	unsigned actions_written; /* of the current record: how many of the clause have an item */
	bool has_started;
	uint64_t printings; /* of aggregations, so far */
	uint64_t ended;	    /* the time when tracing stopped; 0: not yet */
	uint64_t *cleared;  /* by aggregation: the time when its values began; 0: unknown */
	uint64_t records, errors, drops, cuts;
};

/* --- verify.c --- */

/* Is TEXT one JSON object and a newline? */
bool json_is_line(const char *text, size_t len);

/* --- json_value.c --- */

void json_value(struct output *o, struct writer *w, const struct value *v);

/* --- json_process.c --- */

struct process_names *process_names_new(void);
void process_names_free(struct process_names *p); /* NULL is fine */
struct process_name {
	char text[sizeof(((struct record_thread *)NULL)->name)]; /* not always ended by a NUL */
};
/* Of T's process, valid until the next call; empty: it is not known. */
const struct process_name *json_process_name(struct output *o, const struct record_thread *t);

/* --- json_print.c --- */

void json_aggregation_names(struct output *o, struct writer *w, const struct action_layout *action);
void json_thread_members(struct writer *w, const struct record_thread *t,
			 const struct process_name *process);
/* The members of an origin that are about its probe. */
void json_probe_members(struct writer *w, const struct probe_names *probe);

/* The members of a print() action: address, type, value. */
void json_print(struct output *o, struct writer *w, const struct record *r,
		const struct action_layout *action);

/* --- json.c --- */

struct json *json_of(struct output *o);
struct writer *json_line_begin(struct output *o, const char *type);
void json_line_end(struct output *o);
/* The same for a line that is assembled in W. */
void json_line_close(struct output *o, struct writer *w);

/* --- json_start.c --- */

void json_start(struct output *o, struct json *j); /* the first line, once */

/* --- json_names.c: only in a stream --- */

enum json_kind { JSON_PROBE, JSON_THREAD, JSON_MAPPING, JSON_FRAME, JSON_STACK, JSON_KINDS };
/* Then mappings, frames and stacks are forgotten: so many of a kind, or bytes of all. */
#define JSON_NUMBERS_MANY 65536
#define JSON_BYTES_MANY (32u << 20)

struct json_names *json_names_new(void);
void json_names_free(struct json_names *n); /* NULL is fine */
/* Before a line: forget numbers, and say so, if they are too many and no open line has one. */
void json_names_trim(struct output *o);
/* Where an object of KIND is to be written that a number will stand for; NULL: in its place. */
struct writer *json_room(struct output *o, enum json_kind kind);
/* To W, the number of the object in the room.  A new one is described by a line, before W's. */
void json_number_of_room(struct output *o, enum json_kind kind, struct writer *w);
/* R's probe and thread, whose numbers are their own, are described. */
void json_describe_origin(struct output *o, const struct record *r);

/* --- json_rows.c --- */

struct json_printing {
	uint64_t number;		    /* from 1 */
	const struct record *record;	    /* of printa(); NULL: the end, or a snapshot */
	const struct action_layout *action; /* the same */
	const struct aggregation_layout *aggregations; /* the program's */
	const uint64_t *from; /* by aggregation: when its values began; 0: unknown */
	uint64_t to;	      /* when they were printed; ns of CLOCK_MONOTONIC */
};
void json_rows(struct output *o, const struct json_printing *p,
	       const struct aggregation_rows *rows);

#endif
