/* SPDX-License-Identifier: BSD-2-Clause */
/* What has been counted, from the printings of a run */
#include <string.h>

#include "base/hash.h"
#include "show/frames.h"
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
	vector_free(&m->list);
	hash_free(m->index);
	free(m);
}

/* --- labels ------------------------------------------------------------------------------------
 */

/* A name of letters, digits and underlines, which begins with no digit. */
static void name_add(struct strbuf *ret, const char *text)
{
	size_t begin = ret->len;
	for (; *text; text++) {
		bool is_letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
		bool is_digit = *text >= '0' && *text <= '9';
		if (is_letter || (is_digit && ret->len > begin))
			strbuf_putc(ret, *text);
		else if (ret->len > begin && ret->text[ret->len - 1] != '_')
			strbuf_putc(ret, '_');
	}
	while (ret->len > begin && ret->text[ret->len - 1] == '_')
		ret->text[--ret->len] = '\0';
	if (ret->len == begin)
		strbuf_puts(ret, "key");
}

/* In quotes. */
static void label_text(struct strbuf *ret, const char *text)
{
	strbuf_putc(ret, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_putc(ret, '\\');
		strbuf_putc(ret, *text);
	}
	strbuf_putc(ret, '"');
}

static void stack_add(void *arg, const struct seen_frame *frame)
{
	struct strbuf *text = arg;
	if (text->len)
		strbuf_putc(text, ';');
	strbuf_add(text, frame->name, frame->len);
}

static void label_add(struct strbuf *ret, const struct show *show, const char *aggregation,
		      size_t place, struct json_object *key)
{
	auto_strbuf struct strbuf expression = { 0 }, name = { 0 }, text = { 0 };
	show_key_name(show, aggregation, place, &expression);
	name_add(&name, strbuf_text(&expression));
	if (!expression.len || string_equal(strbuf_text(&name), "le"))
		strbuf_printf(&name, "%zu", place + 1);
	if (value_is_stack(key))
		frames_visit(key, stack_add, &text);
	else
		value_text(key, &text);
	auto_free char *taken = mem_printf("%s=", strbuf_text(&name));
	if (ret->len && strstr(strbuf_text(ret), taken)) /* arg0 / 2 and arg0 % 2 */
		strbuf_printf(&name, "_%zu", place + 1);
	strbuf_printf(ret, "%s%s=", ret->len ? "," : "", strbuf_text(&name));
	label_text(ret, strbuf_text(&text));
}

/* --- series -------------------------------------------------------------------------------------
 */

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

/* NULL: there are too many, and values of several keys cannot be added. */
static struct series *series_of(struct metric *m, const char *labels)
{
	struct series *s = hash_get_string(m->index, labels);
	if (s)
		return s;
	if (m->list.count < SERIES_MOST) {
		s = series_new(m, labels);
		hash_put_string(m->index, labels, s);
		return s;
	}
	if (!m->other && m->kind != METRIC_GAUGE)
		m->other = series_new(m, "other=\"true\"");
	m->left_out++;
	return m->other;
}

/* A window begins: what the one before had is kept. */
static void window_begin(struct series *s, uint64_t from)
{
	s->from = from;
	count_add(&s->counter.before, s->counter.now);
	s->counter.now = 0;
	for (size_t i = 0; i < s->buckets.count; i++) {
		count_add(&s->buckets.items[i].values.before, s->buckets.items[i].values.now);
		s->buckets.items[i].values.now = 0;
	}
}

static struct bucket_tally *bucket_of(struct series *s, int64_t most, bool is_last)
{
	size_t at = s->buckets.count; /* mostly they come from low to high */
	while (at && !is_last &&
	       (s->buckets.items[at - 1].is_last || s->buckets.items[at - 1].most >= most))
		at--;
	if (is_last && at && s->buckets.items[at - 1].is_last)
		at--;
	bool is_there = at < s->buckets.count && s->buckets.items[at].is_last == is_last &&
			(is_last || s->buckets.items[at].most == most);
	if (!is_there) {
		const struct bucket_tally new = { .most = most, .is_last = is_last };
		vector_push(&s->buckets, new);
		memmove(&s->buckets.items[at + 1], &s->buckets.items[at],
			(s->buckets.count - 1 - at) * sizeof(new));
		s->buckets.items[at] = new;
	}
	return &s->buckets.items[at];
}

static void buckets_take(struct series *s, struct json_object *list)
{
	for (size_t i = 0; i < value_count(list); i++) {
		struct json_object *bucket = json_object_array_get_idx(list, i);
		int64_t most = 0;
		uint64_t count;
		bool has_most = value_signed(value_member(bucket, "most"), &most);
		if (value_unsigned(value_member(bucket, "count"), &count))
			count_add(&bucket_of(s, most, !has_most)->values.now, count);
	}
}

/* A printing begins: it has all that was counted in its window. */
static void printing_begin(struct series *s, uint64_t printing, uint64_t from)
{
	if (s->from != from)
		window_begin(s, from);
	s->printing = printing;
	s->counter.now = 0;
	for (size_t i = 0; i < s->buckets.count; i++)
		s->buckets.items[i].values.now = 0;
}

/* Rows of one printing may have equal labels: stacks of equal names at other addresses. */
static int64_t gauge_join(const struct metric *m, int64_t a, int64_t b)
{
	if (string_equal(m->function, "max"))
		return MAX(a, b);
	return string_equal(m->function, "min") ? MIN(a, b) : b;
}

static void series_take(struct metric *m, struct series *s, struct json_object *value,
			uint64_t printing)
{
	uint64_t from = member_unsigned(value, "from"), count = 0;
	int64_t number = 0;
	bool is_signed = value_signed(value_member(value, "value"), &number);
	if (is_signed && number < 0)
		m->kind = m->kind == METRIC_COUNTER ? METRIC_GAUGE : m->kind;
	else
		value_unsigned(value_member(value, "value"), &count);
	bool is_next = s->printing != printing || s->from != from;
	bool is_less = is_next && s->from == from && count < s->counter.now && s != m->other;
	if (is_less) /* trunc() has removed the key */
		count_add(&s->counter.before, s->counter.now);
	if (is_next)
		printing_begin(s, printing, from);
	s->gauge = is_next ? number : gauge_join(m, s->gauge, number);
	count_add(&s->counter.now, count);
	buckets_take(s, value_member(value, "buckets"));
}

static void row_value(struct metrics *m, const struct show *show, struct json_object *row,
		      struct json_object *value)
{
	struct json_object *key = value_member(row, "key");
	const char *name = value_word(value_member(value, "name"));
	auto_strbuf struct strbuf labels = { 0 };
	if (!*name || !show_is_wanted(show, name) || value_member(value, "missing"))
		return;
	for (size_t i = 0; i < value_count(key); i++)
		label_add(&labels, show, name, i, json_object_array_get_idx(key, i));
	struct metric *metric = metric_of(m, show, name, value);
	struct series *s = series_of(metric, strbuf_text(&labels));
	if (s)
		series_take(metric, s, value, line_printing(row));
}

void metrics_add_line(struct metrics *m, const struct show *show, const char *type,
		      struct json_object *line)
{
	struct json_object *values = value_member(line, "values");
	m->records += string_equal(type, "record");
	if (!string_equal(type, "aggregation"))
		return;
	for (size_t i = 0; i < value_count(values); i++)
		row_value(m, show, line, json_object_array_get_idx(values, i));
}
