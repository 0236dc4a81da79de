/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/diagnostic.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/escape.h"

#define EXCERPT_MAX 100 /* columns of a source line */

static const char *const tag_names[] = {
#define DIAGNOSTIC(tag, meaning) #tag,
#include "base/diagnostic.def"
#undef DIAGNOSTIC
};

const char *diagnostic_tag_name(enum diagnostic_tag tag)
{
	return (size_t)tag < ARRAY_SIZE(tag_names) ? tag_names[tag] : "D_UNKNOWN";
}

void diagnose(struct diagnostics *d, struct range range, enum diagnostic_tag tag, const char *fmt,
	      ...)
{
	struct diagnostic new = { .tag = tag, .range = range, .where = d->where };
	va_list ap;
	va_start(ap, fmt);
	new.text = mem_vprintf(fmt, ap);
	va_end(ap);
	vector_push(&d->list, new);
}

void diagnostics_move(struct diagnostics *from, size_t first, struct diagnostics *to)
{
	for (size_t i = first; i < from->list.count; i++)
		vector_push(&to->list, from->list.items[i]);
	from->list.count = MIN(from->list.count, first);
}

void diagnostics_deinit(struct diagnostics *d)
{
	for (size_t i = 0; i < d->list.count; i++)
		free(d->list.items[i].text);
	vector_free(&d->list);
}

/* --- the remedy ------------------------------------------------------------------------------- */

#define QUESTION "did you mean "

/* Texts are "what is wrong: what to do"; what to do begins with one of these. */
static const char *const remedy_words[] = {
	"assign ", "call it ", "cast ",	    "compare ", "declare ", "elsewhere write ",
	"make ",   "name a ",  "name the ", "take ",	"use ",	    "write ",
};

static bool remedy_begins(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(remedy_words); i++)
		if (strncmp(text, remedy_words[i], strlen(remedy_words[i])) == 0)
			return true;
	return false;
}

char *diagnostic_remedy(const struct diagnostic *m)
{
	const char *text = strstr(m->text, QUESTION), *end = text ? strchr(text, '?') : NULL;
	if (end)
		return mem_strndup(text, (size_t)(end + 1 - text));
	for (text = m->text; (text = strpbrk(text, ":;"));) {
		text++;
		if (*text == ' ' && remedy_begins(text + 1)) {
			end = strstr(text, " near \""); /* where the parser was */
			return mem_strndup(text + 1,
					   end ? (size_t)(end - text - 1) : strlen(text + 1));
		}
	}
	return NULL;
}

/* --- one mistake ------------------------------------------------------------ */

static void name_print(const char *name, unsigned what, FILE *f)
{
	auto_strbuf struct strbuf shown = { 0 };
	escape_add(&shown, name, strlen(name), what);
	fputs(strbuf_text(&shown), f);
}

/*
 * A specifier is a whole program: it may be long, have lines, and be binary data.  Such a one is
 * printed with the first of its mistakes alone (AGAIN: another one).
 */
static void title_print(const struct source *src, bool again, FILE *f)
{
	bool is_specifier = src->kind == SOURCE_SPECIFIER;
	fputs(is_specifier ? "invalid probe specifier " : "failed to compile script ", f);
	bool is_long = strlen(src->name) > EXCERPT_MAX || strchr(src->name, '\n');
	if (is_specifier && again && is_long)
		fputs("(the same)", f);
	else
		name_print(src->name, is_specifier ? ESCAPE_CONTROLS : message_escapes(fileno(f)),
			   f);
	fputs(": ", f);
}

static void place_print(const char *file, unsigned line, FILE *f)
{
	fputc('"', f);
	name_print(file, message_escapes(fileno(f)), f);
	fprintf(f, "\", line %u: ", line);
}

/* Is it not a program, but what a program uses? */
static bool source_is_used(const struct source *src)
{
	return src->kind == SOURCE_LIBRARY || src->kind == SOURCE_NOTE;
}

/* The program that M is a mistake of, also if it is in a library that the program uses. */
static const struct source *source_shown(const struct diagnostics *d, const struct diagnostic *m)
{
	const struct source *src = m->range.source;
	return src && source_is_used(src) && d->program ? d->program : src;
}

/* A mistake of a provider's file alone, not of a program that uses it. */
static void provider_file_print(const struct diagnostic *m, FILE *f)
{
	fputs("provider file ", f);
	name_print(m->range.file ? m->range.file : m->range.source->name, ESCAPE_CONTROLS, f);
	if (m->range.line)
		fprintf(f, " line %u", m->range.line);
	fputs(": ", f);
}

/* BEFORE is what source_shown() was for the mistake that was printed before M. */
static void frame_print(const struct diagnostics *d, const struct diagnostic *m,
			const struct source *before, FILE *f, const char *program, bool errtags)
{
	const struct source *src = m->range.source, *shown = source_shown(d, m);
	bool is_provider_file = shown && shown == src && src->is_formulas;
	fprintf(f, "%s: ", program);
	if (is_provider_file)
		provider_file_print(m, f);
	else if (shown)
		title_print(shown, shown == before, f);
	if (errtags)
		fprintf(f, "[%s] ", diagnostic_tag_name(m->tag));
	if (!src || !m->range.line || is_provider_file)
		return;
	if (m->range.file)
		place_print(m->range.file, m->range.line, f);
	else if (source_is_used(src))
		place_print(src->name, m->range.line, f);
	else if (src->kind == SOURCE_FILE)
		fprintf(f, "line %u: ", m->range.line);
	else if (m->where)
		fprintf(f, "%s: ", m->where);
}

/* The part of a source line that is shown: offsets into the source's text. */
struct excerpt {
	size_t begin, end;
	bool cut_left, cut_right;
};

