/* SPDX-License-Identifier: BSD-2-Clause */
/* What has been counted, from the printings of a run */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "show/openmetrics/metrics.h"
#include "show/value.h"

struct metrics *metrics_new(void)
{
	struct metrics *m = mem_zalloc(sizeof(*m));
	m->index = hash_new();
	return m;
}

static void series_free(struct series *s)
{
	free(s->labels);
	vector_free(&s->buckets);
	free(s);
}

static void metric_free(struct metric *m)
{
	for (size_t i = 0; i < m->list.count; i++)
		series_free(m->list.items[i]);
	for (size_t i = 0; i < m->labels.count; i++)
		free(m->labels.items[i]);
	vector_free(&m->labels);
	vector_free(&m->buckets);
	vector_free(&m->list);
	hash_free(m->index);
	free(m->aggregation);
	free(m->function);
	free(m->help);
	free(m);
}

void metrics_free(struct metrics *m)
{
	for (size_t i = 0; i < m->list.count; i++)
		metric_free(m->list.items[i]);
	for (size_t i = 0; i < m->drops.count; i++)
		free(m->drops.items[i].kind);
	strbuf_deinit(&m->labels);
	strbuf_deinit(&m->label);
	vector_free(&m->drops);
	vector_free(&m->list);
	hash_free(m->index);
	free(m);
}

/* --- tallies ---------------------------------------------------------------------------------- */

/*
 * A printing has all that was counted in its window.  If it has less than the one before, trunc()
 * has removed the key, and it has been counted anew; or, of several rows, that of some key.
 */
static bool has_fallen(const struct series *s)
{
	return s->count.now < s->count.last;
}

uint64_t tally_sum(const struct series *s, const struct tally *t)
{
	uint64_t sum = t->before;
	if (s->is_joined) {
		count_add(&sum, MAX(t->now, t->last));
		return sum;
	}
	count_add(&sum, t->now);
	if (has_fallen(s))
		count_add(&sum, t->last);
	return sum;
}

int64_t series_sum(const struct series *s)
{
	uint64_t sum = s->sum.before + s->sum.now;
	return (int64_t)(sum + (has_fallen(s) && !s->is_joined ? s->sum.last : 0));
}

/* sqrt(count * squares - sum * sum) / count: in doubles both would be nearly equal. */
static double moments_deviation(const struct moments *m)
{
	unsigned __int128 size =
		m->sum < 0 ? -(unsigned __int128)m->sum : (unsigned __int128)m->sum;
	unsigned __int128 squares, square;
	long double difference;
	if (__builtin_mul_overflow(m->squares, m->count, &squares) ||
	    __builtin_mul_overflow(size, size, &square))
		difference = (long double)m->squares * m->count - (long double)size * size;
	else
		difference = squares > square ? squares - square : 0;
	return difference > 0 ? (double)(sqrtl(difference) / m->count) : 0;
}

double series_average(const struct metric *m, const struct series *s)
{
	if (string_equal(m->function, "stddev"))
		return moments_deviation(&s->moments);
	return (double)((long double)s->moments.sum / s->moments.count);
}

/* The next printing begins, IS_NEW: of a new window. */
static void tally_begin(const struct series *s, struct tally *t, bool is_new)
{
	t->before = tally_sum(s, t) - (is_new ? 0 : t->now);
	t->last = is_new ? 0 : t->now;
	t->now = 0;
}

static void printing_begin(struct series *s, uint64_t printing, uint64_t from)
{
	bool is_new = s->from != from;
	for (size_t i = 0; i < s->buckets.count; i++)
		tally_begin(s, &s->buckets.items[i], is_new);
	uint64_t sums = s->sum.before + (has_fallen(s) && !s->is_joined ? s->sum.last : 0);
	s->sum = (struct tally) { .last = is_new ? 0 : s->sum.now,
				  .before = sums + (is_new ? s->sum.now : 0) };
	tally_begin(s, &s->count, is_new); /* the last one: the others depend on it */
	s->from = from;
	s->printing = printing;
	s->gauge = 0;
	s->moments = (struct moments) { 0 };
}

/* --- series ----------------------------------------------------------------------------------- */

static enum metric_kind kind_of(struct json_object *value, const char *function)
{
	if (value_member(value, "buckets"))
		return METRIC_HISTOGRAM;
	return string_equal(function, "count") || string_equal(function, "sum") ? METRIC_COUNTER
										: METRIC_GAUGE;
}

