/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/otlp/body.h"

#include <inttypes.h>
#include <string.h>

#include "show/value.h"

#define CUMULATIVE 2 /* AGGREGATION_TEMPORALITY_CUMULATIVE */

/* --- values ---------------------------------------------------------------------------------- */

static struct json_object *text_new(const char *text, size_t len)
{
	return json_object_new_string_len(text, (int)MIN(len, (size_t)INT32_MAX));
}

static struct json_object *digits_new(uint64_t value, bool is_signed)
{
	char text[32];
	int len = is_signed ? snprintf(text, sizeof(text), "%" PRId64, (int64_t)value)
			    : snprintf(text, sizeof(text), "%" PRIu64, value);
	return text_new(text, (size_t)len);
}

static void attribute_add(struct json_object *list, const char *key, size_t key_len,
			  const char *text, size_t len)
{
	struct json_object *item = json_object_new_object(), *value = json_object_new_object();
	json_object_object_add(value, "stringValue", text_new(text, len));
	json_object_object_add(item, "key", text_new(key, key_len));
	json_object_object_add(item, "value", value);
	json_object_array_add(list, item);
}

/* Those of LABELS: execname="sh",pid="1", as labels.c writes them. */
static struct json_object *attributes_new(const char *labels)
{
	struct json_object *list = json_object_new_array();
	auto_strbuf struct strbuf text = { 0 };
	while (*labels) {
		size_t len = strcspn(labels, "=");
		const char *key = labels;
		strbuf_clear(&text);
		for (labels += len + 2; *labels && *labels != '"'; labels++) {
			labels += *labels == '\\';
			strbuf_putc(&text, *labels);
		}
		attribute_add(list, key, len, strbuf_text(&text), text.len);
		labels += *labels == '"';
		labels += *labels == ',';
	}
	return list;
}

/* --- points ---------------------------------------------------------------------------------- */

static struct json_object *point_new(const char *labels, struct body_times times)
{
	struct json_object *p = json_object_new_object();
	json_object_object_add(p, "attributes", attributes_new(labels));
	json_object_object_add(p, "startTimeUnixNano", digits_new(times.start, false));
	json_object_object_add(p, "timeUnixNano", digits_new(times.now, false));
	return p;
}

static double scaled(const struct metric *m, double value)
{
	return m->unit ? value / m->unit->parts : value;
}

/* asInt has 63 bits. */
static void number_add(struct json_object *p, const struct metric *m, uint64_t value,
		       bool is_signed)
{
	bool is_double = (m->unit && m->unit->parts > 1) || (!is_signed && value > INT64_MAX);
	double number = is_signed ? (double)(int64_t)value : (double)value;
	json_object_object_add(p, is_double ? "asDouble" : "asInt",
			       is_double ? json_object_new_double(scaled(m, number))
					 : digits_new(value, is_signed));
}

static void histogram_add(struct json_object *p, const struct metric *m, const struct series *s)
{
	struct json_object *counts = json_object_new_array(), *bounds = json_object_new_array();
	uint64_t all = 0, last = 0;
	for (size_t i = 0; i < m->buckets.count; i++) {
		const struct metric_bucket *b = &m->buckets.items[i];
		bool has = b->number < s->buckets.count;
		uint64_t count = has ? tally_sum(s, &s->buckets.items[b->number]) : 0;
		count_add(&all, count);
		if (!b->bounds.has_most) {
			last = count;
			continue;
		}
		json_object_array_add(counts, digits_new(count, false));
		json_object_array_add(bounds,
				      json_object_new_double(scaled(m, (double)b->bounds.most)));
	}
	json_object_array_add(counts, digits_new(last, false));
	json_object_object_add(p, "count", digits_new(all, false));
	if (m->has_sums)
		json_object_object_add(p, "sum",
				       json_object_new_double(scaled(m, (double)series_sum(s))));
	json_object_object_add(p, "bucketCounts", counts);
	json_object_object_add(p, "explicitBounds", bounds);
}

static struct json_object *points_new(const struct metric *m, struct body_times times)
{
	struct json_object *list = json_object_new_array();
	for (size_t i = 0; i < m->list.count; i++) {
		const struct series *s = m->list.items[i];
		if (m->kind == METRIC_GAUGE && s->from < m->from_before)
			continue;
		struct json_object *p = point_new(s->labels, times);
		if (m->kind == METRIC_HISTOGRAM)
			histogram_add(p, m, s);
		else if (s->moments.count)
			json_object_object_add(
				p, "asDouble",
				json_object_new_double(scaled(m, series_average(m, s))));
		else if (m->kind == METRIC_GAUGE)
			number_add(p, m, (uint64_t)s->gauge, true);
		else
			number_add(p, m, tally_sum(s, &s->count), false);
		json_object_array_add(list, p);
	}
	return list;
}

