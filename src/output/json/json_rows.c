/* SPDX-License-Identifier: BSD-2-Clause */
/* json_rows - tuples of aggregations, a line each */
#include <inttypes.h>
#include <string.h>

#include "output/json/json.h"

/* What a value was before normalize(), from which rows of several runs can be added. */
static void raw(struct writer *w, int64_t x, uint64_t normal)
{
	if (normal != 1)
		json_signed_member(w, "raw", x);
}

/* The buckets that are not empty: "least" and "most" are both inside; one may be absent. */
static void buckets(struct writer *w, const struct bucket *list, unsigned count, uint64_t normal)
{
	json_list_member(w, "buckets");
	for (unsigned i = 0; i < count; i++) {
		const struct bucket *b = &list[i];
		if (!b->count)
			continue;
		json_separate(w);
		writer_putc(w, '{');
		if (b->has_least)
			json_signed_member(w, "least", b->least);
		if (b->has_most)
			json_signed_member(w, "most", b->most);
		json_signed_member(w, "count", count_normalized(b->count, normal));
		raw(w, b->count, normal);
		writer_putc(w, '}');
	}
	writer_putc(w, ']');
}

static void percentiles(struct output *o, struct writer *w, const struct bucket *list,
			unsigned count)
{
	const struct percentiles *wanted = &o->options.percentiles;
	if (!wanted->count)
		return;
	static const char *const names[] = { [PERCENTILE_VALUE] = "value",
					     [PERCENTILE_AT_MOST] = "at_most",
					     [PERCENTILE_AT_LEAST] = "at_least" };
	json_list_member(w, "percentiles");
	for (unsigned i = 0; i < wanted->count; i++) {
		struct percentile p = histogram_percentile(list, count, wanted->items[i]);
		if (p.kind == PERCENTILE_UNKNOWN)
			continue;
		json_separate(w);
		writer_printf(w, "{\"percent\":%.15g,\"%s\":", wanted->items[i], names[p.kind]);
		json_signed(w, p.value);
		writer_putc(w, '}');
	}
	writer_putc(w, ']');
}

/* Of stddev(), [2] and [3] are the sum of squares (abi/aggregate.def): digits in a string, as all
 * large integers. */
static void squares(struct writer *w, const int64_t *words)
{
	const uint64_t part = 1000000000000000000; /* 10^18 */
	unsigned __int128 x = (unsigned __int128)(uint64_t)words[3] << 64 | (uint64_t)words[2];
	uint64_t low = (uint64_t)(x % part), middle = (uint64_t)(x / part % part);
	uint64_t high = (uint64_t)(x / part / part);
	json_member(w, "squares");
	if (high)
		writer_printf(w, "\"%" PRIu64 "%018" PRIu64 "%018" PRIu64 "\"", high, middle, low);
	else if (middle)
		writer_printf(w, "\"%" PRIu64 "%018" PRIu64 "\"", middle, low);
	else
		json_unsigned(w, low);
}

static void number_plain(struct writer *w, const struct aggregation_value *v)
{
	int64_t result = aggregation_result(v);
	if (aggregate_row(v->layout->function)->is_unsigned)
		json_unsigned(w, (uint64_t)result);
	else
		json_signed(w, result);
}

static void json_number(struct output *o, struct writer *w, const struct aggregation_value *v)
{
	const struct aggregate_row *row = aggregate_row(v->layout->function);
	if (row->is_histogram) {
		unsigned count;
		auto_free struct bucket *list = histogram_buckets(v, &count);
		buckets(w, list, count, v->normal);
		percentiles(o, w, list, count);
		if (v->layout->sum_word)
			json_signed_member(w, "sum", v->words[v->layout->sum_word]);
		return;
	}
	json_member(w, "value");
	number_plain(w, v);
	if (row->has_parts) {
		/* The values from which the number was computed, not normalized. */
		json_unsigned_member(w, "count", (uint64_t)v->words[0]);
		json_signed_member(w, "sum", v->words[1]);
	} else {
		raw(w, v->words[0], v->normal);
	}
	if (v->layout->function == AGGREGATE_STDDEV)
		squares(w, v->words);
}

static void cpus(struct output *o, struct writer *w, const struct aggregation_value *v)
{
	unsigned count = consumer_cpu_count(o->setup.consumer);
	if (!v->cpu_words)
		return;
	json_list_member(w, "cpus");
	for (unsigned cpu = 0; cpu < count; cpu++) {
		struct aggregation_value one;
		if (!aggregation_of_cpu(v, cpu, &one))
			continue;
		json_separate(w);
		writer_puts(w, "{\"cpu\":");
		json_unsigned(w, cpu);
		json_number(o, w, &one);
		writer_putc(w, '}');
	}
	writer_putc(w, ']');
}

