/* SPDX-License-Identifier: BSD-2-Clause */
/* printa - rows of aggregations, with a format or in automatic layout (spec/language-output.md 5.1)
 */
#include "output/internal.h"

static void value_print(struct output *o, const struct aggregation_value *v)
{
	if (aggregation_is_histogram(v->layout)) {
		histogram_print(o, v);
		return;
	}
	writer_putc(o->out, ' ');
	if (v->layout->function == AGGREGATE_STDDEV)
		writer_unsigned(o->out, (uint64_t)aggregation_result(v), 16);
	else
		writer_signed(o->out, aggregation_result(v), 16);
}

static void row_print(struct output *o, const struct aggregation_row *row)
{
	for (unsigned i = 0; i < row->layout->count; i++) {
		struct value v = value_of_key(o, row->key, &row->layout->fields[i]);
		key_print(o, &v);
	}
	for (unsigned i = 0; i < row->value_count; i++)
		value_print(o, &row->values[i]);
	writer_putc(o->out, '\n');
}

void rows_print(struct output *o, const struct aggregation_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		row_print(o, &rows->items[i]);
}

void rows_printf(struct output *o, const struct prepared *p, const struct aggregation_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		printf_run(o, p, &(struct arguments) { .row = &rows->items[i] });
}
