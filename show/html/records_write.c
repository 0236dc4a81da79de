/* SPDX-License-Identifier: BSD-2-Clause */
/* The section of the records: a row for each that has printed something */
#include <inttypes.h>

#include "show/html/page.h"
#include "show/xml.h"

#define TEXT_MOST 4000 /* characters of a record */

static void write_record(struct page *p, const struct record *r)
{
	fputs("<tr><td class=n>", p->out);
	if (r->time)
		page_write_time(p, r->time);
	fputs("<td class=n>", p->out);
	if (r->has_cpu)
		fprintf(p->out, "%" PRIu64, r->cpu);
	fputs("<td>", p->out);
	xml_text(p->out, r->probe, 200);
	if (p->records.has_threads) {
		fputs("<td>", p->out);
		xml_text(p->out, r->thread, 100);
	}
	fputs("<td class=t>", p->out);
	xml_lines(p->out, r->text, TEXT_MOST);
	fputc('\n', p->out);
}

static void write_list(struct page *p)
{
	const struct records *r = &p->records;
	fprintf(p->out,
		"<table class=rows><thead><tr><th>time<th "
		"class=n>CPU<th>probe%s<th>output<tbody>\n",
		r->has_threads ? "<th>thread" : "");
	for (size_t i = 0; i < r->first.count; i++)
		write_record(p, &r->first.items[i]);
	if (r->left_out)
		fprintf(p->out,
			"<tbody><tr><td colspan=5 class=left>%" PRIu64
			" records are left out here<tbody>\n",
			r->left_out);
	for (size_t i = r->last_begin; i < r->last.count; i++)
		write_record(p, &r->last.items[i]);
	fputs("</table>\n", p->out);
}

void page_write_records(struct page *p)
{
	const struct records *r = &p->records;
	if (!r->count)
		return;
	section_begin(p, "Records");
	if (!p->show->wanted)
		page_write_flame(p, NULL);
	fprintf(p->out, "<p class=soft>%" PRIu64 " record%s printed something", r->count,
		r->count == 1 ? " has" : "s have");
	if (r->left_out)
		fputs("; the first and the last of them are shown", p->out);
	fputs("</p>\n", p->out);
	write_list(p);
	section_end(p);
}
