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
	uint64_t now, before; /* counts in this printing and in the one before */
};

struct cell {
	size_t bucket; /* index */
	uint64_t count;
};

struct window {
	uint64_t time; /* of the printing, ns of CLOCK_MONOTONIC; 0: the end of tracing */
	uint64_t values;
	VECTOR(struct cell) cells; /* sorted by bucket; without those that are 0 */
};

struct histogram {
	char *name, *function;
	bool has_keys;
	VECTOR(struct bucket) buckets;
	VECTOR(struct window) windows;
	struct hash *index;	  /* bounds to the bucket's index + 1 */
	bool is_open, is_cleared; /* a printing is being read; cleared after the last one */
	uint64_t run, printing, time;
};

struct histograms;

struct histograms *histograms_new(void);
void histograms_free(struct histograms *h);
void histograms_add_line(struct histograms *h, const struct show *show, const char *type,
			 struct json_object *line);

/* That of the aggregation NAME, owned by H; NULL: there is none. */
struct histogram *histograms_find(struct histograms *h, const char *name);

/* The first one; others become notes of SHOW.  An error: there is none. */
MUST_CHECK struct error *histograms_choose(struct histograms *h, struct show *show,
					   struct histogram **ret);

/* What is not as it seems to be in a picture of H becomes a note of SHOW. */
void histogram_note(const struct histogram *h, struct show *show);

/*
 * Join windows of H, the same number each, until there are no more than WINDOWS with no more than
 * CELLS.
 */
void histogram_join(struct histogram *h, struct show *show, size_t windows, size_t cells);

/* struct form's `begin` and `line` of a form that draws one; show->state is a struct histograms. */
void histograms_begin(struct show *show);
void histograms_line(struct show *show, const char *type, struct json_object *line);

/* A bucket of the stream, with its count as `now`.  False: it has none. */
bool bucket_read(struct json_object *v, struct bucket *ret);

/* The bucket after B, as far as the steps of FUNCTION are known.  False: they are not. */
bool bucket_next(const char *function, const struct bucket *b, struct bucket *ret);

#endif
