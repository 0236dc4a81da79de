/* SPDX-License-Identifier: BSD-2-Clause */
/* printa - rows of aggregations, with a format or in automatic layout
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
	if (aggregate_row(v->layout->function)->is_histogram) {
		histogram_print(o, v);
		return;
	}
	writer_putc(o->out, ' ');
	if (aggregate_row(v->layout->function)->is_unsigned)
		writer_unsigned(o->out, (uint64_t)aggregation_result(v), 16);
	else
		writer_signed(o->out, aggregation_result(v), 16);
}

/* Each CPU that added something, under the merged value (aggpercpu). */
static void cpus_print(struct output *o, const struct aggregation_value *v)
{
	unsigned count = consumer_cpu_count(o->setup.consumer);
	for (unsigned cpu = 0; cpu < count && v->cpu_words; cpu++) {
		struct aggregation_value one;
		if (!aggregation_of_cpu(v, cpu, &one))
			continue;
		writer_printf(o->out, "\n    [CPU %u]", cpu);
		number_print(o, &one);
	}
}

static void row_part(struct output *o, const struct aggregation_value *v,
		     const struct value_field *key, unsigned parts)
{
	if (o->ops->row_part)
		o->ops->row_part(o, v->layout, key, parts);
}

static void row_print(struct output *o, const struct aggregation_row *row,
		      const struct table_column *columns)
{
	const struct aggregation_value *v = row->values;
	for (unsigned i = 0; i < row->layout->count; i++) {
		struct value key = value_of_key(o, row->key, &row->layout->fields[i]);
		key_print(o, &key, columns ? &columns[i] : NULL);
		row_part(o, v, key.field, ROW_KEY);
	}
	for (unsigned i = 0; i < row->value_count; i++) {
		number_print(o, &v[i]);
		cpus_print(o, &v[i]);
		row_part(o, &v[i], NULL, ROW_VALUE);
	}
	writer_putc(o->out, '\n');
	row_part(o, &v[row->value_count - 1], NULL, ROW_LAST);
}

static void group_print(struct output *o, const struct row_group *group)
{
	const struct key_style style = { KEY_WIDTH, 2, values_width(group, 16) };
	auto_free struct table_column *columns = key_columns(o, group, &style);
	for (size_t i = 0; i < group->count; i++)
		row_print(o, row_of_group(group, i), columns);
}

void rows_print(struct output *o, const struct aggregation_rows *rows)
{
	for (size_t at = 0, length; at < rows->count; at += length) {
		length = aggregation_rows_alike(rows, at);
		const struct row_group group = { rows, at, length };
		if (rows_print_packed(o, &group))
			row_part(o, row_of_group(&group, 0)->values, NULL,
				 ROW_KEY | ROW_VALUE | ROW_LAST);
		else
			group_print(o, &group);
	}
}

void rows_printf(struct output *o, const struct prepared *p, const struct aggregation_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct aggregation_row *row = aggregation_row_at(rows, i);
		printf_run(o, p, &(struct arguments) { .row = row });
		row_part(o, row->values, NULL, ROW_KEY | ROW_VALUE | ROW_FORMAT | ROW_LAST);
	}
}
