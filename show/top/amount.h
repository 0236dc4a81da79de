/* SPDX-License-Identifier: BSD-2-Clause */
/* amount - the value of an aggregation for one key */
#ifndef SHOW_TOP_AMOUNT_H
#define SHOW_TOP_AMOUNT_H

#include <json-c/json.h>

#include "base/base.h"

enum function {
	FUNCTION_COUNT,
	FUNCTION_SUM,
	FUNCTION_MIN,
	FUNCTION_MAX,
	FUNCTION_AVG,
	FUNCTION_STDDEV,
	FUNCTION_HISTOGRAM,
	FUNCTION_OTHER
};

enum function function_named(const char *name);
bool function_grows(enum function f); /* by a rate: its amounts are sums */

struct amount_bucket {
	int64_t least, most;
	bool has_least, has_most;
	uint64_t count;
};

struct amount {
	bool is_known;
	/* Exact for integers of 64 bits of either kind. */
	long double number; /* of a histogram: how many values */
	uint64_t count;	    /* of an average */
	long double sum;
	struct amount_bucket *buckets; /* in the arena of the table */
	size_t bucket_count;
	bool has_rate;
	double rate; /* per second */
};

/* VALUE is an item of "values" of a row. */
void amount_read(struct arena *a, enum function f, struct json_object *value, struct amount *ret);

/* Add MORE to SUM, another row of the same function; unknown if that is no value. */
void amount_add(struct arena *a, enum function f, struct amount *sum, const struct amount *more);

/* The value below which PERCENT % of a histogram's are, spread evenly over their bucket. */
double amount_percentile(const struct amount *m, double percent);

#endif
