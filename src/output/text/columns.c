/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * columns - lines of our own layout that fit the terminal
 *
 * Names in the columns of records and aggregations are cut, with "..", where their line is longer
 * than the terminal's, but never below the column's usual width.  Columns of keys are narrower on
 * a terminal on which their usual width does not fit.  What a program's own format prints is not
 * cut.
 */
#include <stdio.h>
#include <string.h>

#include "output/internal.h"

#define KEY_LEAST 16

/* --- records: the name is cut when the whole line is known ------------------------------- */

static uint64_t flushed_bytes(const struct writer *w)
{
	return w->written + w->lost;
}

void record_line_begin(struct output *o)
{
	o->line = (struct record_line) { .begin = flushed_bytes(o->out) + o->out->used };
}

void record_line_has_name(struct output *o, size_t skip, size_t len, size_t least)
{
	o->line.name = flushed_bytes(o->out) + o->out->used + skip;
	o->line.len = len;
	o->line.least = least;
}

/* Replace LEN bytes at NAME, in W's buffer, by as many as fill CELLS. */
static void name_cut(struct writer *w, char *name, size_t len, size_t cells)
{
	auto_strbuf struct strbuf cut = { 0 };
	const char *after = name + len;
	text_add_cut(&cut, name, len, cells);
	memcpy(name, strbuf_text(&cut), cut.len);
	memmove(name + cut.len, after, (size_t)(w->buffer + w->used - after));
	w->used -= len - cut.len;
}

/* Blanks that end the line are not needed. */
static size_t blanks_remove(struct writer *w, size_t cells)
{
	while (cells > w->line_cells && w->buffer[w->used - 1] == ' ') {
		w->used--;
		cells--;
	}
	return cells;
}

void record_line_end(struct output *o)
{
	struct writer *w = o->out;
	uint64_t flushed = flushed_bytes(w);
	if (!o->line.len || o->line.begin < flushed)
		return;
	const char *line = w->buffer + (o->line.begin - flushed);
	size_t len = (size_t)(w->buffer + w->used - line);
	const char *newline = memchr(line, '\n', len);
	size_t cells = text_cells(line, newline ? (size_t)(newline - line) : len);
	if (!newline)
		cells = blanks_remove(w, cells);
	if (cells <= w->line_cells)
		return;
	char *name = w->buffer + (o->line.name - flushed);
	size_t excess = cells - w->line_cells, name_cells = text_cells(name, o->line.len);
	if (name_cells >= o->line.least + excess)
		name_cut(w, name, o->line.len, name_cells - excess);
}

/* --- keys -------------------------------------------------------------------------------- */

static size_t number_cells(int64_t number, size_t width)
{
	size_t digits = (size_t)snprintf(NULL, 0, "%lld", (long long)number);
	return MAX(digits, width);
}

/* Of the values that are in the line of the keys; a number has WIDTH cells at least. */
static size_t value_cells(const struct aggregation_row *row, size_t width)
{
	size_t cells = 0;
	for (unsigned i = 0; i < row->value_count; i++) {
		const struct aggregation_value *v = &row->values[i];
		if (aggregate_row(v->layout->function)->is_histogram) /* in lines of its own */
			return cells;
		cells += 1 + number_cells(aggregation_result(v), width);
		if (v->cpu_words)
			return cells;
	}
	return cells;
}

size_t values_width(const struct row_group *group, size_t width)
{
	size_t cells = 0;
	for (size_t i = 0; i < group->count; i++)
		cells = MAX(cells, value_cells(row_of_group(group, i), width));
	return cells;
}

static void contents_add(struct output *o, const struct aggregation_row *row,
			 struct table_column *columns)
{
	struct shown s;
	for (unsigned i = 0; i < row->layout->count; i++) {
		struct value v = value_of_key(o, row->key, &row->layout->fields[i]);
		bool is_text = key_text(o, &v, &s);
		size_t cells = is_text ? text_cells(s.text, s.len)
				       : number_cells(value_integer(&v), key_width(&v));
		columns[i].content = MAX(columns[i].content, cells);
	}
}

/* COUNT keys share a line, of which ROOM is left for them. */
static void line_fit(const struct output *o, const struct value_field *keys,
		     struct table_column *columns, unsigned count, size_t usual, size_t room)
{
	size_t wanted = 0;
	for (unsigned i = 0; i < count; i++) {
		bool is_number = value_is_number(o, &(struct value) { &keys[i] });
		columns[i].width = is_number ? columns[i].content : usual;
		wanted += columns[i].width;
	}
	bool is_narrow = wanted > room;
	for (unsigned i = 0; i < count && is_narrow; i++)
		columns[i].width = MIN(columns[i].content, KEY_LEAST);
	columns_fit(columns, count, room);
	for (unsigned i = 0; i < count && is_narrow; i++)
		columns[i].width = columns[i].most;
}

struct table_column *key_columns(struct output *o, const struct row_group *group,
				 const struct key_style *style)
{
	const struct key_layout *layout = row_of_group(group, 0)->layout;
	size_t line = o->out->line_cells, used = 0;
	if (!line || !layout->count)
		return NULL;
	struct table_column *columns = mem_zalloc(layout->count * sizeof(*columns));
	for (size_t i = 0; i < group->count; i++)
		contents_add(o, row_of_group(group, i), columns);
	for (unsigned first = 0, i = 0; i <= layout->count; i++) {
		bool is_end = i == layout->count;
		used += is_end ? style->others : 0;
		if (is_end || value_kind_is_stack(layout->fields[i].kind)) { /* has its own lines */
			line_fit(o, layout->fields + first, columns + first, i - first,
				 style->width, line - MIN(line, used));
			first = i + 1;
			used = 0;
		} else {
			bool is_number = value_is_number(o, &(struct value) { &layout->fields[i] });
			used += is_number ? 1 : style->blanks;
		}
	}
	return columns;
}
