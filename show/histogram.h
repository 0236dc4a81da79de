/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * histogram - printings of an aggregation that is a histogram: what each window of time added
 *
 * A script prints it by a tick.  If it clears it too, each printing is a window; else the printing
 * before is subtracted.  Rows with different keys are added.
 */
#ifndef SHOW_HISTOGRAM_H
#define SHOW_HISTOGRAM_H

#include "show/show.h"

struct bucket {
	int64_t least, most; /* of its values */
	bool has_least, has_most;
	uint64_t now, before; /* counts in this printing and in the one before; internal */
};

struct cell {
	size_t bucket; /* index */
	uint64_t count;
};

struct window {
	uint64_t time; /* of the printing, ns of CLOCK_MONOTONIC; 0: the end of tracing */
	uint64_t values;
	VECTOR(struct cell) cells; /* without those that are 0 */
};

struct histogram {
	char *name, *function;
	bool has_keys;
	VECTOR(struct bucket) buckets;
	VECTOR(struct window) windows;
	struct hash *index;	  /* bounds to the bucket's index + 1 */
	bool is_open, is_cleared; /* a printing is being read; cleared after the last one */
	uint64_t run, time;
};

/* struct form's `begin` and `line`; s->state is theirs until histograms_free(). */
void histograms_begin(struct show *s);
void histograms_line(struct show *s, const char *type, struct json_object *line);
void histograms_free(struct show *s);

/* The first one; owned by S.  An error: there is none.  Others become notes of S. */
MUST_CHECK struct error *histograms_choose(struct show *s, const struct histogram **ret);

#endif
