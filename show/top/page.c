/* SPDX-License-Identifier: BSD-2-Clause */
/* What is on the screen: the title, a table or text or help, the last message */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "show/top/cells.h"
#include "show/top/screen.h"
#include "show/top/top.h"

#define KEY_CELLS_LEAST 6
#define NUMBER_CELLS_LEAST 8 /* so that columns seldom move */
#define SHAPE_CELLS 18

/* --- the lines around it --------------------------------------------------------------------- */

static void time_text(char ret[16])
{
	time_t now = time(NULL);
	struct tm tm;
	localtime_r(&now, &tm);
	strftime(ret, 16, "%H:%M:%S", &tm);
}

static void title_draw(const struct top *t)
{
	char clock[16];
	const char *command = t->show->command ? t->show->command : "dtrace";
	size_t width = screen_width();
	time_text(clock);
	auto_free char *state = mem_printf(" %s%s",
					   t->is_ending	  ? "ending  "
					   : t->is_paused ? "PAUSED  "
							  : "",
					   clock);
	screen_text(0, 0, width, command, STYLE_TITLE);
	if (strlen(state) < width)
		screen_text(0, width - strlen(state), strlen(state), state, STYLE_TITLE);
}

/* Which view, of how many; what is left out of it. */
static void subtitle_draw(const struct top *t, const struct view *v)
{
	auto_strbuf struct strbuf text = { 0 };
	size_t all = t->views.list.count + (t->text.count > 0);
	strbuf_puts(&text, v ? v->title : "text");
	if (all > 1)
		strbuf_printf(&text, "  %zu of %zu", t->view + 1, all);
	if (v)
		strbuf_printf(&text, "  %zu row%s", t->list.rows.count,
			      t->list.rows.count == 1 ? "" : "s");
	if (v && t->list.keys && t->list.keys < v->key_count)
		strbuf_printf(&text, "  folded to %u key%s", t->list.keys,
			      t->list.keys == 1 ? "" : "s");
	if (t->is_typing || t->list.filter.len)
		strbuf_printf(&text, "  /%s%s", strbuf_text(&t->list.filter),
			      t->is_typing ? "_" : "");
	screen_text(1, 0, screen_width(), strbuf_text(&text), STYLE_PLAIN);
}

/* The last message, or the keys. */
static void foot_draw(const struct top *t)
{
	size_t y = screen_height() - 1;
	const char *message = t->messages.count > t->messages_seen
				      ? lines_at(&t->messages, t->messages.count - 1)
				      : NULL;
	if (message)
		screen_text(y, 0, screen_width(), message, STYLE_MESSAGE);
	else
		screen_text(
			y, 0, screen_width(),
			"q end  ? help  < > r sort  / filter  f fold  Enter row  Tab view  Space "
			"pause",
			STYLE_FAINT);
}

/* --- the table ------------------------------------------------------------------------------- */

static void column_text(const struct column *c, const struct row *row, char ret[32])
{
	const struct amount *m = &row->amounts[c->index];
	*ret = 0;
	if (c->kind == COLUMN_RATE && m->has_rate)
		cells_rate(m->rate, ret);
	else if (c->kind != COLUMN_RATE && !m->is_known)
		strcpy(ret, "-");
	else if (c->kind == COLUMN_AMOUNT)
		cells_number(m->number, ret);
	else if (c->kind == COLUMN_P50)
		cells_number(amount_percentile(m, 50), ret);
	else if (c->kind == COLUMN_P99)
		cells_number(amount_percentile(m, 99), ret);
}

/* Where columns are. */
struct layout {
	VECTOR(size_t) widths;
	size_t first, last; /* rows of the list */
};

/* The cells that the title, with a mark, and each row on the screen need. */
static size_t column_content(const struct list *l, const struct column *c, const struct layout *y)
{
	size_t ret = cells_count(c->title) + 2;
	if (c->kind == COLUMN_SHAPE)
		return SHAPE_CELLS;
	if (c->kind != COLUMN_KEY)
		ret = MAX(ret, (size_t)NUMBER_CELLS_LEAST);
	for (size_t i = y->first; i < y->last; i++) {
		char number[32];
		const char *text = row_text(l->rows.items[i], c->index);
		if (c->kind != COLUMN_KEY) {
			column_text(c, l->rows.items[i], number);
			text = number;
		}
		ret = MAX(ret, cells_count(text));
	}
	return ret;
}

/* The widest key column. */
static size_t widest_key(const struct list *l, const struct layout *y)
{
	size_t ret = 0;
	for (size_t i = 1; i < l->columns.count; i++)
		if (l->columns.items[i].kind == COLUMN_KEY &&
		    y->widths.items[i] > y->widths.items[ret])
			ret = i;
	return ret;
}

/* The keys have what the values leave; the last column of values that does not fit is not there. */
static void layout_make(struct layout *y, const struct list *l)
{
	size_t sum = 0, room = screen_width();
	for (size_t i = 0; i < l->columns.count; i++) {
		vector_push(&y->widths, column_content(l, &l->columns.items[i], y));
		sum += y->widths.items[i] + 1;
	}
	while (sum > room + 1 && l->columns.items[0].kind == COLUMN_KEY) {
		size_t *widest = &y->widths.items[widest_key(l, y)];
		if (*widest <= KEY_CELLS_LEAST)
			break;
		size_t less = MIN(sum - room - 1, (*widest - KEY_CELLS_LEAST + 1) / 2);
		*widest -= less;
		sum -= less;
	}
}

