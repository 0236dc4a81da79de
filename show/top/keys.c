/* SPDX-License-Identifier: BSD-2-Clause */
/* What keys do */
#include <string.h>

#include "show/request.h"
#include "show/top/screen.h"
#include "show/top/top.h"

#define ESCAPE 27

static size_t page_lines(void)
{
	return screen_height() > 5 ? screen_height() - 5 : 1;
}

/* --- the selected row, the lines that are shown ---------------------------------------------- */

static void row_select(struct top *t, size_t line)
{
	if (!t->list.rows.count)
		return;
	t->line = MIN(line, t->list.rows.count - 1);
	free(t->selected);
	const struct row *row = t->list.rows.items[t->line];
	t->selected_len = row->key_len;
	t->selected = memcpy(mem_alloc(row->key_len + 1), row->key, row->key_len);
}

/* BY lines down; up if it is negative. */
static size_t moved(size_t from, long by)
{
	return by < 0 && from < (size_t)-by ? 0 : from + (size_t)by;
}

static void lines_move(struct top *t, long by)
{
	if (t->page == PAGE_ROW)
		t->scroll = moved(t->scroll, by);
	else if (!top_view(t))
		t->scroll = moved(t->scroll, -by); /* of text: from its end */
	else if (!t->selected)
		row_select(t, by > 0 ? 0 : t->line);
	else
		row_select(t, moved(t->line, by));
}

static bool key_moves(struct top *t, int key)
{
	const long far = 1 << 30;
	switch (key) {
	case SCREEN_UP:
	case 'k':
		lines_move(t, -1);
		return true;
	case SCREEN_DOWN:
	case 'j':
		lines_move(t, 1);
		return true;
	case SCREEN_PAGE_UP:
		lines_move(t, -(long)page_lines());
		return true;
	case SCREEN_PAGE_DOWN:
		lines_move(t, (long)page_lines());
		return true;
	case SCREEN_HOME:
		lines_move(t, -far);
		return true;
	case SCREEN_END:
		lines_move(t, far);
		return true;
	default:
		return false;
	}
}

/* --- the view and its list ------------------------------------------------------------------- */

static void selection_forget(struct top *t)
{
	free(t->selected);
	t->selected = NULL;
	t->line = t->scroll = 0;
}

static void view_move(struct top *t, size_t by)
{
	size_t all = t->views.list.count + (t->text.count > 0);
	if (!all)
		return;
	t->view = (MIN(t->view, all - 1) + all + by) % all;
	t->has_chosen = true;
	t->list.sort = SIZE_MAX;
	t->list.keys = 0;
	t->list.is_reversed = false;
	selection_forget(t);
}

static void sort_by(struct top *t, size_t column)
{
	if (column >= t->list.columns.count)
		return;
	t->list.sort = column;
	selection_forget(t);
}

static void fold(struct top *t)
{
	const struct view *v = top_view(t);
	if (!v || v->key_count < 2)
		return;
	unsigned shown = t->list.keys ? t->list.keys : v->key_count;
	t->list.keys = shown > 1 ? shown - 1 : 0;
	t->list.sort = SIZE_MAX;
	selection_forget(t);
}

/* Escape ends the filter, Enter its typing. */
static void filter_key(struct top *t, int key)
{
	struct strbuf *filter = &t->list.filter;
	if (key == ESCAPE)
		strbuf_clear(filter);
	if (key == ESCAPE || key == '\n') {
		t->is_typing = false;
	} else if (key == SCREEN_BACKSPACE && filter->len) {
		while (filter->len > 1 &&
		       ((unsigned char)filter->text[filter->len - 1] & 0xc0) == 0x80)
			filter->len--;
		filter->text[--filter->len] = 0;
	} else if (key >= ' ' && key <= 0xff && filter->len < 200) {
		strbuf_putc(filter, (char)key);
	}
	selection_forget(t);
}

static void pause_toggle(struct top *t)
{
	t->is_paused = t->views.is_held = !t->is_paused;
	t->text_end = t->text.count;
}

static void row_open(struct top *t)
{
	if (!top_view(t) || !t->list.rows.count)
		return;
	row_select(t, t->line);
	t->page = PAGE_ROW;
	t->scroll = 0;
}

static void tracing_end(struct top *t)
{
	t->is_ending = true;
	request_end(t->stream);
}

static void view_key(struct top *t, int key)
{
	switch (key) {
	case '/':
		t->is_typing = true;
		break;
	case ESCAPE:
		strbuf_clear(&t->list.filter);
		selection_forget(t);
		break;
	case '<':
	case SCREEN_LEFT:
		sort_by(t, list_sorted(&t->list) - 1);
		break;
	case '>':
	case SCREEN_RIGHT:
		sort_by(t, list_sorted(&t->list) + 1);
		break;
	case 'r':
		t->list.is_reversed = !t->list.is_reversed;
		selection_forget(t);
		break;
	case 'f':
		fold(t);
		break;
	case '\t':
		view_move(t, 1);
		break;
	case SCREEN_BACK_TAB:
		view_move(t, (size_t)-1);
		break;
	case '\n':
		row_open(t);
		break;
	default:
		if (key >= '1' && key <= '9')
			sort_by(t, (size_t)(key - '1'));
		break;
	}
}

void top_key(struct top *t, int key)
{
	if (t->is_typing) {
		filter_key(t, key);
		return;
	}
	if (key == 'q' && t->page == PAGE_VIEW)
		tracing_end(t);
	else if (key == '?' || key == 'h')
		t->page = PAGE_HELP;
	else if (key == ' ')
		pause_toggle(t);
	else if (key == 'm')
		t->messages_seen = t->messages.count;
	else if (t->page == PAGE_HELP && key != SCREEN_RESIZED)
		t->page = PAGE_VIEW;
	else if (key_moves(t, key) || key == SCREEN_RESIZED)
		return;
	else if (t->page == PAGE_ROW) {
		t->page = PAGE_VIEW;
		t->scroll = 0;
	} else
		view_key(t, key);
}
