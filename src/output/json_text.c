/* SPDX-License-Identifier: BSD-2-Clause */
/* json_text - strings and numbers of JSON (RFC 8259) */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "output/json_text.h"

#define EXACT_IN_DOUBLES ((1ull << 53) - 1)

void json_separate(struct writer *w)
{
	char last = w->used ? w->buffer[w->used - 1] : '{';
	if (last != '{' && last != '[' && last != ':')
		writer_putc(w, ',');
}

void json_member(struct writer *w, const char *name)
{
	json_separate(w);
	writer_putc(w, '"');
	writer_puts(w, name);
	writer_puts(w, "\":");
}

void json_line_open(struct writer *w, const char *type)
{
	w->used = 0;
	writer_puts(w, "{\"type\":");
	json_string(w, type);
}

/* --- strings ------------------------------------------------------------------------------ */

static void character(struct writer *w, unsigned char c)
{
	static const char short_form[] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'
	};
	if (c == '"' || c == '\\')
		writer_putc(w, '\\');
	if (c >= 0x20 && c != 0x7f)
		writer_putc(w, (char)c);
	else if (c < sizeof(short_form) && short_form[c])
		writer_putc(w, '\\'), writer_putc(w, short_form[c]);
	else
		writer_printf(w, "\\u%04x", c);
}

/* In quotes; bytes that are not UTF-8 become U+FFFD.  False: there were some. */
static bool quoted(struct writer *w, const unsigned char *p, size_t len)
{
	bool is_whole = true;
	writer_putc(w, '"');
	while (len) {
		size_t n = utf8_length(p, len);
		if (n == 1)
			character(w, *p);
		else if (n == 2 && p[0] == 0xc2 && p[1] < 0xa0) /* C1: a terminal acts on it */
			writer_printf(w, "\\u%04x", p[1]);
		else if (n)
			writer_add(w, p, n);
		else
			writer_puts(w, "\xef\xbf\xbd");
		is_whole &= n > 0;
		n = MAX(n, 1);
		p += n;
		len -= n;
	}
	writer_putc(w, '"');
	return is_whole;
}

static bool is_utf8(const unsigned char *p, size_t len)
{
	for (size_t n; len; p += n, len -= n) {
		n = utf8_length(p, len);
		if (!n)
			return false;
	}
	return true;
}

void json_hexadecimal(struct writer *w, const unsigned char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	char *to = writer_room(w, 2 * len + 2);
	*to++ = '"';
	for (size_t i = 0; i < len; i++) {
		*to++ = digits[bytes[i] >> 4];
		*to++ = digits[bytes[i] & 15];
	}
	*to = '"';
	w->used += 2 * len + 2;
}

void json_text(struct writer *w, const void *text, size_t len)
{
	if (is_utf8(text, len)) {
		quoted(w, text, len);
		return;
	}
	writer_puts(w, "{\"text\":");
	quoted(w, text, len);
	writer_puts(w, ",\"bytes\":");
	json_hexadecimal(w, text, len);
	writer_putc(w, '}');
}

void json_string(struct writer *w, const char *text)
{
	quoted(w, (const unsigned char *)text, strlen(text));
}

void json_bytes(struct writer *w, const unsigned char *bytes, size_t len)
{
	writer_puts(w, "{\"bytes\":");
	json_hexadecimal(w, bytes, len);
	writer_putc(w, '}');
}

/* --- numbers ------------------------------------------------------------------------------ */

static void integer(struct writer *w, uint64_t x, bool is_signed)
{
	if (is_signed)
		writer_signed(w, (int64_t)x, 0);
	else
		writer_unsigned(w, x, 0);
}

static void integer_with(struct writer *w, uint64_t x, bool is_signed, const char *before,
			 const char *behind)
{
	uint64_t size = is_signed && (int64_t)x < 0 ? 0 - x : x;
	bool is_large = size > EXACT_IN_DOUBLES;
	if (is_large)
		writer_puts(w, before);
	integer(w, x, is_signed);
	if (is_large)
		writer_puts(w, behind);
}

void json_unsigned(struct writer *w, uint64_t x)
{
	integer_with(w, x, false, "\"", "\"");
}

void json_signed(struct writer *w, int64_t x)
{
	integer_with(w, (uint64_t)x, true, "\"", "\"");
}

void json_integer_value(struct writer *w, uint64_t x, bool is_signed)
{
	integer_with(w, x, is_signed, "{\"integer\":\"", "\"}");
}

/* What JSON has no number for is named. */
void json_float(struct writer *w, long double x, uint32_t size)
{
	int digits = size == 4 ? 9 : size == 8 ? 17 : 21; /* no two numbers are alike */
	if (isnan(x) || isinf(x))
		writer_printf(w, "{\"float\":\"%s\"}", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
	else
		writer_printf(w, "%.*Lg", digits, x);
}

void json_address(struct writer *w, uint64_t address)
{
	writer_printf(w, "\"0x%llx\"", (unsigned long long)address);
}

/* --- members --------------------------------------------------------------------------------- */

void json_unsigned_member(struct writer *w, const char *name, uint64_t x)
{
	json_member(w, name);
	json_unsigned(w, x);
}

void json_signed_member(struct writer *w, const char *name, int64_t x)
{
	json_member(w, name);
	json_signed(w, x);
}

void json_address_member(struct writer *w, const char *name, uint64_t address)
{
	json_member(w, name);
	json_address(w, address);
}

void json_text_member(struct writer *w, const char *name, const char *text)
{
	json_member(w, name);
	json_text(w, text, strlen(text));
}

void json_true_member(struct writer *w, const char *name)
{
	json_member(w, name);
	writer_puts(w, "true");
}

void json_list_member(struct writer *w, const char *name)
{
	json_member(w, name);
	writer_putc(w, '[');
}
