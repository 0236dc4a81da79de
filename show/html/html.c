/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html - a run as one page: what was traced, where and when, all aggregations, the records, and
 * what is missing
 *
 * No other file, no network: pictures are SVG in the page.  Its scripts zoom pictures and sort
 * tables; without them the page is whole, too.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "show/flame.h"
#include "show/html/page.h"
#include "show/map.h"
#include "show/value.h"
#include "show/xml.h"

#define ROWS_BYTES (1100 << 10)
#define EARLIER_BYTES (300 << 10)
#define PROGRAMS_MOST 20
#define PROGRAM_MOST 65536    /* characters */
#define PROGRAM_LINES_OPEN 24 /* a longer program is to be opened */

static const char style[] =
#include "show/html/page.css.inc"
	;
static const char script[] =
#include "show/html/page.js.inc"
	;

/* --- what comes ------------------------------------------------------------------------------ */

static void begin(struct show *s)
{
	struct page *p = s->state = mem_zalloc(sizeof(*p));
	p->show = s;
	p->stacks = stacks_new(false);
	p->histograms = histograms_new();
	p->drawn = hash_new();
	tables_init(&p->tables);
	records_init(&p->records);
	losses_init(&p->losses);
}

static void page_free(struct page *p)
{
	stacks_free(p->stacks);
	histograms_free(p->histograms);
	hash_free(p->drawn);
	tables_deinit(&p->tables);
	records_deinit(&p->records);
	losses_deinit(&p->losses);
	for (size_t i = 0; i < p->titles.count; i++)
		free(p->titles.items[i]);
	vector_free(&p->titles);
	free(p);
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	struct page *p = s->state;
	stacks_add_line(p->stacks, s, type, line);
	histograms_add_line(p->histograms, s, type, line);
	if (string_equal(type, "aggregation"))
		tables_add(&p->tables, s, line);
	else if (string_equal(type, "record"))
		records_add(&p->records, line);
	else if (string_equal(type, "drop"))
		losses_add_drop(&p->losses, line);
	else if (string_equal(type, "error"))
		losses_add_error(&p->losses, line);
}

/* --- parts ----------------------------------------------------------------------------------- */

void section_begin(struct page *p, const char *title)
{
	fprintf(p->out, "<section id=s%zu>\n<h2>", p->titles.count);
	xml_text(p->out, title, 200);
	fputs("</h2>\n", p->out);
	vector_push(&p->titles, mem_strdup(title));
}

void section_end(struct page *p)
{
	fputs("</section>\n", p->out);
}

static void write_local(FILE *out, const struct show *s, uint64_t time, const char *format)
{
	uint64_t ns = time + (uint64_t)s->wall_offset;
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm day;
	char text[64];
	if (localtime_r(&seconds, &day) && strftime(text, sizeof(text), format, &day))
		xml_text(out, text, SIZE_MAX);
}

void page_write_time(struct page *p, uint64_t time)
{
	uint64_t ns = time + (uint64_t)p->show->wall_offset;
	write_local(p->out, p->show, time, "%H:%M:%S");
	fprintf(p->out, ".%06" PRIu64, ns % 1000000000 / 1000);
}

static void write_losses(struct page *p)
{
	const struct losses *l = &p->losses;
	if (!l->list.count)
		return;
	section_begin(p, "Lost data and faults");
	fputs("<table class=rows><thead><tr><th class=n>count<th>what<th>where<tbody>\n", p->out);
	for (size_t i = 0; i < l->list.count; i++) {
		const struct loss *loss = &l->list.items[i];
		fprintf(p->out, "<tr><td class=n>%" PRIu64 "<td>", loss->count);
		xml_text(p->out, loss->text, 500);
		fputs("<td>", p->out);
		xml_text(p->out, loss->place, 300);
		fputc('\n', p->out);
	}
	fputs("</table>\n", p->out);
	if (l->others)
		fprintf(p->out, "<p class=left>%" PRIu64 " of other kinds are left out</p>\n",
			l->others);
	section_end(p);
}

/* --- head ------------------------------------------------------------------------------------ */

/* The member NAME of the first line, with AFTER, if it is there. */
static void write_fact(FILE *out, const struct show *s, const char *before, const char *name,
		       const char *after)
{
	struct json_object *v = value_member(s->start, name);
	auto_strbuf struct strbuf text = { 0 };
	if (!v)
		return;
	value_text(v, &text);
	fputs(before, out);
	xml_text(out, strbuf_text(&text), 200);
	fputs(after, out);
}

static void write_period(FILE *out, const struct show *s)
{
	uint64_t ns = s->last_time - s->first_time;
	if (!s->last_time)
		return;
	fputs("<li>", out);
	write_local(out, s, s->first_time, "%Y-%m-%d %H:%M:%S");
	fputs(" to ", out);
	write_local(out, s, s->last_time, "%H:%M:%S %Z");
	fprintf(out, " (%" PRIu64 ".%03" PRIu64 " s)", ns / 1000000000, ns / 1000000 % 1000);
}