/* --- metrics --------------------------------------------------------------------------------- */

static struct json_object *metric_new(const char *name, const char *help, const char *unit,
				      enum metric_kind kind, struct json_object *points)
{
	static const char *const kinds[] = { "sum", "gauge", "histogram" };
	struct json_object *m = json_object_new_object(), *data = json_object_new_object();
	json_object_object_add(data, "dataPoints", points);
	if (kind != METRIC_GAUGE)
		json_object_object_add(data, "aggregationTemporality",
				       json_object_new_int(CUMULATIVE));
	if (kind == METRIC_COUNTER)
		json_object_object_add(data, "isMonotonic", json_object_new_boolean(true));
	json_object_object_add(m, "name", json_object_new_string(name));
	json_object_object_add(m, "description", json_object_new_string(help));
	json_object_object_add(m, "unit", json_object_new_string(unit));
	json_object_object_add(m, kinds[kind], data);
	return m;
}

static struct json_object *metric_of_aggregation(const struct metric *m, struct body_times times)
{
	bool has_name = !string_equal(m->aggregation, "_");
	bool is_time = m->unit && string_equal(m->unit->base, "seconds");
	auto_free char *name = mem_printf("dtrace.%s", has_name ? m->aggregation : m->function);
	return metric_new(name, m->help,
			  is_time   ? "s"
			  : m->unit ? "By"
				    : "",
			  m->kind, points_new(m, times));
}

static void own_add(struct json_object *list, const char *name, const char *help, uint64_t value,
		    struct body_times times)
{
	struct json_object *points = json_object_new_array(), *p = point_new("", times);
	json_object_object_add(p, "asInt", digits_new(value, false));
	json_object_array_add(points, p);
	json_object_array_add(list, metric_new(name, help, "", METRIC_COUNTER, points));
}

static struct json_object *metrics_list(const struct metrics *m, const struct show *show,
					struct body_times times, uint64_t lost)
{
	struct json_object *list = json_object_new_array();
	uint64_t left_out = 0;
	for (size_t i = 0; i < m->list.count; i++)
		left_out += m->list.items[i]->left_out;
	own_add(list, "dtrace.own.records", "Records that clauses have left.", m->records, times);
	own_add(list, "dtrace.own.drops", "Data that are lost.", metrics_drops(m, show), times);
	own_add(list, "dtrace.own.rows_left_out",
		"Rows of keys that came when there were too many.", left_out, times);
	own_add(list, "dtrace.own.batches_lost", "Requests that were thrown away.", lost, times);
	for (size_t i = 0; i < m->list.count; i++)
		json_object_array_add(list, metric_of_aggregation(m->list.items[i], times));
	return list;
}

/* --- the request ----------------------------------------------------------------------------- */

static struct json_object *resource_new(const struct show *show)
{
	struct json_object *resource = json_object_new_object(), *list = json_object_new_array();
	auto_strbuf struct strbuf host = { 0 };
	value_text(value_member(show->start, "host"), &host);
	attribute_add(list, "service.name", strlen("service.name"), "dtrace", strlen("dtrace"));
	attribute_add(list, "host.name", strlen("host.name"), strbuf_text(&host), host.len);
	json_object_object_add(resource, "attributes", list);
	return resource;
}

/* {NAME: [ITEM]} */
static struct json_object *list_of_one(const char *name, struct json_object *item,
				       struct json_object *into)
{
	struct json_object *list = json_object_new_array();
	json_object_array_add(list, item);
	json_object_object_add(into, name, list);
	return into;
}

struct json_object *body_make(const struct metrics *m, const struct show *show,
			      struct body_times times, uint64_t lost)
{
	struct json_object *scope = json_object_new_object(), *scoped = json_object_new_object();
	struct json_object *resource = json_object_new_object();
	json_object_object_add(scope, "name", json_object_new_string("dtrace"));
	json_object_object_add(scoped, "scope", scope);
	json_object_object_add(scoped, "metrics", metrics_list(m, show, times, lost));
	json_object_object_add(resource, "resource", resource_new(show));
	list_of_one("scopeMetrics", scoped, resource);
	return list_of_one("resourceMetrics", resource, json_object_new_object());
}
