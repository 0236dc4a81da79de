/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics - aggregations as metrics of Prometheus
 *
 * In:   printings of aggregations, losses; live: requests of an engine.
 * Out:  text in Prometheus' exposition format, version 0.0.4: a document, or answers.
 *
 * A key of an aggregation is a series; its labels are those of -x labels, or the expressions of the
 * key.  count() and sum() are counters, avg(), min(), max() and stddev() gauges, the others
 * histograms.  A sum() that was negative is a gauge.  Means and deviations are computed here, from
 * count, sum and squares: those that dtrace prints for people are truncated to integers.
 *
 * A counter never goes back: what an aggregation had when it was cleared stays in it.  dtrace
 * prints the rows for us before a clear() or trunc().  A gauge is left out when a whole window has
 * passed without its key.
 *
 * All series of a histogram have the same buckets: all of an lquantize(); of others one more below
 * each that has values, and four empty ones above the highest, as far as the function's steps are
 * known, of a quantize() of times all up to 100 s: an engine takes values to be anywhere above the
 * bucket before, and a bucket that it has not seen has no increase.
 *
 * Live, a scrape requests a snapshot of dtrace and is answered after its last row, so it has the
 * values of its time, and nothing is printed while nobody scrapes.  Scrapes that come during a
 * snapshot, or a tenth of a second after one, share it: dtrace makes no more than ten each second.
 * What a clause has printed by printa() is in no snapshot: it has the values of that printing.  If
 * dtrace does not answer in five seconds, the engine gets an error and no old values.
 *
 *   openmetrics.c  the form, and when to request and to answer
 *   labels.c       names of labels   buckets.c  buckets of histograms   units.c  base units
 *   series.c       what has been counted
 *   exposition.c   the text          http.c     its server          no_tls.c  what it links with
 *
 * Always true: memory is bounded by -x series for each aggregation, whatever the keys are.
 */
#ifndef SHOW_OPENMETRICS_METRICS_H
#define SHOW_OPENMETRICS_METRICS_H

#include "show/histogram.h"
#include "show/show.h"

#define SERIES_MOST 1000  /* of an aggregation, unless -x series says else */
#define BUCKETS_MOST 1024 /* of an aggregation */
#define KINDS_MOST 64	  /* of drops */

/* What was counted: in this printing, in the one before it, and before this window of time. */
struct tally {
	uint64_t now, last, before;
};

/* Of the values of avg() and stddev(): rows of several keys can be added. */
struct moments {
	uint64_t count; /* 0: the series has no such values */
	__int128 sum;
	unsigned __int128 squares; /* of stddev() */
};

struct series {
	char *labels;		      /* execname="sh",pid="1"; "" without a key */
	uint64_t from;		      /* when its window began; 0: unknown */
	uint64_t printing;	      /* that was taken last */
	bool is_joined;		      /* a printing may have several rows of it */
	int64_t gauge;		      /* a number, not computed from others */
	struct moments moments;	      /* of a mean or a deviation */
	struct tally count;	      /* of a histogram: of all buckets */
	struct tally sum;	      /* of a histogram; signed */
	VECTOR(struct tally) buckets; /* by the bucket's number */
};

enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

struct metric_bucket {
	struct bucket bounds;
	size_t number;
	bool has_values; /* else it is one between or above those that have */
};

struct metric {
	char *aggregation, *function, *help;
	enum metric_kind kind;
	const struct show_unit *unit;	      /* of its values; NULL: none is known */
	VECTOR(char *) labels;		      /* their names */
	VECTOR(struct metric_bucket) buckets; /* from low to high */
	int64_t limit;			      /* values from here on are in the last one */
	bool has_sums;
	VECTOR(struct series *) list; /* in the order in which they came */
	struct hash *index;	      /* labels to series */
	struct series *other;	      /* the sum of those that came too late; NULL: none */
	uint64_t left_out;	      /* rows that were added to it, or to nothing */
	uint64_t from, from_before;   /* this window and the one before */
};

struct drops {
	char *kind;
	uint64_t count;
};

struct metrics {
	VECTOR(struct metric *) list;
	struct hash *index;
	uint64_t records, faults;
	VECTOR(struct drops) drops;
	struct strbuf labels, label; /* of the row that is read: memory for the next one, too */
	struct http *http;	     /* NULL: not live */
	uint64_t asked; /* when the snapshot that has not come yet was requested; 0: none */
};

struct metrics *metrics_new(void);
void metrics_free(struct metrics *m);
void metrics_add_line(struct metrics *m, const struct show *show, const char *type,
		      struct json_object *line);

void metrics_write(const struct metrics *m, const struct show *show, FILE *out);

/* -x labels of a saved run must be about its aggregations; dtrace itself asks its program. */
MUST_CHECK struct error *metrics_check(const struct metrics *m, const struct show *show);

/* Keys that were too many, as notes of SHOW. */
void metrics_note(const struct metrics *m, struct show *show);

/* What is lost altogether; truncated strings and stacks. */
uint64_t metrics_drops(const struct metrics *m, const struct show *show);
uint64_t metrics_cuts(const struct metrics *m, const struct show *show);

int64_t series_sum(const struct series *s); /* of the values of a histogram */
double series_average(const struct metric *m, const struct series *s); /* of its moments */
uint64_t tally_sum(const struct series *s, const struct tally *t);

/* labels.c: of the COUNT keys of M; they are made once. */
void labels_name(struct metric *m, const struct show *show, size_t count);
/* execname="sh",pid="1" of KEY, added to RET; LABEL is memory for one of them. */
void labels_add(const struct metric *m, struct json_object *key, struct strbuf *label,
		struct strbuf *ret);

/* units.c: that of AGGREGATION's values, NULL: none is known; VALUE in its base unit. */
const struct show_unit *unit_of(const struct show *show, const char *aggregation,
				const char *function);
void unit_write(const struct show_unit *unit, uint64_t value, bool is_signed, FILE *out);
void unit_write_double(const struct show_unit *unit, double value, FILE *out);

/* buckets.c: those of M that are known before values come, and the limit. */
void buckets_begin(struct metric *m, const struct show *show);
/* The number of the bucket of M that B, of the stream, is. */
size_t bucket_number(struct metric *m, const struct bucket *b);

#endif
