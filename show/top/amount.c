/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/top/amount.h"

#include <string.h>

#include "show/value.h"

enum function function_named(const char *name)
{
	static const char *const names[] = {
		[FUNCTION_COUNT] = "count", [FUNCTION_SUM] = "sum", [FUNCTION_MIN] = "min",
		[FUNCTION_MAX] = "max",	    [FUNCTION_AVG] = "avg", [FUNCTION_STDDEV] = "stddev",
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (string_equal(names[i], name))
			return (enum function)i;
	return strstr(name, "quantize") ? FUNCTION_HISTOGRAM : FUNCTION_OTHER;
}

bool function_grows(enum function f)
{
	return f == FUNCTION_COUNT || f == FUNCTION_SUM || f == FUNCTION_HISTOGRAM;
}

static bool number_read(struct json_object *v, long double *ret)
{
	int64_t number;
	uint64_t large;
	if (value_signed(v, &number))
		*ret = number;
	else if (value_unsigned(v, &large))
		*ret = large;
	else
		return false;
	return true;
}

static void buckets_read(struct arena *a, struct json_object *list, struct amount *ret)
{
	size_t count = value_count(list);
	ret->buckets = arena_alloc(a, count * sizeof(*ret->buckets));
	ret->is_known = true;
	for (size_t i = 0; i < count; i++) {
		struct json_object *bucket = json_object_array_get_idx(list, i);
		struct amount_bucket *b = &ret->buckets[ret->bucket_count];
		b->has_least = value_signed(value_member(bucket, "least"), &b->least);
		b->has_most = value_signed(value_member(bucket, "most"), &b->most);
		if (!value_unsigned(value_member(bucket, "count"), &b->count))
			continue;
		ret->number += b->count;
		ret->bucket_count++;
	}
}

void amount_read(struct arena *a, enum function f, struct json_object *value, struct amount *ret)
{
	*ret = (struct amount) { 0 };
	struct json_object *buckets = value_member(value, "buckets");
	if (value_member(value, "missing"))
		return;
	if (f == FUNCTION_HISTOGRAM && buckets)
		buckets_read(a, buckets, ret);
	else
		ret->is_known = number_read(value_member(value, "value"), &ret->number);
	if (f == FUNCTION_AVG && (!value_unsigned(value_member(value, "count"), &ret->count) ||
				  !number_read(value_member(value, "sum"), &ret->sum)))
		ret->count = 0;
}

/* Both lists are in the order of their bounds. */
static bool bucket_is_before(const struct amount_bucket *a, const struct amount_bucket *b)
{
	int64_t x = a->has_least ? a->least : INT64_MIN, y = b->has_least ? b->least : INT64_MIN;
	return x < y;
}

static void buckets_add(struct arena *a, struct amount *sum, const struct amount *more)
{
	struct amount_bucket *merged =
		arena_alloc(a, (sum->bucket_count + more->bucket_count) * sizeof(*merged));
	size_t count = 0, i = 0, k = 0;
	while (i < sum->bucket_count || k < more->bucket_count) {
		const struct amount_bucket *x = i < sum->bucket_count ? &sum->buckets[i] : NULL;
		const struct amount_bucket *y = k < more->bucket_count ? &more->buckets[k] : NULL;
		bool is_x = x && (!y || !bucket_is_before(y, x));
		bool is_y = y && (!x || !bucket_is_before(x, y));
		merged[count] = is_x ? *x : *y;
		if (is_x && is_y)
			count_add(&merged[count].count, y->count);
		count++;
		i += is_x;
		k += is_y;
	}
	sum->buckets = merged;
	sum->bucket_count = count;
	sum->number += more->number;
}

static void averages_add(struct amount *sum, const struct amount *more)
{
	sum->is_known = sum->count && more->count;
	sum->count += more->count;
	sum->sum += more->sum;
	if (sum->is_known)
		sum->number = sum->sum / sum->count;
}

void amount_add(struct arena *a, enum function f, struct amount *sum, const struct amount *more)
{
	if (!more->is_known)
		return;
	if (!sum->is_known) {
		*sum = *more;
		return;
	}
	switch (f) {
	case FUNCTION_COUNT:
	case FUNCTION_SUM:
		sum->number += more->number;
		break;
	case FUNCTION_MIN:
		sum->number = MIN(sum->number, more->number);
		break;
	case FUNCTION_MAX:
		sum->number = MAX(sum->number, more->number);
		break;
	case FUNCTION_AVG:
		averages_add(sum, more);
		break;
	case FUNCTION_HISTOGRAM:
		buckets_add(a, sum, more);
		break;
	default:
		sum->is_known = false; /* two deviations have none in common */
	}
	sum->rate += more->rate;
	sum->has_rate |= more->has_rate;
}

double amount_percentile(const struct amount *m, double percent)
{
	double wanted = (double)m->number * percent / 100, before = 0;
	for (size_t i = 0; i < m->bucket_count; i++) {
		const struct amount_bucket *b = &m->buckets[i];
		if (before + (double)b->count < wanted && i + 1 < m->bucket_count) {
			before += (double)b->count;
			continue;
		}
		if (!b->has_least || !b->has_most)
			return (double)(b->has_least ? b->least : b->most);
		double share = b->count ? (wanted - before) / (double)b->count : 0;
		return (double)b->least + ((double)b->most - (double)b->least) * share;
	}
	return 0;
}
