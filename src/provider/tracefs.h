/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracefs - which tracepoints have formatted records, and what is in them
 *
 * The kernel describes a record by lines of text, one for each field:
 *
 *     field:__data_loc char[] filename;	offset:8;	size:4;	signed:1;
 *
 * The first fields are the same in all records: their names begin with common_.
 */
#ifndef PROVIDER_TRACEFS_H
#define PROVIDER_TRACEFS_H

#include <stdio.h>

#include "base/base.h"

/* Visit the events that are tracepoints; none if tracefs cannot be read. */
typedef void tracefs_event_fn(void *arg, const char *group, const char *name);
void tracefs_events(tracefs_event_fn *visit, void *arg);

enum record_field_kind {
	FIELD_VALUE,
	FIELD_ARRAY,	/* of values */
	FIELD_DATA,	/* array elsewhere in the record: at its u32's lower half */
	FIELD_RELATIVE, /* the same, counted from the field's end */
};

struct record_field {
	enum record_field_kind kind;
	char *name;
	char *type; /* as C writes it; of an array, its element's */
	uint32_t offset, size;
	bool is_signed;
};

typedef VECTOR(struct record_field) record_fields;

/* The event's own fields, of a description that F has; lines that are not understood are
 * skipped. */
void record_fields_read(FILE *f, record_fields *ret);
void record_fields_free(record_fields *fields);

#endif
