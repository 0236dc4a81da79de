/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/top/screen.h"

#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>
#include <ncursesw/term.h>

#include "show/top/cells.h"

#define ESCAPE_WAIT_MS 25 /* for the rest of a key that begins with Escape */

static SCREEN *screen;
static struct termios modes; /* as ncurses has set them */
static attr_t attributes[STYLE_COUNT] = {
	[STYLE_TITLE] = A_BOLD,	      [STYLE_HEAD] = A_REVERSE, [STYLE_SORTED] = A_REVERSE | A_BOLD,
	[STYLE_SELECTED] = A_REVERSE, [STYLE_MESSAGE] = A_BOLD, [STYLE_FAINT] = A_DIM,
};

/* The user's locale may not be here: of its names only the character set matters. */
static void locale_set(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *locale = NULL;
	if (setlocale(LC_CTYPE, ""))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !(locale && *locale); i++)
		locale = getenv(names[i]);
	if (locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8")))
		setlocale(LC_CTYPE, "C.UTF-8");
}

/* Pairs of colours, if the terminal has them and the environment wants them. */
static void colours_set(void)
{
	static const struct {
		enum style style;
		short colour;
	} colours[] = {
		{ STYLE_TITLE, COLOR_CYAN },	 { STYLE_SORTED, COLOR_CYAN },
		{ STYLE_MESSAGE, COLOR_YELLOW }, { STYLE_KERNEL, COLOR_RED },
		{ STYLE_USER, COLOR_GREEN },
	};
	const char *no_color = getenv("NO_COLOR");
	if ((no_color && *no_color) || !has_colors() || start_color() == ERR ||
	    use_default_colors() == ERR)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(colours); i++) {
		init_pair((short)(i + 1), colours[i].colour, -1);
		attributes[colours[i].style] |= (attr_t)COLOR_PAIR((int)i + 1);
	}
}

static struct error *terminal_check(void)
{
	int found;
	const char *name = getenv("TERM");
	if (!isatty(STDOUT_FILENO))
		return error_new("standard output is not a terminal");
	if (!name || setupterm(NULL, STDOUT_FILENO, &found) != OK)
		return error_new("the terminal is not known: TERM is %s", name ? name : "not set");
	const char *place = tigetstr("cup");
	bool can_place = place && place != (const char *)-1;
	del_curterm(cur_term);
	if (!can_place)
		return error_new("the terminal can only print lines: TERM is %s", name);
	return NULL;
}

struct error *screen_open(void)
{
	locale_set();
	struct error *err = terminal_check();
	if (err)
		return err;
	FILE *terminal = fdopen(dup(STDOUT_FILENO), "r+");
	screen = terminal ? newterm(NULL, terminal, terminal) : NULL;
	if (!screen)
		return error_new("the terminal cannot be used");
	set_escdelay(ESCAPE_WAIT_MS);
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	colours_set();
	tcgetattr(STDOUT_FILENO, &modes);
	modes.c_iflag &= ~(tcflag_t)IXON; /* ^S would stop us, and then dtrace */
	tcsetattr(STDOUT_FILENO, TCSANOW, &modes);
	return NULL;
}

bool screen_is_open(void)
{
	return screen != NULL;
}

/*
 * If dtrace was killed, a shell may have the terminal again: modes that it has set since stay, and
 * ours are not left to it.
 */
void screen_close(void)
{
	struct termios now;
	if (!screen)
		return;
	signal(SIGTTOU, SIG_IGN);
	memset(&now, 0, sizeof(now)); /* between its members, too */
	bool is_changed =
		tcgetattr(STDOUT_FILENO, &now) == 0 && memcmp(&now, &modes, sizeof(now)) != 0;
	endwin();
	if (is_changed)
		tcsetattr(STDOUT_FILENO, TCSADRAIN, &now);
	delscreen(screen);
	screen = NULL;
}

int screen_key(void)
{
	static const struct {
		int curses;
		enum screen_key key;
	} keys[] = {
		{ KEY_UP, SCREEN_UP },
		{ KEY_DOWN, SCREEN_DOWN },
		{ KEY_LEFT, SCREEN_LEFT },
		{ KEY_RIGHT, SCREEN_RIGHT },
		{ KEY_PPAGE, SCREEN_PAGE_UP },
		{ KEY_NPAGE, SCREEN_PAGE_DOWN },
		{ KEY_HOME, SCREEN_HOME },
		{ KEY_END, SCREEN_END },
		{ KEY_BTAB, SCREEN_BACK_TAB },
		{ KEY_BACKSPACE, SCREEN_BACKSPACE },
		{ 127, SCREEN_BACKSPACE },
		{ 8, SCREEN_BACKSPACE },
		{ KEY_RESIZE, SCREEN_RESIZED },
		{ KEY_ENTER, '\n' },
		{ '\r', '\n' },
	};
	int key = getch();
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (key == keys[i].curses)
			return keys[i].key;
	return key == ERR ? KEY_NOT : key > 0xff ? 0 : key;
}

size_t screen_height(void)
{
	return (size_t)MAX(getmaxy(stdscr), 0);
}

size_t screen_width(void)
{
	return (size_t)MAX(getmaxx(stdscr), 0);
}

void screen_begin(void)
{
	erase();
}

void screen_end(void)
{
	refresh();
}

void screen_characters(size_t y, size_t x, const wchar_t *text, enum style style)
{
	if (y >= screen_height() || x >= screen_width())
		return;
	attrset((int)attributes[style]);
	mvaddnwstr((int)y, (int)x, text, -1);
	attrset(A_NORMAL);
}

static void text_put(size_t y, size_t x, size_t width, const char *text, enum style style,
		     bool is_right)
{
	if (x >= screen_width())
		return;
	width = MIN(width, screen_width() - x);
	auto_free wchar_t *line = mem_alloc((CELLS_ROOM(width) + width) * sizeof(*line));
	auto_free wchar_t *fitted = mem_alloc(CELLS_ROOM(width) * sizeof(*fitted));
	size_t blanks = width - cells_fit(text, width, fitted), len = wcslen(fitted);
	wmemset(line, L' ', len + blanks);
	wmemcpy(is_right ? line + blanks : line, fitted, len);
	line[len + blanks] = 0;
	screen_characters(y, x, line, style);
}

void screen_text(size_t y, size_t x, size_t width, const char *text, enum style style)
{
	text_put(y, x, width, text, style, false);
}

void screen_text_right(size_t y, size_t x, size_t width, const char *text, enum style style)
{
	text_put(y, x, width, text, style, true);
}
