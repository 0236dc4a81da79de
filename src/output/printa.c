/* SPDX-License-Identifier: BSD-2-Clause */
/* printa - rows of aggregations, with a format or in automatic layout (spec/language-output.md 5.1)
 */
#include <stdlib.h>

#include "output/internal.h"

bool percentiles_parse(const char *text, struct percentiles *ret)
{
	struct percentiles list = { 0 };
	for (const char *p = text;; p++) {
		char *end;
		double percent = strtod(p, &end);
		if (end == p || !(percent >= 0 && percent <= 100) || (*end && *end != ','))
			return false;
		if (list.count == PERCENTILES_MAX)
			return false;
		list.items[list.count++] = percent;
		p = end;
		if (!*p)
			break;
	}
	*ret = list;
	return true;
}

static void number_print(struct output *o, const struct aggregation_value *v)
{
	if (aggregation_is_histogram(v->layout)) {
		histogram_print(o, v);
		return;
	}
	writer_putc(o->out, ' ');
	if (aggregation_is_unsigned(v->layout))
		writer_unsigned(o->out, (uint64_t)aggregation_result(v), 16);
	else
		writer_signed(o->out, aggregation_result(v), 16);
}

/* Each CPU that added something, under the merged value (aggpercpu). */
static void cpus_print(struct output *o, const struct aggregation_value *v)
{
	unsigned count = consumer_program(o->setup.consumer)->cpu_count;
	for (unsigned cpu = 0; cpu < count && v->cpu_words; cpu++) {
		struct aggregation_value one;
		if (!aggregation_of_cpu(v, cpu, &one))
			continue;
		writer_printf(o->out, "\n    [CPU %u]", cpu);
		number_print(o, &one);
	}
}

static void row_print(struct output *o, const struct aggregation_row *row)
{
	for (unsigned i = 0; i < row->layout->count; i++) {
		struct value v = value_of_key(o, row->key, &row->layout->fields[i]);
		key_print(o, &v);
	}
	for (unsigned i = 0; i < row->value_count; i++) {
		number_print(o, &row->values[i]);
		cpus_print(o, &row->values[i]);
	}
	writer_putc(o->out, '\n');
}

/* How many rows from AT on are of the same aggregation. */
static size_t group_length(const struct aggregation_rows *rows, size_t at)
{
	size_t end = at + 1;
	while (end < rows->count &&
	       rows->items[end].values[0].layout == rows->items[at].values[0].layout)
		end++;
	return end - at;
}

void rows_print(struct output *o, const struct aggregation_rows *rows)
{
	for (size_t at = 0, length; at < rows->count; at += length) {
		length = group_length(rows, at);
		if (rows_print_packed(o, &rows->items[at], length))
			continue;
		for (size_t i = at; i < at + length; i++)
			row_print(o, &rows->items[i]);
	}
}

void rows_printf(struct output *o, const struct prepared *p, const struct aggregation_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		printf_run(o, p, &(struct arguments) { .row = &rows->items[i] });
}