static void write_facts(FILE *out, const struct show *s)
{
	fputs("<ul class=facts>\n", out);
	write_period(out, s);
	write_fact(out, s, "<li>Linux ", "kernel", "");
	write_fact(out, s, "<li>", "machine", "");
	write_fact(out, s, "<li>", "cpus", " CPUs");
	if (s->is_ended && !s->drops && !s->errors && !s->cuts)
		fputs("<li class=good>no data were lost", out);
	fputs("</ul>\n", out);
}

static void write_command(FILE *out, const struct show *s)
{
	if (!s->command)
		return;
	fputs("<pre class=command>", out);
	xml_text(out, s->command, PROGRAM_MOST);
	fputs("</pre>\n", out);
}

static void write_program(FILE *out, struct json_object *program)
{
	auto_strbuf struct strbuf text = { 0 }, file = { 0 };
	size_t lines = 1;
	value_lines(value_member(program, "text"), &text);
	for (size_t i = 0; i < text.len; i++)
		lines += text.text[i] == '\n';
	fprintf(out, "<details class=program%s><summary>Program",
		lines > PROGRAM_LINES_OPEN ? "" : " open");
	if (value_member(program, "file")) {
		fputc(' ', out);
		value_text(value_member(program, "file"), &file);
		xml_text(out, strbuf_text(&file), 200);
	}
	fputs("</summary><pre>", out);
	xml_lines(out, strbuf_text(&text), PROGRAM_MOST);
	fputs("</pre></details>\n", out);
}

/* Those of -n are in the command line. */
static void write_programs(FILE *out, const struct show *s)
{
	struct json_object *list = value_member(s->start, "programs");
	for (size_t i = 0; i < MIN(value_count(list), (size_t)PROGRAMS_MOST); i++) {
		struct json_object *program = json_object_array_get_idx(list, i);
		if (value_member(program, "file") || !s->command)
			write_program(out, program);
	}
}

static void write_notes(FILE *out, const struct show *s)
{
	if (!s->notes.count)
		return;
	fputs("<ul class=notes>\n", out);
	for (size_t i = 0; i < s->notes.count; i++) {
		fputs("<li>", out);
		xml_text(out, s->notes.items[i], 1000);
		fputc('\n', out);
	}
	fputs("</ul>\n", out);
}

static void write_contents(FILE *out, const struct page *p)
{
	if (p->titles.count < 2)
		return;
	fputs("<nav>\n", out);
	for (size_t i = 0; i < p->titles.count; i++) {
		fprintf(out, "<a href=#s%zu>", i);
		xml_text(out, p->titles.items[i], 60);
		fputs("</a>\n", out);
	}
	fputs("</nav>\n", out);
}

static void write_head(FILE *out, const struct page *p)
{
	const struct show *s = p->show;
	fputs("<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
	      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
	      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
	      out);
	xml_text(out, s->command ? s->command : "dtrace", 120);
	fprintf(out, "</title>\n<style>\n%s%s%s</style>\n<header>\n<h1>dtrace", style, flame_style,
		map_style);
	write_fact(out, s, " on ", "host", "");
	fputs("</h1>\n", out);
	write_facts(out, s);
	write_command(out, s);
	write_programs(out, s);
	fputs("</header>\n", out);
	write_notes(out, s);
	write_contents(out, p);
}

/* --- the document ---------------------------------------------------------------------------- */

/* The parts, which are written before the head: they add notes. */
static char *page_parts(struct page *p)
{
	char *ret;
	size_t len;
	p->rows_left = ROWS_BYTES;
	p->earlier_left = EARLIER_BYTES;
	p->out = open_memstream(&ret, &len);
	page_write_tables(p);
	page_write_records(p);
	write_losses(p);
	if (!p->titles.count)
		fputs("<p class=soft>Nothing was recorded.</p>\n", p->out);
	fclose(p->out);
	return ret;
}

static struct error *end(struct show *s, FILE *out)
{
	struct page *p = s->state;
	struct error *err = NULL;
	auto_free char *parts = page_parts(p);
	if (s->wanted && !p->tables.list.count)
		err = error_new("@%s was not printed", s->wanted);
	else if (!s->runs && !p->titles.count)
		err = error_new("there is nothing to show: the stream has no first line, no "
				"aggregation and no record");
	if (!err) {
		write_head(out, p);
		fputs(parts, out);
		fprintf(out, "<script>\n%s%s</script>\n", flame_script, script);
	}
	page_free(p);
	return err;
}

const struct form form = { "html", begin, line, end };
