/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics - aggregations as metrics of Prometheus
 *
 * In:   printings of aggregations, and the run's losses.
 * Out:  text in Prometheus' exposition format, version 0.0.4.
 *
 * A key of an aggregation is a series; its labels are the expressions of the key.  count() and
 * sum() are counters, avg(), min(), max() and stddev() gauges, the others histograms.  A counter
 * never goes back: what an aggregation had when it was cleared is kept, as far as it was printed
 * before.  A sum() that was negative is a gauge.
 *
 *   openmetrics.c  the form       series.c  what has been counted      exposition.c  the text
 */
#ifndef SHOW_OPENMETRICS_METRICS_H
#define SHOW_OPENMETRICS_METRICS_H

#include "show/show.h"

#define SERIES_MOST 1000 /* of an aggregation; what others counted is in one, other="true" */

/* What was counted: in this window of time, and before the last time that it was cleared. */
struct tally {
	uint64_t now, before;
};

struct bucket_tally {
	int64_t most; /* the greatest value of the bucket */
	bool is_last; /* it has none */
	struct tally values;
};

struct series {
	char *labels;	   /* execname="sh",pid="1"; "" without a key */
	uint64_t from;	   /* when its window began; 0: unknown */
	uint64_t printing; /* that was taken last */
	int64_t gauge;
	struct tally counter;
	VECTOR(struct bucket_tally) buckets; /* from low to high */
};

enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

struct metric {
	char *aggregation, *function, *help;
	enum metric_kind kind;
	VECTOR(struct series *) list; /* in the order in which they came */
	struct hash *index;	      /* labels to series */
	struct series *other;	      /* the sum of those that came after SERIES_MOST; NULL: none */
	uint64_t left_out;	      /* rows that were added to it, or to nothing, as gauges are */
};

struct metrics {
	VECTOR(struct metric *) list;
	struct hash *index;
	uint64_t records;
};

struct metrics *metrics_new(void);
void metrics_free(struct metrics *m);
void metrics_add_line(struct metrics *m, const struct show *show, const char *type,
		      struct json_object *line);

void metrics_write(const struct metrics *m, const struct show *show, FILE *out);

#endif
