/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/csv/sheet.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/time_unit.h"
#include "show/value.h"

struct sheet *sheet_new(const char *names)
{
	struct sheet *s = mem_zalloc(sizeof(*s));
	s->names = names ? mem_strdup(names) : NULL;
	return s;
}

void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	free(s->names);
	cells_deinit(&s->head);
	cells_deinit(&s->body);
	vector_free(&s->ends);
	vector_free(&s->counts);
	free(s);
}

/* --- time ------------------------------------------------------------------------------------ */

/* "2026-11-29T20:31:07.123456789Z"; an empty cell for no time. */
static void cell_time(struct cells *c, const struct show *show, struct json_object *time)
{
	uint64_t ns;
	struct tm day;
	char date[64], cell[96];
	if (!value_unsigned(time, &ns)) {
		cell_empty(c);
		return;
	}
	ns += (uint64_t)show->wall_offset;
	time_t seconds = (time_t)(ns / NS_PER_SECOND);
	if (!gmtime_r(&seconds, &day) || !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &day)) {
		cell_empty(c);
		return;
	}
	snprintf(cell, sizeof(cell), "%s.%09lluZ", date, ns % NS_PER_SECOND);
	cell_name(c, cell);
}

/* The seconds from FROM to TO. */
static void cell_window(struct cells *c, struct json_object *from, struct json_object *to)
{
	uint64_t begin, end;
	char cell[64];
	if (!value_unsigned(from, &begin) || !value_unsigned(to, &end) || end < begin) {
		cell_empty(c);
		return;
	}
	uint64_t ns = end - begin;
	snprintf(cell, sizeof(cell), "%llu.%09llu", ns / NS_PER_SECOND, ns % NS_PER_SECOND);
	cell_name(c, cell);
}

/* --- aggregations ---------------------------------------------------------------------------- */

static bool is_average(struct json_object *value)
{
	const char *function = value_word(value_member(value, "function"));
	return string_equal(function, "avg") || string_equal(function, "stddev");
}

/* The names of the columns of VALUE, which are of NAME; NULL: it is the only one. */
static void head_add(struct sheet *s, struct json_object *value, const char *name)
{
	auto_free char *values = mem_printf("%s%svalues", name ? name : "", name ? "_" : "");
	auto_free char *sum = mem_printf("%s%ssum", name ? name : "", name ? "_" : "");
	if (s->is_histogram) {
		cell_name(&s->head, "least");
		cell_name(&s->head, "most");
		cell_name(&s->head, "count");
		return;
	}
	cell_name(&s->head, name ? name : value_word(value_member(value, "function")));
	if (!is_average(value))
		return;
	cell_name(&s->head, values);
	cell_name(&s->head, sum);
}

/* The first row says what the others have. */
static void head_begin(struct sheet *s, const struct show *show, struct json_object *key,
		       struct json_object *values)
{
	const char *first = value_word(value_member(json_object_array_get_idx(values, 0), "name"));
	s->keys = value_count(key);
	s->is_histogram = value_count(values) == 1 &&
			  value_member(json_object_array_get_idx(values, 0), "buckets");
	cell_name(&s->head, "time");
	cell_name(&s->head, "window");
	for (size_t i = 0; i < s->keys; i++) {
		auto_strbuf struct strbuf name = { 0 };
		if (!show_key_name(show, first, i, &name))
			strbuf_printf(&name, "key%zu", i + 1);
		cell_name(&s->head, strbuf_text(&name));
	}
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		head_add(s, value,
			 value_count(values) == 1 ? NULL : value_word(value_member(value, "name")));
	}
	s->columns = s->head.count;
	cells_end(&s->head, 0);
}

/* When the values of a row began to be counted; those that are missing do not say it. */
static struct json_object *row_from(struct json_object *values)
{
	struct json_object *ret = NULL;
	for (size_t i = 0; i < value_count(values) && !ret; i++)
		ret = value_member(json_object_array_get_idx(values, i), "from");
	return ret;
}

