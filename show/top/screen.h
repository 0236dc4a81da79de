/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * screen - the terminal, which is our standard output and open for reading, too
 *
 * The wall between us and ncurses: nothing else includes its header, and nothing else writes to the
 * terminal.
 */
#ifndef SHOW_TOP_SCREEN_H
#define SHOW_TOP_SCREEN_H

#include "base/base.h"

enum style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_HEAD,
	STYLE_SORTED,
	STYLE_SELECTED,
	STYLE_MESSAGE,
	STYLE_FAINT,
	STYLE_KERNEL,
	STYLE_USER,
	STYLE_COUNT
};

/* Keys that are no characters. */
enum screen_key {
	KEY_NOT = -1,
	SCREEN_UP = 0x1000,
	SCREEN_DOWN,
	SCREEN_LEFT,
	SCREEN_RIGHT,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_BACK_TAB,
	SCREEN_BACKSPACE,
	SCREEN_RESIZED
};

MUST_CHECK struct error *screen_open(void);
/* As it was before, once; nothing if it is not open. */
void screen_close(void);
bool screen_is_open(void);

/* A key that was pressed, a byte or enum screen_key; KEY_NOT: none. */
int screen_key(void);

size_t screen_height(void);
size_t screen_width(void);

void screen_begin(void); /* an empty screen */
/* TEXT from column X of line Y on, in WIDTH cells: cut off, or filled with blanks. */
void screen_text(size_t y, size_t x, size_t width, const char *text, enum style style);
void screen_text_right(size_t y, size_t x, size_t width, const char *text, enum style style);
void screen_characters(size_t y, size_t x, const wchar_t *text, enum style style);
void screen_end(void); /* what has changed goes to the terminal */

#endif
