/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/xml.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/escape.h"

#define NO_CHARACTER "\uFFFD"

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return (unsigned char)c < 0x20 || c == 0x7f ? NO_CHARACTER : NULL;
	}
}

/* U+FFFE and U+FFFF are valid UTF-8, and no characters of XML; C1 controls are discouraged. */
static bool is_character(const char *text, size_t len)
{
	return !(len == 3 && memcmp(text, "\xef\xbf", 2) == 0 && (unsigned char)text[2] >= 0xbe) &&
	       !(len == 2 && text[0] == '\xc2' && (unsigned char)text[1] < 0xa0);
}

/* Write the character at TEXT, which is not empty; its length. */
static size_t character_write(FILE *out, const char *text, bool keeps)
{
	bool is_kept = keeps && (*text == '\n' || *text == '\t');
	const char *entity = is_kept ? NULL : entity_of(*text);
	size_t len = utf8_length((const unsigned char *)text, strnlen(text, 4));
	if (!len || entity || !is_character(text, len))
		fputs(entity ? entity : NO_CHARACTER, out);
	else
		fwrite(text, 1, len, out);
	return len ? len : 1;
}

/* Its bytes that are no continuation of a character. */
static size_t characters(const char *text)
{
	size_t ret = 0;
	for (; *text; text++)
		ret += (*text & 0xc0) != 0x80;
	return ret;
}

static void text_write(FILE *out, const char *text, size_t limit, bool keeps)
{
	bool is_cut = limit < SIZE_MAX && characters(text) > limit;
	size_t left = is_cut ? (limit > 2 ? limit - 2 : 0) : SIZE_MAX;
	for (; *text && left; left--)
		text += character_write(out, text, keeps);
	if (is_cut && limit > 2)
		fputs("..", out);
}

void xml_text(FILE *out, const char *text, size_t limit)
{
	text_write(out, text, limit, false);
}

void xml_lines(FILE *out, const char *text, size_t limit)
{
	text_write(out, text, limit, true);
}