static void cell_draw(const struct column *c, const struct row *row, size_t y, size_t x,
		      size_t width, enum style style)
{
	char text[32];
	wchar_t shape[SHAPE_CELLS + 1];
	if (c->kind == COLUMN_KEY) {
		screen_text(y, x, width, row_text(row, c->index), style);
	} else if (c->kind == COLUMN_SHAPE) {
		cells_shape(&row->amounts[c->index], MIN(width, (size_t)SHAPE_CELLS), shape);
		screen_characters(y, x, shape, style);
	} else {
		column_text(c, row, text);
		screen_text_right(y, x, width, text, style);
	}
}

/* The part of WIDTH at X that is on the screen. */
static size_t visible(size_t x, size_t width)
{
	return x >= screen_width() ? 0 : MIN(width, screen_width() - x);
}

static void head_draw(const struct list *l, const struct layout *y)
{
	size_t x = 0;
	screen_text(2, 0, screen_width(), "", STYLE_HEAD);
	for (size_t i = 0; i < l->columns.count; i++) {
		const struct column *c = &l->columns.items[i];
		bool is_sorted = i == list_sorted(l),
		     is_up = (c->kind == COLUMN_KEY) != l->is_reversed;
		auto_free char *title = mem_printf("%s%s", c->title,
						   !is_sorted ? ""
						   : is_up    ? " ^"
							      : " v");
		size_t width = visible(x, y->widths.items[i]);
		if (c->kind == COLUMN_KEY || c->kind == COLUMN_SHAPE)
			screen_text(2, x, width, title, is_sorted ? STYLE_SORTED : STYLE_HEAD);
		else
			screen_text_right(2, x, width, title,
					  is_sorted ? STYLE_SORTED : STYLE_HEAD);
		x += y->widths.items[i] + 1;
	}
}

static void row_draw(const struct list *l, const struct layout *lay, size_t i, size_t y,
		     bool is_selected)
{
	enum style style = is_selected ? STYLE_SELECTED : STYLE_PLAIN;
	size_t x = 0;
	if (is_selected)
		screen_text(y, 0, screen_width(), "", style);
	for (size_t k = 0; k < l->columns.count; k++) {
		size_t width = visible(x, lay->widths.items[k]);
		if (width)
			cell_draw(&l->columns.items[k], l->rows.items[i], y, x, width, style);
		x += lay->widths.items[k] + 1;
	}
}

/* The selected row stays the same one while others come and go. */
static void selection_find(struct top *t)
{
	for (size_t i = 0; i < t->list.rows.count; i++)
		if (top_is_selected(t, t->list.rows.items[i]))
			t->line = i;
	if (t->line >= t->list.rows.count)
		t->line = t->list.rows.count ? t->list.rows.count - 1 : 0;
}

static void table_draw(struct top *t)
{
	struct layout lay = { 0 };
	size_t lines = screen_height() > 4 ? screen_height() - 4 : 1;
	top_list_make(t);
	selection_find(t);
	if (t->line < t->scroll)
		t->scroll = t->line;
	if (t->line >= t->scroll + lines)
		t->scroll = t->line - lines + 1;
	lay.first = t->scroll;
	lay.last = MIN(t->list.rows.count, t->scroll + lines);
	layout_make(&lay, &t->list);
	head_draw(&t->list, &lay);
	for (size_t i = lay.first; i < lay.last; i++)
		row_draw(&t->list, &lay, i, 3 + i - lay.first, i == t->line && t->selected);
	vector_free(&lay.widths);
}

/* --- text, help ------------------------------------------------------------------------------ */

/* The last lines; t->scroll lines before them, if there are so many. */
static void text_draw(struct top *t)
{
	size_t lines = screen_height() > 3 ? screen_height() - 3 : 1;
	uint64_t end = t->is_paused ? t->text_end : t->text.count, first = lines_first(&t->text);
	uint64_t kept = end > first ? end - first : 0;
	t->scroll = MIN(t->scroll, kept > lines ? (size_t)(kept - lines) : 0);
	end -= t->scroll;
	uint64_t begin = end - MIN(kept, (uint64_t)lines);
	for (uint64_t i = begin; i < end; i++) {
		const char *line = lines_at(&t->text, i);
		screen_text(2 + (size_t)(i - begin), 0, screen_width(), line ? line : "",
			    STYLE_PLAIN);
	}
}

static void help_draw(void)
{
	static const char *const lines[] = {
		"Up Down PgUp PgDn Home End   select a row (j k, too)",
		"Enter                        the row in full: its stack, its histogram",
		"< >                          sort by the column before, after",
		"1 ... 9                      sort by this column",
		"r                            reverse the order",
		"/                            show rows with this text only; Escape ends it",
		"f                            fold: one key less, then all again",
		"Tab Shift-Tab                the next, the previous table; the text of records",
		"Space                        pause, go on: tracing goes on meanwhile",
		"m                            forget the message in the last line",
		"q                            end tracing, as ^C does",
		"",
		"/s: how much the value has grown in each second since the table before",
		"p50, p99: half of the values, 99 % of them are below this",
		"",
		"Any key goes back.",
	};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		screen_text(2 + i, 1, screen_width() - 1, lines[i], STYLE_PLAIN);
}

static void view_draw(struct top *t)
{
	const struct view *v = top_view(t);
	if (v && v->table)
		table_draw(t);
	else if (t->text.count)
		text_draw(t);
	else
		screen_text(3, 0, screen_width(), "nothing has been recorded yet", STYLE_FAINT);
	subtitle_draw(t, v && v->table ? v : NULL);
}

void page_draw(struct top *t)
{
	screen_begin();
	title_draw(t);
	if (t->page == PAGE_HELP)
		help_draw();
	else if (t->page == PAGE_ROW)
		row_page_draw(t);
	else
		view_draw(t);
	foot_draw(t);
	screen_end();
	t->is_old = false;
}