static void row_begin(struct sheet *s, const struct show *show, struct json_object *line)
{
	struct json_object *key = value_member(line, "key"), *values = value_member(line, "values");
	struct json_object *to = value_member(line, "to");
	cell_time(&s->body, show, to ? to : value_member(line, "time"));
	cell_window(&s->body, row_from(values), to);
	for (size_t i = 0; i < s->keys; i++)
		cell_value(&s->body, json_object_array_get_idx(key, i));
}

/* An integer that the stream may write as a string of digits. */
static void cell_integer(struct cells *c, struct json_object *v)
{
	int64_t number;
	uint64_t large;
	if (value_signed(v, &number))
		cell_signed(c, number);
	else if (value_unsigned(v, &large))
		cell_unsigned(c, large);
	else
		cell_empty(c);
}

/* The number of values of a histogram, in a row with others. */
static void cell_count(struct cells *c, struct json_object *buckets)
{
	uint64_t sum = 0, count;
	for (size_t i = 0; i < value_count(buckets); i++)
		if (value_unsigned(value_member(json_object_array_get_idx(buckets, i), "count"),
				   &count))
			count_add(&sum, count);
	cell_unsigned(c, sum);
}

static void number_add(struct sheet *s, struct json_object *value)
{
	struct json_object *buckets = value_member(value, "buckets");
	bool is_missing = value_member(value, "missing");
	s->has_counts |= buckets != NULL;
	if (buckets && !is_missing)
		cell_count(&s->body, buckets);
	else
		cell_integer(&s->body, is_missing ? NULL : value_member(value, "value"));
	if (!is_average(value))
		return;
	cell_integer(&s->body, is_missing ? NULL : value_member(value, "count"));
	cell_integer(&s->body, is_missing ? NULL : value_member(value, "sum"));
}

/* A row for each bucket. */
static void histogram_add(struct sheet *s, const struct show *show, struct json_object *line,
			  struct json_object *value)
{
	struct json_object *buckets = value_member(value, "buckets");
	for (size_t i = 0; i < value_count(buckets); i++) {
		struct json_object *bucket = json_object_array_get_idx(buckets, i);
		row_begin(s, show, line);
		cell_integer(&s->body, value_member(bucket, "least"));
		cell_integer(&s->body, value_member(bucket, "most"));
		cell_integer(&s->body, value_member(bucket, "count"));
		cells_end(&s->body, s->columns);
		s->rows++;
	}
}

static void numbers_add(struct sheet *s, const struct show *show, struct json_object *line,
			struct json_object *values)
{
	size_t begin = s->body.text.len;
	row_begin(s, show, line);
	for (size_t i = 0; i < value_count(values); i++)
		number_add(s, json_object_array_get_idx(values, i));
	if (s->body.count == s->columns) {
		cells_end(&s->body, s->columns);
		s->rows++;
	} else {
		s->unlike++;
		s->body.count = 0;
		s->body.text.len = begin;
	}
}

void sheet_add_row(struct sheet *s, const struct show *show, struct json_object *line)
{
	struct json_object *key = value_member(line, "key"), *values = value_member(line, "values");
	if (s->run != show->runs) {
		strbuf_clear(&s->body.text);
		strbuf_clear(&s->head.text);
		s->columns = 0; /* another run has another program */
		s->rows = s->unlike = 0;
		s->has_percentiles = s->has_cpus = s->has_normal = false;
		s->run = show->runs;
	}
	if (!s->columns)
		head_begin(s, show, key, values);
	if (value_count(key) != s->keys) {
		s->unlike++;
		return;
	}
	for (size_t i = 0; i < value_count(values); i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		s->has_percentiles |= value_member(value, "percentiles") != NULL;
		s->has_cpus |= value_member(value, "cpus") != NULL;
		s->has_normal |= value_member(value, "normal") != NULL;
	}
	if (s->is_histogram)
		histogram_add(s, show, line, json_object_array_get_idx(values, 0));
	else
		numbers_add(s, show, line, values);
}

