/* SPDX-License-Identifier: BSD-2-Clause */
/* One row in full: its keys, with the frames of stacks; its values, with the rows of histograms */
#include <inttypes.h>
#include <string.h>

#include "show/top/cells.h"
#include "show/top/screen.h"
#include "show/top/top.h"

#define BAR_CELLS 32

/* A page that may be longer than the screen. */
struct lengthy {
	size_t line;	    /* the next one */
	size_t begin, last; /* lines that are on the screen */
};

static void lengthy_line(struct lengthy *p, const char *text, enum style style)
{
	if (p->line >= p->begin && p->line < p->last)
		screen_text(1 + p->line - p->begin, 0, screen_width(), text, style);
	p->line++;
}

__attribute__((format(printf, 3, 4))) static void lengthy_print(struct lengthy *p, enum style style,
								const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	auto_free char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	lengthy_line(p, text, style);
}

static void frames_draw(struct lengthy *p, const struct frames *f)
{
	for (size_t i = 0; i < f->count; i++)
		lengthy_print(p, f->is_kernel ? STYLE_KERNEL : STYLE_USER, "    %s", f->names[i]);
	if (f->is_truncated)
		lengthy_line(p, "    [callers missing]", STYLE_FAINT);
}

static void keys_draw(struct lengthy *p, const struct view *v, const struct row *row)
{
	for (unsigned i = 0; i < row->key_count; i++) {
		bool is_named = i < v->key_names.count;
		auto_free char *name =
			is_named ? mem_strdup(v->key_names.items[i]) : mem_printf("key %u", i + 1);
		if (row->frames[i].count || row->frames[i].is_truncated) {
			lengthy_print(p, STYLE_TITLE, "%s, innermost first", name);
			frames_draw(p, &row->frames[i]);
		} else {
			lengthy_print(p, STYLE_TITLE, "%s: %s", name, row->texts[i]);
		}
	}
}

static void bucket_draw(struct lengthy *p, const struct amount_bucket *b, double most)
{
	char bar[BAR_CELLS + 1];
	size_t len = (size_t)((double)b->count / most * BAR_CELLS);
	memset(bar, '#', len);
	bar[len] = 0;
	auto_free char *least =
		b->has_least ? mem_printf("%" PRId64, b->least) : mem_strdup("below");
	auto_free char *last = b->has_most ? mem_printf("%" PRId64, b->most) : mem_strdup("above");
	lengthy_print(p, STYLE_PLAIN, "%14s .. %-14s %10" PRIu64 " %s", least, last, b->count, bar);
}

static void amount_draw(struct lengthy *p, const struct show *s, const struct view *v,
			const struct row *row, unsigned i)
{
	const struct amount *m = &row->amounts[i];
	double most = 1;
	if (!m->is_known)
		return;
	auto_free char *rate =
		m->has_rate ? mem_printf(", %.2f each second", m->rate) : mem_strdup("");
	auto_free char *title = show_title(s, v->names[i], v->functions[i]);
	lengthy_print(p, STYLE_TITLE, "%s: %.0Lf%s%s", title, m->number,
		      v->kinds[i] == FUNCTION_HISTOGRAM ? " values" : "", rate);
	for (size_t k = 0; k < m->bucket_count; k++)
		most = MAX(most, (double)m->buckets[k].count);
	for (size_t k = 0; k < m->bucket_count; k++)
		bucket_draw(p, &m->buckets[k], most);
}

static void row_draw(struct lengthy *p, const struct show *s, const struct view *v,
		     const struct row *row)
{
	for (unsigned i = 0; i < v->amount_count; i++)
		amount_draw(p, s, v, row, i);
	keys_draw(p, v, row);
}

void row_page_draw(struct top *t)
{
	const struct view *v = top_view(t);
	size_t lines = screen_height() > 2 ? screen_height() - 2 : 1;
	top_list_make(t);
	const struct row *row = NULL;
	for (size_t i = 0; v && v->table && i < t->list.rows.count; i++)
		if (top_is_selected(t, t->list.rows.items[i]))
			row = t->list.rows.items[i];
	struct lengthy p = { 0 };
	if (row) /* how long is it? */
		row_draw(&p, t->show, v, row);
	t->scroll = MIN(t->scroll, p.line > lines ? p.line - lines : 0);
	p = (struct lengthy) { .begin = t->scroll, .last = t->scroll + lines };
	if (row)
		row_draw(&p, t->show, v, row);
	else
		lengthy_line(&p, "the row is gone", STYLE_FAINT);
}
