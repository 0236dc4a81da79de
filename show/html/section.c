/* SPDX-License-Identifier: BSD-2-Clause */
/* The sections of aggregations: pictures, and tables of their rows */
#include <inttypes.h>
#include <string.h>

#include "show/flame.h"
#include "show/html/page.h"
#include "show/map.h"
#include "show/svg.h"
#include "show/value.h"
#include "show/xml.h"

#define BOXES_MOST 2500	 /* of a flame graph */
#define COLUMNS_MOST 260 /* of a heat map */
#define CELLS_MOST 5000
#define SECTIONS_MOST 200
#define PICTURES_MOST 16
#define ROWS_LEAST 20000 /* bytes that each table may have */

/* --- pictures -------------------------------------------------------------------------------- */

/* What is above TOP is left out: the title of a picture that is a file. */
static bool picture_begin(struct page *p, const char *class, double top, double end)
{
	if (p->pictures++ >= PICTURES_MOST)
		return false;
	fprintf(p->out,
		"<div class=picture><svg class=\"%s\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 %.0f %.0f %.0f\">\n",
		class, SVG_WIDTH, end - top, top, SVG_WIDTH, end - top);
	return true;
}

static void picture_end(struct page *p)
{
	fputs("</svg></div>\n", p->out);
}

void page_write_flame(struct page *p, const char *name)
{
	struct stack_set set;
	struct flame f;
	if (!stacks_find(p->stacks, p->show, name, &set))
		return;
	flame_plan(&f, &set, BOXES_MOST);
	auto_free char *title = flame_title(&f), *missing = flame_missing(&f);
	if (!picture_begin(p, "flamegraph", 0, flame_height(&f) + SVG_LINE / 2))
		return;
	fputs("<text x=\"3\" y=\"30\">", p->out);
	xml_text(p->out, title, 140);
	fputs("</text>\n", p->out);
	flame_write(p->out, &f);
	picture_end(p);
	if (missing) {
		fputs("<p class=left>", p->out);
		xml_text(p->out, missing, SIZE_MAX);
		fputs("</p>\n", p->out);
	}
}

/* The heat map of the aggregation NAME, if a tick has printed it. */
static void write_map(struct page *p, const char *name)
{
	struct histogram *h = histograms_find(p->histograms, name);
	if (!h || h->windows.count < 2)
		return;
	histogram_note(h, p->show);
	histogram_join(h, p->show, COLUMNS_MOST, CELLS_MOST);
	if (!picture_begin(p, "heatmap", SVG_TOP, map_height(h) + SVG_LINE / 2))
		return;
	map_write(p->out, p->show, h);
	picture_end(p);
}

/* --- sections -------------------------------------------------------------------------------- */

/* "@a[pid] = count(), @b[pid] = avg(arg0)".  The caller frees it. */
static char *table_title(const struct page *p, const struct table *t)
{
	auto_strbuf struct strbuf ret = { 0 };
	for (size_t i = 0; i < t->columns.count; i++) {
		const struct column *c = &t->columns.items[i];
		auto_free char *title = show_title(p->show, c->name, c->function);
		strbuf_puts(&ret, i ? ", " : "");
		strbuf_puts(&ret, title);
		if (c->normal)
			strbuf_printf(&ret, " / %s", c->normal);
	}
	return strbuf_take(&ret);
}

static void write_when(struct page *p, const struct printing *printing)
{
	if (printing->time)
		page_write_time(p, printing->time);
	else
		fputs("the end", p->out);
}

/* Printings before the last one, the latest first, each to be opened. */
static void write_earlier(struct page *p, const struct table *t)
{
	size_t i = t->printings.count - 1;
	fputs("<details class=earlier><summary>Earlier printings</summary>\n", p->out);
	for (; i > 0 && p->earlier_left > 0; i--) {
		const struct printing *printing = &t->printings.items[i - 1];
		fputs("<details><summary>", p->out);
		write_when(p, printing);
		fputs("</summary>\n", p->out);
		printing_write(p, t, printing, &p->earlier_left);
		fputs("</details>\n", p->out);
	}
	uint64_t others = t->left_out + i;
	if (others)
		fprintf(p->out, "<p class=left>%" PRIu64 " earlier ones are left out</p>\n",
			others);
	fputs("</details>\n", p->out);
}

static void write_last(struct page *p, const struct table *t)
{
	const struct printing *last = &t->printings.items[t->printings.count - 1];
	uint64_t all = t->printings.count + t->left_out;
	long left = MAX(p->rows_left, ROWS_LEAST), before = left;
	if (all > 1) {
		fprintf(p->out, "<p class=soft>The last of %" PRIu64 " printings, at ", all);
		write_when(p, last);
		fputs("</p>\n", p->out);
	}
	printing_write(p, t, last, &left);
	p->rows_left -= before - left;
}

/* Pictures show an aggregation whole, also if other tables have it. */
static void write_pictures(struct page *p, const struct table *t)
{
	for (size_t i = 0; i < t->columns.count; i++) {
		const char *name = t->columns.items[i].name;
		if (!show_is_wanted(p->show, name) || hash_get_string(p->drawn, name))
			continue;
		hash_put_string(p->drawn, name, p);
		write_map(p, name);
		page_write_flame(p, name);
	}
}

static void write_section(struct page *p, const struct table *t)
{
	auto_free char *title = table_title(p, t);
	section_begin(p, title);
	write_pictures(p, t);
	if (t->has_stacks)
		fputs("<details><summary>Table</summary>\n", p->out);
	write_last(p, t);
	if (t->has_stacks)
		fputs("</details>\n", p->out);
	if (t->printings.count > 1)
		write_earlier(p, t);
	if (t->has_cpus)
		fputs("<p class=left>values of each CPU are left out</p>\n", p->out);
	section_end(p);
}

void page_write_tables(struct page *p)
{
	size_t count = MIN(p->tables.list.count, (size_t)SECTIONS_MOST);
	tables_finish(&p->tables);
	for (size_t i = 0; i < count; i++)
		write_section(p, p->tables.list.items[i]);
	if (count < p->tables.list.count)
		fprintf(p->out, "<p class=left>%zu other aggregations are left out</p>\n",
			p->tables.list.count - count);
	if (p->pictures > PICTURES_MOST)
		fprintf(p->out, "<p class=left>%u pictures are left out</p>\n",
			p->pictures - PICTURES_MOST);
}
