/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/map.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/time_unit.h"
#include "show/svg.h"

#define LEFT 150.0 /* pixels for the names of rows */
#define ROW_MOST 16.0
#define ROWS_HEIGHT 800.0 /* of all rows, at most */
#define TIME_LABELS 8
#define TIME_WIDTH 90.0 /* pixels of one with milliseconds */

const char map_style[] = ".heatmap rect:hover { stroke: #000; stroke-width: 0.6; }\n";

struct map {
	FILE *out;
	const struct histogram *h;
	const struct show *show;
	size_t *row_of; /* bucket to row, from below */
	size_t *bucket_of;
	double row, column; /* pixels */
	uint64_t most;	    /* values in a cell */
	bool is_precise;    /* columns are less than a second apart */
};

/* --- rows ------------------------------------------------------------------------------------ */

/* By their least values; those without come first. */
static int buckets_compare(const void *a, const void *b, void *arg)
{
	const struct histogram *h = arg;
	const struct bucket *x = &h->buckets.items[*(const size_t *)a],
			    *y = &h->buckets.items[*(const size_t *)b];
	if (x->has_least != y->has_least)
		return x->has_least - y->has_least;
	if (x->least != y->least)
		return x->least < y->least ? -1 : 1;
	return x->most < y->most ? -1 : x->most > y->most;
}

static void rows_order(struct map *m)
{
	size_t count = m->h->buckets.count;
	m->row_of = mem_alloc((count + 1) * sizeof(*m->row_of));
	m->bucket_of = mem_alloc((count + 1) * sizeof(*m->bucket_of));
	for (size_t i = 0; i < count; i++)
		m->bucket_of[i] = i;
	qsort_r(m->bucket_of, count, sizeof(*m->bucket_of), buckets_compare, (void *)m->h);
	for (size_t i = 0; i < count; i++)
		m->row_of[m->bucket_of[i]] = i;
}

static double row_y(const struct map *m, size_t row)
{
	return SVG_TOP + m->row * (double)(m->h->buckets.count - 1 - row);
}

static void write_bounds(FILE *out, const struct bucket *b)
{
	if (!b->has_least)
		fprintf(out, "to %" PRId64, b->most);
	else if (!b->has_most)
		fprintf(out, "from %" PRId64, b->least);
	else if (b->least == b->most)
		fprintf(out, "%" PRId64, b->least);
	else
		fprintf(out, "%" PRId64 " to %" PRId64, b->least, b->most);
}

static void write_row_names(const struct map *m)
{
	size_t step = (size_t)ceil(12 / m->row);
	for (size_t row = 0; row < m->h->buckets.count; row += step) {
		const struct bucket *b = &m->h->buckets.items[m->bucket_of[row]];
		fprintf(m->out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 5,
			row_y(m, row) + m->row / 2 + 4);
		fprintf(m->out, "%" PRId64 "</text>\n", b->has_least ? b->least : b->most);
	}
}

/* --- time ------------------------------------------------------------------------------------ */

/* The time of day of W. */
static void write_time(const struct map *m, const struct window *w)
{
	uint64_t ns = w->time + (uint64_t)m->show->wall_offset;
	time_t seconds = (time_t)(ns / NS_PER_SECOND);
	struct tm day;
	char text[32];
	if (!w->time || !localtime_r(&seconds, &day) ||
	    !strftime(text, sizeof(text), "%H:%M:%S", &day)) {
		fputs("end", m->out);
		return;
	}
	fputs(text, m->out);
	if (m->is_precise)
		fprintf(m->out, ".%03llu", ns % NS_PER_SECOND / NS_PER_MS);
}

static bool windows_are_close(const struct histogram *h)
{
	for (size_t i = 1; i < h->windows.count; i++) {
		const struct window *w = &h->windows.items[i];
		if (w->time && w->time - w[-1].time < NS_PER_SECOND * 9 / 10)
			return true;
	}
	return false;
}

static void write_times(const struct map *m, double y)
{
	size_t count = m->h->windows.count, step = count / TIME_LABELS + 1;
	for (size_t i = 0; i < count; i += step) {
		if (i && LEFT + m->column * (double)i + TIME_WIDTH > SVG_WIDTH)
			break;
		fprintf(m->out, "<text x=\"%.1f\" y=\"%.0f\">", LEFT + m->column * (double)i, y);
		write_time(m, &m->h->windows.items[i]);
		fputs("</text>\n", m->out);
	}
}

/* --- cells ----------------------------------------------------------------------------------- */

/* From pale to dark by the root of the share, so that the rare ones are seen. */
static void write_colour(FILE *out, double share)
{
	static const double pale[] = { 254, 237, 222 }, dark[] = { 127, 20, 4 };
	double x = sqrt(share);
	fputc('#', out);
	for (int i = 0; i < 3; i++)
		fprintf(out, "%02x", (unsigned)(pale[i] + (dark[i] - pale[i]) * x));
}

static void write_cell(const struct map *m, const struct window *w, size_t column,
		       const struct cell *c)
{
	fprintf(m->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"",
		LEFT + m->column * (double)column, row_y(m, m->row_of[c->bucket]), m->column,
		m->row);
	write_colour(m->out, (double)c->count / (double)m->most);
	fputs("\"><title>", m->out);
	write_time(m, w);
	fputs(", ", m->out);
	write_bounds(m->out, &m->h->buckets.items[c->bucket]);
	fprintf(m->out, ": %" PRIu64 " of %" PRIu64 "</title></rect>\n", c->count, w->values);
}

static void write_cells(struct map *m)
{
	for (size_t i = 0; i < m->h->windows.count; i++)
		for (size_t k = 0; k < m->h->windows.items[i].cells.count; k++)
			m->most = MAX(m->most, m->h->windows.items[i].cells.items[k].count);
	for (size_t i = 0; i < m->h->windows.count; i++) {
		const struct window *w = &m->h->windows.items[i];
		for (size_t k = 0; k < w->cells.count; k++)
			write_cell(m, w, i, &w->cells.items[k]);
	}
}

/* --- the picture ----------------------------------------------------------------------------- */

/* What the colours mean. */
static void write_legend(const struct map *m, double y)
{
	for (int i = 1; i <= 5; i++) {
		fprintf(m->out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"20\" height=\"12\" fill=\"",
			LEFT + 20 * (i - 1), y - 10);
		write_colour(m->out, i / 5.0);
		fputs("\"/>\n", m->out);
	}
	fprintf(m->out, "<text x=\"%.0f\" y=\"%.0f\">the darkest has %" PRIu64 "</text>\n",
		LEFT + 108, y, m->most);
}

static double row_height(const struct histogram *h)
{
	return MIN(ROW_MOST, ROWS_HEIGHT / (double)MAX(h->buckets.count, (size_t)1));
}

static double rows_end(const struct histogram *h)
{
	return SVG_TOP + row_height(h) * (double)MAX(h->buckets.count, (size_t)1);
}

double map_height(const struct histogram *h)
{
	return rows_end(h) + 2 * SVG_LINE;
}

void map_write(FILE *out, const struct show *s, const struct histogram *h)
{
	struct map m = { out, h, s, .row = row_height(h), .is_precise = windows_are_close(h) };
	m.column = (SVG_WIDTH - LEFT - 10) / (double)MAX(h->windows.count, (size_t)1);
	rows_order(&m);
	write_row_names(&m);
	write_cells(&m);
	write_times(&m, rows_end(h) + SVG_LINE);
	write_legend(&m, rows_end(h) + 2 * SVG_LINE);
	free(m.row_of);
	free(m.bucket_of);
}
