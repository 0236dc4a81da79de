/* SPDX-License-Identifier: BSD-2-Clause */
/* A histogram as bars */
#include <inttypes.h>

#include "show/html/page.h"
#include "show/xml.h"

#define FILL_MOST 100 /* rows without values between two that have some */

static void write_bounds(FILE *out, const struct bucket *b)
{
	if (!b->has_least)
		fprintf(out, "\u2264 %" PRId64, b->most);
	else if (!b->has_most)
		fprintf(out, "\u2265 %" PRId64, b->least);
	else
		fprintf(out, "%" PRId64, b->least);
}

static void write_bucket(FILE *out, const struct bucket *b, uint64_t most)
{
	fputs("<tr><td>", out);
	write_bounds(out, b);
	fprintf(out, "<td><i style=width:%.1f%%></i><td>%" PRIu64 "\n",
		most ? 100 * (double)b->now / (double)most : 0, b->now);
}

/* The buckets without values from B to NEXT, or a row for all that are not known. */
static void write_gap(FILE *out, const struct column *column, const struct bucket *b,
		      const struct bucket *next)
{
	struct bucket empty = *b;
	bool is_known;
	for (size_t i = 0; i <= FILL_MOST; i++) {
		struct bucket from = empty;
		is_known = bucket_next(column->function, &from, &empty) && next->has_least;
		if (is_known ? empty.least >= next->least
			     : from.has_most && from.most < next->least &&
				       from.most + 1 == next->least)
			return;
		if (!is_known)
			break;
		if (i < FILL_MOST)
			write_bucket(out, &empty, 1);
	}
	fputs("<tr><td>\u22ee<td><td>\n", out);
}

void bars_write(FILE *out, const struct column *column, const struct value *v, const char *title)
{
	uint64_t most = 0;
	for (size_t i = 0; i < v->bucket_count; i++)
		most = MAX(most, v->buckets[i].now);
	fputs("<figure class=bars><figcaption>", out);
	xml_text(out, title, 200);
	fprintf(out, "%s<small>%.0f value%s</small></figcaption>\n<table>", *title ? " " : "",
		v->weight, v->weight == 1 ? "" : "s");
	fputs("<thead><tr><th>value<th><th>count<tbody>\n", out);
	for (size_t i = 0; i < v->bucket_count; i++) {
		if (i)
			write_gap(out, column, &v->buckets[i - 1], &v->buckets[i]);
		write_bucket(out, &v->buckets[i], most);
	}
	fputs("</table>", out);
	if (v->percentiles) {
		fputs("<p class=soft>", out);
		xml_text(out, v->percentiles, 1000);
	}
	fputs("</figure>\n", out);
}