static struct excerpt excerpt_around(const struct source *src, size_t at)
{
	struct excerpt e = { .begin = at, .end = at };
	while (e.begin > 0 && src->text[e.begin - 1] != '\n')
		e.begin--;
	while (e.end < src->len && src->text[e.end] != '\n')
		e.end++;
	if (e.end > e.begin && src->text[e.end - 1] == '\r' && at < e.end)
		e.end--;

	if (at - e.begin > EXCERPT_MAX * 2 / 3) {
		e.cut_left = true;
		e.begin = at - EXCERPT_MAX / 2;
	}
	if (e.end - e.begin > EXCERPT_MAX) {
		e.cut_right = true;
		e.end = e.begin + EXCERPT_MAX;
	}
	return e;
}

static void excerpt_print(const struct range *r, FILE *f)
{
	const struct source *src = r->source;
	if (!src || !src->text || !r->line || r->begin > src->len)
		return;
	struct excerpt e = excerpt_around(src, r->begin);
	if (e.begin == e.end)
		return;

	fprintf(f, "%8u | %s", r->line, e.cut_left ? "..." : "");
	for (size_t i = e.begin; i < e.end; i++) {
		char c = src->text[i];
		fputc((c >= ' ' && c <= '~') || c == '\t' ? c : '.', f);
	}
	fprintf(f, "%s\n         | %s", e.cut_right ? "..." : "", e.cut_left ? "   " : "");
	for (size_t i = e.begin; i < r->begin; i++)
		fputc(src->text[i] == '\t' ? '\t' : ' ', f);
	fputc('^', f);
	for (size_t i = r->begin + 1; i < r->end && i < e.end; i++)
		fputc('~', f);
	fputc('\n', f);
}

/* --- all of them ------------------------------------------------------------ */

struct placed {
	const struct diagnostic *mistake;
	size_t source; /* the first mistake in the same source: sources keep their order */
};

static struct placed diagnostic_placed(const struct diagnostics *d, size_t i)
{
	size_t first = 0;
	while (d->list.items[first].range.source != d->list.items[i].range.source)
		first++;
	return (struct placed) { &d->list.items[i], first };
}

/* By source, then by place; at one place in the order of the diagnosis. */
static int placed_compare(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;
	uint32_t a_begin = a->mistake->range.begin, b_begin = b->mistake->range.begin;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a_begin != b_begin)
		return a_begin < b_begin ? -1 : 1;
	return a->mistake < b->mistake ? -1 : a->mistake > b->mistake;
}

static bool diagnostic_repeats(const struct diagnostic *a, const struct diagnostic *b)
{
	return a->tag == b->tag && a->range.source == b->range.source &&
	       a->range.begin == b->range.begin && string_equal(a->text, b->text);
}

/* Does a mistake before number I, at the same place, say the same? */
static bool already_shown(const struct placed *sorted, size_t i)
{
	const struct diagnostic *m = sorted[i].mistake;
	for (size_t j = i; j-- > 0 && sorted[j].mistake->range.begin == m->range.begin;)
		if (diagnostic_repeats(sorted[j].mistake, m))
			return true;
	return false;
}

/* Is R on the first line of a script that has text, but for #!?  Then its beginning is no D. */
static bool range_is_at_the_top(const struct range *r)
{
	const struct source *src = r->source;
	if (!src || src->kind != SOURCE_FILE || r->begin > src->len)
		return false;
	size_t at = 0;
	if (src->len > 2 && memcmp(src->text, "#!", 2) == 0)
		while (at < r->begin && src->text[at] != '\n')
			at++;
	bool has_text = false;
	for (; at < r->begin; at++) {
		if (has_text && src->text[at] == '\n')
			return false;
		has_text |= !strchr(" \t\r\n", src->text[at]);
	}
	return true;
}

static void diagnostics_sort(struct diagnostics *d)
{
	size_t count = d->list.count, kept = 0;
	auto_free struct placed *sorted = mem_alloc(count * sizeof(*sorted));
	auto_free struct diagnostic *list = mem_alloc(count * sizeof(*list));
	auto_free bool *repeats = mem_alloc(count * sizeof(*repeats));
	for (size_t i = 0; i < count; i++)
		sorted[i] = diagnostic_placed(d, i);
	qsort(sorted, count, sizeof(*sorted), placed_compare);
	for (size_t i = 0; i < count; i++)
		repeats[i] = already_shown(sorted, i);
	for (size_t i = 0; i < count; i++)
		if (repeats[i])
			free(sorted[i].mistake->text);
		else
			list[kept++] = *sorted[i].mistake;
	if (kept)
		memcpy(d->list.items, list, kept * sizeof(*list));
	d->list.count = kept;
}

void diagnostics_print(struct diagnostics *d, FILE *f, const char *program, bool errtags,
		       size_t most)
{
	const struct source *before = NULL;
	diagnostics_sort(d);
	for (size_t i = 0; i < MIN(d->list.count, most); i++) {
		const struct diagnostic *m = &d->list.items[i];
		frame_print(d, m, before, f, program, errtags);
		before = source_shown(d, m);
		auto_strbuf struct strbuf text = { 0 };
		escape_add(&text, m->text, strlen(m->text), message_escapes(fileno(f)));
		fprintf(f, "%s\n", strbuf_text(&text));
		excerpt_print(&m->range, f);
	}
	size_t hidden = d->list.count - MIN(d->list.count, most);
	if (hidden)
		fprintf(f, "%s: %zu more mistake%s not shown%s\n", program, hidden,
			hidden == 1 ? " is" : "s are",
			range_is_at_the_top(&d->list.items[0].range) ? ": the file looks like no D"
								     : "");
	if (d->gave_up)
		fprintf(f, "%s: too many mistakes: the rest was not read\n", program);
}
