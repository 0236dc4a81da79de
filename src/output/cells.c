/* SPDX-License-Identifier: BSD-2-Clause */
/* cells - how many columns of a terminal a text fills */
#include <locale.h>
#include <string.h>
#include <wchar.h>

#include "output/writer.h"

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

/* In the current locale; a byte that is no part of a character, and a control character, fills one.
 */
static size_t cells_of(const char *text, size_t len)
{
	size_t cells = 0;
	mbstate_t state = { 0 };
	for (size_t at = 0, n; at < len; at += n) {
		wchar_t c;
		n = mbrtowc(&c, text + at, len - at, &state);
		bool is_character = n && n <= len - at;
		int width = is_character ? wcwidth(c) : 1;
		cells += width < 0 ? 1 : (size_t)width;
		if (is_character)
			continue;
		n = 1;
		memset(&state, 0, sizeof(state));
	}
	return cells;
}

size_t text_cells(const char *text, size_t len)
{
	if (is_ascii(text, len) || !utf8_locale())
		return len;
	locale_t before = uselocale(utf8_locale());
	size_t cells = cells_of(text, len);
	uselocale(before);
	return cells;
}
