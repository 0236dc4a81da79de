/* SPDX-License-Identifier: BSD-2-Clause */
/* aggregate - the aggregating functions, rows of aggregate.def */
#ifndef ABI_AGGREGATE_H
#define ABI_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

enum aggregate {
#define AGGREGATE(id, ...) AGGREGATE_##id,
#include "abi/aggregate.def"
#undef AGGREGATE
	AGGREGATE_KINDS,
};

enum aggregate_form { FORM_PLAIN, FORM_FROM_MOST, FORM_FROM_LEAST };
enum aggregate_merge { MERGE_SUM, MERGE_SUM_WIDE, MERGE_GREATEST };

struct aggregate_row {
	const char *name;
	uint8_t least, most, parameters; /* arguments */
	uint8_t form, merge;		 /* enum aggregate_form, enum aggregate_merge */
	bool zero_is_result;
	bool is_unsigned; /* the result */
	bool has_parts;	  /* words [0] and [1] are count and sum */
	bool is_histogram;
};

static inline const struct aggregate_row *aggregate_row(enum aggregate function)
{
	enum { ZERO_NOTHING, ZERO_RESULT, TYPE_SIGNED = 0, TYPE_UNSIGNED };
	enum { SHOWN_ALONE, SHOWN_PARTS, SHOWN_BUCKETS };
#define ARGUMENTS(least, most, parameters) least, most, parameters
#define IS_UNSIGNED(value, type, shown) TYPE_##type
#define HAS_PARTS(value, type, shown) SHOWN_##shown == SHOWN_PARTS
#define IS_HISTOGRAM(value, type, shown) SHOWN_##shown == SHOWN_BUCKETS
	static const struct aggregate_row rows[] = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  ...)                                                                             \
	{ #name,       ARGUMENTS arguments, FORM_##form,      MERGE_##merge,                       \
	  ZERO_##zero, IS_UNSIGNED result,  HAS_PARTS result, IS_HISTOGRAM result },
#include "abi/aggregate.def"
#undef AGGREGATE
	};
#undef ARGUMENTS
#undef IS_UNSIGNED
#undef HAS_PARTS
#undef IS_HISTOGRAM
	return &rows[function];
}

/* Can removed values be subtracted? */
static inline bool aggregate_is_additive(enum aggregate function)
{
	return aggregate_row(function)->merge != MERGE_GREATEST;
}

#endif
