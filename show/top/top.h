/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top - aggregations on a terminal, again each second
 *
 * In:   rows of snapshots, which top requests, and of printa(); text of records; keys that people
 *       press; what the -c command and dtrace write to the terminal, through a pipe.
 * Out:  one table, text, or a row in full, on a terminal.
 *
 *   top.c      the form: lines to views, the loop
 *   table.c    rows of printings, and how fast their values grow
 *   amount.c   a value: its sum with another, its percentiles
 *   list.c     the rows that are shown: folded, filtered, sorted
 *   lines.c    the last lines of text
 *   cells.c    text and numbers in cells of a terminal
 *   screen.c   the terminal; page.c: table, text, help; row_page.c: one row in full
 *   keys.c     what keys do
 *
 * Always true:
 *   1. The stream is read all the time, also if the screen is paused: dtrace never waits for
 *      people.
 *   2. Memory is that of two printings of each view, and of the last LINES_MOST lines.
 *   3. No byte of the stream reaches the terminal but as a character with a width.
 */
#ifndef SHOW_TOP_TOP_H
#define SHOW_TOP_TOP_H

#include "show/show.h"
#include "show/top/lines.h"
#include "show/top/list.h"
#include "show/top/table.h"

enum top_page { PAGE_VIEW, PAGE_ROW, PAGE_HELP };

struct top {
	struct show *show;
	int stream;
	int keys_fd, messages_fd;	  /* -1: none */
	uint64_t next_refresh, next_draw; /* not before, in ns of CLOCK_MONOTONIC */
	struct views views;
	struct lines text, messages; /* of records; of the command and dtrace */
	struct strbuf rows_text;     /* of printa() with a format, until its record */
	bool rows_are_cut;	     /* they were too many */
	struct strbuf last_text;     /* of END's records */
	struct error *problem;	     /* the terminal cannot be used */

	/* what is shown */
	enum top_page page;
	size_t view;	  /* index; the number of views: the text */
	bool has_chosen;  /* the view, by a key */
	struct list list; /* of the view; by top_list_make() */
	bool is_list_old;
	bool is_paused, is_ending;
	bool is_typing; /* the filter */
	char *selected; /* key of the row, of any bytes; NULL: none is */
	size_t selected_len;
	size_t line, scroll;	/* of the selected row in the list; the first line of a page */
	uint64_t text_end;	/* lines of text that are shown, if it is paused */
	uint64_t messages_seen; /* these are not in the last line any more */
	bool is_old;		/* the screen: something has changed */
};

/* The view that is shown; NULL: the text. */
struct view *top_view(const struct top *t);

/* Make the list, unless nothing has changed: its rows are of tables that may be gone. */
void top_list_make(struct top *t);
bool top_is_selected(const struct top *t, const struct row *row);

/* keys.c: do what KEY, of getch(), means. */
void top_key(struct top *t, int key);

/* page.c, row_page.c: draw all of the screen. */
void page_draw(struct top *t);
void row_page_draw(struct top *t);

#endif