/* What all rows of a printing have in common. */
static void value_names(struct writer *w, const struct json_printing *p,
			const struct aggregation_value *v)
{
	json_separate(w);
	writer_puts(w, "{\"name\":");
	json_string(w, v->layout->name);
	json_text_member(w, "function", aggregate_row(v->layout->function)->name);
	uint64_t from = p->from[v->layout - p->aggregations];
	if (from)
		json_unsigned_member(w, "from", from);
}

static void value_members(struct output *o, struct writer *w, const struct aggregation_value *v)
{
	if (v->missing)
		json_true_member(w, "missing");
	if (v->normal != 1)
		json_unsigned_member(w, "normal", v->normal);
	json_number(o, w, v);
	cpus(o, w, v);
	writer_putc(w, '}');
}

/* Is it a number, and nothing else is to be said? */
static bool value_is_plain(const struct aggregation_value *v)
{
	const struct aggregate_row *row = aggregate_row(v->layout->function);
	return !row->is_histogram && !row->has_parts && !v->missing && v->normal == 1 &&
	       !v->cpu_words;
}

/* In a stream, after a line `rows`. */
static void value_short(struct output *o, struct writer *w, const struct aggregation_value *v)
{
	json_separate(w);
	if (value_is_plain(v)) {
		number_plain(w, v);
		return;
	}
	writer_putc(w, '{');
	value_members(o, w, v);
}

static void key(struct output *o, struct writer *w, const struct aggregation_row *row)
{
	json_list_member(w, "key");
	for (unsigned i = 0; i < row->layout->count; i++) {
		struct value v = value_of_key(o, row->key, &row->layout->fields[i]);
		json_separate(w);
		json_value(o, w, &v);
	}
	writer_putc(w, ']');
}

/* What printa() with a format would have printed. */
static void text(struct output *o, struct writer *w, const struct prepared *p,
		 const struct aggregation_row *row)
{
	auto_free char *formatted = printf_text(o, p, &(struct arguments) { .row = row });
	json_text_member(w, "text", formatted);
}

static void printing_members(struct output *o, struct writer *w, const struct json_printing *p)
{
	if (p->record || !o->is_ending)
		json_unsigned_member(w, "time", p->to);
	if (p->record)
		json_unsigned_member(w, "clause", p->record->clause->epid);
	json_unsigned_member(w, "printing", p->number);
	json_unsigned_member(w, "to", p->to);
}

/* The line before the rows of a stream. */
static void heading(struct output *o, const struct json_printing *p,
		    const struct aggregation_row *row)
{
	struct writer *w = json_line_begin(o, "rows");
	printing_members(o, w, p);
	json_list_member(w, "values");
	for (unsigned i = 0; i < row->value_count; i++) {
		value_names(w, p, &row->values[i]);
		writer_putc(w, '}');
	}
	writer_putc(w, ']');
	json_line_end(o);
}

static void row(struct output *o, const struct json_printing *p, const struct aggregation_row *row)
{
	bool is_stream = json_of(o)->is_stream;
	struct writer *w = json_line_begin(o, is_stream ? "row" : "aggregation");
	if (!is_stream)
		printing_members(o, w, p);
	key(o, w, row);
	json_list_member(w, "values");
	for (unsigned i = 0; i < row->value_count; i++) {
		if (is_stream) {
			value_short(o, w, &row->values[i]);
			continue;
		}
		value_names(w, p, &row->values[i]);
		value_members(o, w, &row->values[i]);
	}
	writer_putc(w, ']');
	if (p->action && p->action->format)
		text(o, w, prepared_of(o, p->record, p->action), row);
	json_line_end(o);
}

/* Rows of one printing are of one set of aggregations after the other: its first one says which. */
void json_rows(struct output *o, const struct json_printing *p, const struct aggregation_rows *rows)
{
	const struct aggregation_layout *headed = NULL;
	for (size_t i = 0; i < rows->count; i++) {
		const struct aggregation_row *this = aggregation_row_at(rows, i);
		if (json_of(o)->is_stream && this->values[0].layout != headed)
			heading(o, p, this);
		headed = this->values[0].layout;
		row(o, p, this);
	}
}