static struct metric *metric_of(struct metrics *m, const struct show *show, const char *name,
				struct json_object *value)
{
	struct metric *metric = hash_get_string(m->index, name);
	if (metric)
		return metric;
	metric = mem_zalloc(sizeof(*metric));
	metric->aggregation = mem_strdup(name);
	metric->function = mem_strdup(value_word(value_member(value, "function")));
	metric->help = show_title(show, name, metric->function);
	metric->kind = kind_of(value, metric->function);
	buckets_begin(metric, show);
	metric->unit = unit_of(show, name, metric->function);
	if (metric->unit) /* " in ns": it is in seconds now */
		metric->help[strlen(metric->help) - strlen(" in ") - strlen(metric->unit->name)] =
			0;
	metric->index = hash_new();
	vector_push(&m->list, metric);
	hash_put_string(m->index, name, metric);
	return metric;
}

static struct series *series_new(struct metric *m, const char *labels)
{
	struct series *s = mem_zalloc(sizeof(*s));
	s->labels = mem_strdup(labels);
	vector_push(&m->list, s);
	return s;
}

static struct series *series_of(struct metric *m, const struct show *show, const char *labels)
{
	struct series *s = hash_get_string(m->index, labels);
	if (s)
		return s;
	if (m->list.count < (show->series_most ? show->series_most : SERIES_MOST)) {
		s = series_new(m, labels);
		hash_put_string(m->index, labels, s);
		return s;
	}
	m->left_out++;
	if (!m->other) {
		m->other = series_new(m, "other=\"true\"");
		m->other->is_joined = true;
	}
	return m->other;
}

/* --- rows ------------------------------------------------------------------------------------ */

/* What V was before normalize(): metrics are of base units. */
static struct json_object *value_raw(struct json_object *v)
{
	struct json_object *raw = value_member(v, "raw");
	return raw ? raw : value_member(v, "value");
}

static void buckets_take(struct metric *m, struct series *s, struct json_object *list)
{
	for (size_t i = 0; i < value_count(list); i++) {
		struct bucket bucket;
		struct json_object *v = json_object_array_get_idx(list, i);
		if (!bucket_read(v, &bucket))
			continue;
		value_unsigned(value_member(v, "raw"), &bucket.now);
		size_t number = bucket_number(m, &bucket);
		while (s->buckets.count <= number)
			vector_push(&s->buckets, (struct tally) { 0 });
		count_add(&s->buckets.items[number].now, bucket.now);
		count_add(&s->count.now, bucket.now);
	}
}

static void histogram_take(struct metric *m, struct series *s, struct json_object *value)
{
	int64_t sum;
	if (value_signed(value_member(value, "sum"), &sum)) {
		m->has_sums = true;
		s->sum.now += (uint64_t)sum;
	}
	buckets_take(m, s, value_member(value, "buckets"));
}

static void moments_take(struct series *s, struct json_object *value, uint64_t count)
{
	int64_t sum = 0;
	unsigned __int128 squares = 0;
	value_signed(value_member(value, "sum"), &sum);
	value_wide(value_member(value, "squares"), &squares);
	count_add(&s->moments.count, count);
	s->moments.sum += sum;
	s->moments.squares += squares;
}

/* Rows of one printing may be of one series: stacks of equal names at other addresses. */
static void gauge_take(const struct metric *m, struct series *s, struct json_object *value,
		       bool is_first)
{
	int64_t number = 0;
	uint64_t count = member_unsigned(value, "count");
	value_signed(value_raw(value), &number);
	if (count) {
		moments_take(s, value, count);
	} else if (is_first) {
		s->gauge = number;
	} else if (string_equal(m->function, "min")) {
		s->gauge = MIN(s->gauge, number);
	} else {
		s->gauge = MAX(s->gauge, number);
	}
}

static void counter_take(struct metric *m, struct series *s, struct json_object *value)
{
	int64_t number = 0;
	uint64_t count = 0;
	if (value_signed(value_raw(value), &number) && number < 0)
		m->kind = METRIC_GAUGE;
	else
		value_unsigned(value_raw(value), &count);
	s->gauge = (int64_t)((uint64_t)s->gauge + (uint64_t)number);
	count_add(&s->count.now, count);
}