/* --- records --------------------------------------------------------------------------------- */

bool record_has_values(struct json_object *line)
{
	struct json_object *data = value_member(line, "data");
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *item = json_object_array_get_idx(data, i);
		if (action_prints(value_word(value_member(item, "action"))))
			return true;
	}
	return false;
}

static void record_head(struct cells *head, size_t values)
{
	static const char *const names[] = { "time",   "cpu",	"pid",	  "tid",
					     "thread", "probe", "clause", "text" };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		cell_name(head, names[i]);
	for (size_t i = head->count; i < values; i++) {
		auto_free char *name = mem_printf("value%zu", i + 1 - ARRAY_SIZE(names));
		cell_name(head, name);
	}
	cells_end(head, 0);
}

static void record_begin(struct sheet *s, const struct show *show, struct json_object *line)
{
	static const char *const members[] = { "cpu", "pid", "tid", "thread" };
	auto_strbuf struct strbuf probe = { 0 };
	cell_time(&s->body, show, value_member(line, "time"));
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		cell_value(&s->body, value_member(line, members[i]));
	value_probe(value_member(line, "probe"), &probe);
	cell_text(&s->body, strbuf_text(&probe), probe.len);
	cell_value(&s->body, value_member(line, "clause"));
}

/* What printf() printed, without the last newline. */
static void record_text(struct sheet *s, struct json_object *data)
{
	auto_strbuf struct strbuf text = { 0 };
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *item = json_object_array_get_idx(data, i);
		struct json_object *printed = value_member(item, "text");
		if (printed && action_prints(value_word(value_member(item, "action"))))
			value_lines(printed, &text);
	}
	if (text.len && text.text[text.len - 1] == '\n')
		text.text[--text.len] = '\0';
	cell_text(&s->body, strbuf_text(&text), text.len);
}

void sheet_add_record(struct sheet *s, const struct show *show, struct json_object *line)
{
	struct json_object *data = value_member(line, "data");
	record_begin(s, show, line);
	record_text(s, data);
	for (size_t i = 0; i < value_count(data); i++) {
		struct json_object *item = json_object_array_get_idx(data, i);
		struct json_object *values = value_member(item, "values");
		if (!action_prints(value_word(value_member(item, "action"))))
			continue;
		for (size_t k = 0; k < value_count(values); k++)
			cell_value(&s->body, json_object_array_get_idx(values, k));
		if (!values && value_member(item, "value"))
			cell_value(&s->body, value_member(item, "value")); /* of print() */
	}
	s->columns = MAX(s->columns, s->body.count);
	vector_push(&s->counts, s->body.count);
	vector_push(&s->ends, s->body.text.len);
	s->body.count = 0;
	s->rows++;
}

/* --- the document ---------------------------------------------------------------------------- */

static void write_records(const struct sheet *s, FILE *out)
{
	struct cells line = { 0 };
	record_head(&line, s->columns);
	fwrite(line.text.text, 1, line.text.len, out);
	for (size_t i = 0, begin = 0; i < s->ends.count; begin = s->ends.items[i++]) {
		strbuf_clear(&line.text);
		line.count = s->counts.items[i];
		cells_end(&line, s->columns);
		fwrite(s->body.text.text + begin, 1, s->ends.items[i] - begin, out);
		fwrite(line.text.text, 1, line.text.len, out);
	}
	cells_deinit(&line);
}

void sheet_write(const struct sheet *s, FILE *out)
{
	if (!s->names) {
		write_records(s, out);
		return;
	}
	fwrite(strbuf_text(&s->head.text), 1, s->head.text.len, out);
	fwrite(strbuf_text(&s->body.text), 1, s->body.text.len, out);
}
