/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/top/cells.h"

#include <langinfo.h>
#include <math.h>
#include <string.h>

bool cells_are_utf8(void)
{
	return string_equal(nl_langinfo(CODESET), "UTF-8");
}

/* The character at TEXT, U+FFFD if it is damaged; *LEN: its bytes. */
static wchar_t character_read(const char *text, size_t *len)
{
	wchar_t c;
	mbstate_t state = { 0 };
	size_t got = mbrtowc(&c, text, strlen(text), &state);
	bool is_whole = got != (size_t)-1 && got != (size_t)-2 && got > 0;
	*len = is_whole ? got : 1;
	return is_whole ? c : cells_are_utf8() ? L'\uFFFD' : L'?';
}

/* Characters that only control how others are shown. */
static bool is_format_control(wchar_t c)
{
	return (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0xad || c == 0x61c ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

/* The next character that may be shown; *WIDTH: its cells.  0: the end of the text. */
static wchar_t character_next(const char **text, size_t *width)
{
	while (**text) {
		size_t len;
		wchar_t c = character_read(*text, &len);
		*text += len;
		int cells = wcwidth(c);
		if (is_format_control(c))
			continue;
		if (cells < 0)
			c = L'?';
		*width = cells < 0 ? 1 : (size_t)cells;
		return c;
	}
	return 0;
}

size_t cells_count(const char *text)
{
	size_t ret = 0, width;
	while (character_next(&text, &width))
		ret += width;
	return ret;
}

size_t cells_fit(const char *text, size_t width, wchar_t *ret)
{
	size_t cells = 0, count = 0, last_cells = 0, last_count = 0, w;
	for (wchar_t c; (c = character_next(&text, &w));) {
		if (cells + w > width) {
			cells = last_cells;
			count = last_count;
			if (width)
				ret[count++] = L'~';
			cells += width > 0;
			break;
		}
		if (count >= 4 * width) /* accents without end */
			break;
		if (cells + w < width) {
			last_cells = cells + w;
			last_count = count + 1;
		}
		ret[count++] = c;
		cells += w;
	}
	ret[count] = 0;
	return cells;
}

void cells_number(long double number, char ret[32])
{
	static const char units[] = " kMGTPEZY";
	size_t unit = 0;
	if (fabsl(number) < 1e9L) {
		snprintf(ret, 32, "%.0Lf", number);
		return;
	}
	for (; fabsl(number) >= 1e6L && unit + 1 < sizeof(units) - 1; unit++)
		number /= 1000;
	snprintf(ret, 32, "%.1Lf%c", number, units[unit]);
}

void cells_rate(double rate, char ret[32])
{
	if (rate >= 100)
		cells_number(rate, ret);
	else
		snprintf(ret, 32, rate >= 10 ? "%.1f" : "%.2f", rate);
}

/* Are there buckets without values before bucket I? */
static bool is_gap(const struct amount *m, size_t i)
{
	int64_t next;
	return i && (__builtin_add_overflow(m->buckets[i - 1].most, 1, &next) ||
		     next != m->buckets[i].least);
}

/* Columns of a histogram: one for each bucket, and one for those between that have no values. */
static size_t shape_columns(const struct amount *m)
{
	size_t ret = m->bucket_count;
	for (size_t i = 1; i < m->bucket_count; i++)
		ret += is_gap(m, i);
	return ret;
}

void cells_shape(const struct amount *m, size_t width, wchar_t *ret)
{
	static const wchar_t fine[] = L" \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588",
			     plain[] = L" _.-:=+*#";
	const wchar_t *levels = cells_are_utf8() ? fine : plain;
	size_t count = shape_columns(m), columns = MIN(width, count), at = 0;
	auto_free double *sums = mem_zalloc((columns + 1) * sizeof(*sums));
	double most = 1;
	for (size_t i = 0; i < m->bucket_count && columns; i++, at++) {
		at += is_gap(m, i);
		double *sum = &sums[at * columns / count];
		*sum += (double)m->buckets[i].count;
		most = MAX(most, *sum);
	}
	for (size_t i = 0; i < columns; i++)
		ret[i] = levels[sums[i] > 0 ? 1 + (size_t)(sums[i] / most * 7) : 0];
	ret[columns] = 0;
}
