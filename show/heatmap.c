/* SPDX-License-Identifier: BSD-2-Clause */
/* heatmap - a histogram that a tick prints, as one picture: SVG */
#include "show/map.h"
#include "show/svg.h"

static void write_picture(struct show *s, struct histogram *h, FILE *out)
{
	histogram_join(h, s, MAP_COLUMNS_MOST, SIZE_MAX);
	auto_free char *title = show_title(s, h->name, h->function);
	double foot = map_height(h);
	svg_begin(out, s, "heatmap", title, map_style, foot + svg_notes_height(s));
	map_write(out, s, h);
	svg_notes(out, s, foot);
	fputs("</svg>\n", out);
}

static struct error *end(struct show *s, FILE *out)
{
	struct histogram *h;
	struct error *err = histograms_choose(s->state, s, &h);
	if (!err)
		write_picture(s, h, out);
	histograms_free(s->state);
	return err;
}

const struct form form = { "heatmap", histograms_begin, histograms_line, end };
