/* SPDX-License-Identifier: BSD-2-Clause */
/* records - what clauses have printed: the first and the last ones of a run */
#ifndef SHOW_HTML_RECORDS_H
#define SHOW_HTML_RECORDS_H

#include "show/show.h"

struct record {
	uint64_t time, cpu;
	bool has_cpu;
	const char *probe;  /* its four names */
	const char *thread; /* "sh 1234", "": not known; both are owned by the list */
	char *text;	    /* lines */
};

struct records {
	bool has_threads;
	uint64_t count, left_out; /* in all; of these neither in `first` nor in `last` */
	VECTOR(struct record) first, last;
	size_t last_begin; /* items of `last` before it are free */
	size_t first_bytes, last_bytes;
	struct hash *names; /* of probes and threads, to themselves */
	struct arena *arena;
};

void records_init(struct records *r);
void records_deinit(struct records *r);

/* Take the LINE of a record, if it has something to show. */
void records_add(struct records *r, struct json_object *line);

#endif
