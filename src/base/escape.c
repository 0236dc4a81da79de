/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/escape.h"

#include <string.h>

size_t utf8_length(const unsigned char *text, size_t len)
{
	if (text[0] < 0x80)
		return 1;
	size_t n = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	if (text[0] < 0xc2 || text[0] > 0xf4 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (text[i] >> 6 != 2)
			return 0;
	bool is_overlong =
		(text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
	bool is_surrogate = text[0] == 0xed && text[1] >= 0xa0;
	bool is_beyond = text[0] == 0xf4 && text[1] >= 0x90;
	return is_overlong || is_surrogate || is_beyond ? 0 : n;
}

/* Of the run at TEXT that stays as it is; up to 4 bytes.  0: the next byte is to be escaped. */
static size_t kept_length(const unsigned char *text, size_t len, unsigned what)
{
	if (text[0] == '\n')
		return what & ESCAPE_NEWLINES ? 0 : 1;
	if (text[0] == '\t')
		return what & ESCAPE_TABS ? 0 : 1;
	if (!(what & ESCAPE_CONTROLS))
		return 1;
	if (text[0] < ' ' || text[0] == 0x7f)
		return 0;
	size_t n = utf8_length(text, len);
	bool is_c1 = n == 2 && text[0] == 0xc2 && text[1] < 0xa0;
	return is_c1 ? 0 : n;
}

bool escape_changes(const char *text, size_t len, unsigned what)
{
	if (what == ESCAPE_NEWLINES) /* the usual case, and a quick one */
		return memchr(text, '\n', len);
	for (size_t i = 0, n; what && i < len; i += n) {
		n = kept_length((const unsigned char *)text + i, len - i, what);
		if (!n)
			return true;
	}
	return false;
}

void escape_add(struct strbuf *out, const char *text, size_t len, unsigned what)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = kept_length((const unsigned char *)text + i, len - i, what);
		if (n) {
			strbuf_add(out, text + i, n);
			continue;
		}
		escape_add_byte(out, (unsigned char)text[i]);
		n = 1;
	}
}

void escape_add_byte(struct strbuf *out, unsigned char byte)
{
	static const char letters[] = "\a\b\f\n\r\t\v", names[] = "abfnrtv";
	const char *at = byte ? strchr(letters, byte) : NULL;
	if (at)
		strbuf_printf(out, "\\%c", names[at - letters]);
	else if (byte == 0)
		strbuf_puts(out, "\\0");
	else if (byte < ' ' || byte > '~')
		strbuf_printf(out, "\\%03o", byte);
	else if (byte == '"' || byte == '\\')
		strbuf_printf(out, "\\%c", byte);
	else
		strbuf_putc(out, (char)byte);
}