static void series_take(struct metric *m, struct series *s, struct json_object *value,
			uint64_t printing)
{
	uint64_t from = member_unsigned(value, "from");
	bool is_first = s->printing != printing || s->from != from;
	if (m->from != from) {
		m->from_before = m->from;
		m->from = from;
	}
	if (is_first)
		printing_begin(s, printing, from);
	else
		s->is_joined = true;
	if (value_member(value, "buckets"))
		histogram_take(m, s, value);
	else if (string_equal(m->function, "count") || string_equal(m->function, "sum"))
		counter_take(m, s, value);
	else
		gauge_take(m, s, value, is_first);
}

static void row_value(struct metrics *m, const struct show *show, struct json_object *row,
		      struct json_object *value)
{
	struct json_object *key = value_member(row, "key");
	const char *name = value_word(value_member(value, "name"));
	if (!*name || !show_is_wanted(show, name) || value_member(value, "missing"))
		return;
	struct metric *metric = metric_of(m, show, name, value);
	if (metric->labels.count < value_count(key))
		labels_name(metric, show, value_count(key));
	strbuf_clear(&m->labels);
	labels_add(metric, key, &m->label, &m->labels);
	struct series *s = series_of(metric, show, strbuf_text(&m->labels));
	series_take(metric, s, value, line_printing(row));
}

/* --- dtrace itself --------------------------------------------------------------------------- */

/* Losses by clause repeat others. */
static void drop_take(struct metrics *m, struct json_object *line)
{
	const char *kind = value_word(value_member(line, "tag"));
	size_t i = 0;
	while (i < m->drops.count && !string_equal(m->drops.items[i].kind, kind))
		i++;
	if (value_member(line, "clause") || i == KINDS_MOST)
		return;
	if (i == m->drops.count)
		vector_push(&m->drops, (struct drops) { mem_strdup(kind), 0 });
	count_add(&m->drops.items[i].count, member_unsigned(line, "count"));
}

/* Truncated strings and stacks, or what is lost altogether. */
static uint64_t drops_count(const struct metrics *m, bool are_cuts)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < m->drops.count; i++) {
		const struct drops *d = &m->drops.items[i];
		bool is_cut = string_equal(d->kind, "DTRACEDROP_STRSIZE") ||
			      string_equal(d->kind, "DTRACEDROP_STACK");
		if (is_cut == are_cuts)
			count_add(&sum, d->count);
	}
	return sum;
}

/* While tracing there are no totals of its end. */
uint64_t metrics_drops(const struct metrics *m, const struct show *show)
{
	return MAX(show->drops, drops_count(m, false));
}

uint64_t metrics_cuts(const struct metrics *m, const struct show *show)
{
	return MAX(show->cuts, drops_count(m, true));
}

void metrics_add_line(struct metrics *m, const struct show *show, const char *type,
		      struct json_object *line)
{
	struct json_object *values = value_member(line, "values");
	if (string_equal(type, "record"))
		m->records++;
	else if (string_equal(type, "error"))
		m->faults += value_member(line, "fault") != NULL;
	else if (string_equal(type, "drop"))
		drop_take(m, line);
	else if (string_equal(type, "aggregation"))
		for (size_t i = 0; i < value_count(values); i++)
			row_value(m, show, line, json_object_array_get_idx(values, i));
}

struct error *metrics_check(const struct metrics *m, const struct show *show)
{
	for (size_t i = 0; i < show->labels.count && show->start; i++) {
		const char *setting = show->labels.items[i], *end = strchr(setting, '=');
		if (*setting != '@' || !end)
			continue;
		auto_free char *name = mem_strndup(setting + 1, (size_t)(end - setting - 1));
		const char *inner = *name ? name : "_";
		if (!show_aggregation(show, inner) && !hash_get_string(m->index, inner))
			return error_new("-x labels=%s: the run has no aggregation @%s", setting,
					 name);
	}
	return NULL;
}

void metrics_note(const struct metrics *m, struct show *s)
{
	for (size_t i = 0; i < m->list.count; i++) {
		const struct metric *metric = m->list.items[i];
		if (metric->left_out)
			show_note(s,
				  "@%s has more than %zu keys (-x series): %" PRIu64
				  " rows are added in one series, other",
				  metric->aggregation, metric->list.count - 1, metric->left_out);
	}
}
