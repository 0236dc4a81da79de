/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/cells.h"

#include <locale.h>
#include <string.h>
#include <sys/ioctl.h>
#include <wchar.h>

static bool is_ascii(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0x80)
			return false;
	return true;
}

/* Our output is UTF-8 whatever the user's locale.  Without this one: (locale_t)0. */
static locale_t utf8_locale(void)
{
	static locale_t locale;
	static bool is_made;
	if (!is_made)
		locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	is_made = true;
	return locale;
}

/*
 * The bytes that fill at most MOST cells, *CELLS, in the current locale.  A byte that is no part of
 * a character, and a control character, fills one.
 */
static size_t fit_locale(const char *text, size_t len, size_t most, size_t *cells)
{
	size_t at = 0;
	mbstate_t state = { 0 };
	for (size_t n; at < len; at += n) {
		wchar_t c;
		n = mbrtowc(&c, text + at, len - at, &state);
		bool is_character = n && n <= len - at;
		int width = is_character ? wcwidth(c) : 1;
		size_t more = width < 0 ? 1 : (size_t)width;
		if (more > most - *cells)
			return at;
		*cells += more;
		if (is_character)
			continue;
		n = 1;
		memset(&state, 0, sizeof(state));
	}
	return at;
}

static size_t fit_utf8(const char *text, size_t len, size_t most, size_t *cells)
{
	*cells = 0;
	if (is_ascii(text, len) || !utf8_locale())
		return *cells = MIN(len, most);
	locale_t before = uselocale(utf8_locale());
	size_t bytes = fit_locale(text, len, most, cells);
	uselocale(before);
	return bytes;
}

size_t text_cells(const char *text, size_t len)
{
	size_t cells;
	fit_utf8(text, len, SIZE_MAX, &cells);
	return cells;
}

size_t text_fit(const char *text, size_t len, size_t cells)
{
	size_t filled;
	return fit_utf8(text, len, cells, &filled);
}

void text_add_cut(struct strbuf *out, const char *text, size_t len, size_t most)
{
	static const char mark[] = "..";
	bool is_whole = text_fit(text, len, most) == len;
	size_t room = most - MIN(most, strlen(mark));
	strbuf_add(out, text, is_whole ? len : text_fit(text, len, room));
	strbuf_puts(out, is_whole ? "" : mark);
}

size_t terminal_cells(int fd)
{
	struct winsize size;
	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void columns_fit(struct table_column *columns, unsigned count, size_t cells)
{
	for (unsigned i = 0; i < count; i++) {
		columns[i].most = columns[i].width;
		cells -= MIN(cells, columns[i].width);
	}
	for (bool is_shared = true; is_shared;) {
		is_shared = false;
		for (unsigned i = 0; i < count && cells; i++) {
			bool wants = columns[i].content > columns[i].most;
			columns[i].most += wants;
			cells -= wants;
			is_shared |= wants;
		}
	}
}
