/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Strings made of strings: joined, truncated, in other letters */
#include "runtime/string/text.h"

/* At most strsize bytes; the rest is truncated. */
long rt_strjoin(uint64_t to_at, uint64_t a_at, uint64_t b_at)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *a = string_at(a_at), *b = string_at(b_at);
	if (!to || !a || !b)
		return 0;
	uint64_t a_len = string_length(a);
	string_copy(to, a, a_len);
	uint64_t b_len = string_length(b);
	if (b_len > NUMBER(rt_string_size) - a_len) {
		b_len = NUMBER(rt_string_size) - a_len;
		rt_truncated(to_at);
	}
	char *tail = scratch(to_at + a_len);
	if (!tail)
		return 0;
	port_copy(tail + sizeof(*to), b_len, b->text);
	string_end(to, at_most(a_len + b_len, NUMBER(rt_string_size)));
	return 0;
}

#define TO_THE_END ((int64_t)(~(uint64_t)0 >> 1)) /* INT64_MAX */

/* As Perl's substr(); COUNT is TO_THE_END when not given.  At most strsize bytes. */
long rt_substr(uint64_t to_at, uint64_t from_at, int64_t start, int64_t count)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *from = string_at(from_at);
	if (!to || !from)
		return 0;
	int64_t len = string_length(from);
	if (start < 0)
		start += len;
	if (start < 0) { /* the position before the text counts as seen */
		if (count != TO_THE_END)
			count = count > 0 ? count + start : 0;
		start = count > 0 ? 0 : len;
	}
	int64_t rest = start < len ? len - start : 0;
	if (count < 0)
		count += rest; /* leave that many off the end */
	if (count > rest)
		count = rest;
	if (count < 0)
		count = 0;
	string_part(to, from, start, count);
	return 0;
}

#define EACH_BYTE(x) (0x0101010101010101ull * (x))

/* 0x20 in each byte that is a letter from FIRST to LAST, in ASCII. */
static always_inline uint64_t letters(uint64_t word, unsigned char first, unsigned char last)
{
	uint64_t low = word & EACH_BYTE(0x7f); /* so that no sum carries into the next byte */
	uint64_t from_first = low + EACH_BYTE(0x80 - first);
	uint64_t past_last = low + EACH_BYTE(0x7f - last);
	return (from_first & ~past_last & ~word & EACH_BYTE(0x80)) >> 2;
}

struct letter_case {
	const char *from;
	char *to;
	uint64_t upper; /* to upper case */
};

static long change_word(uint32_t i, struct letter_case *c)
{
	uint64_t offset = (uint64_t)i * 8;
	OPAQUE(offset);
	if (offset > NUMBER(rt_string_size))
		return 1;
	uint64_t word = *(const uint64_t *)(c->from + offset);
	word ^= c->upper ? letters(word, 'a', 'z') : letters(word, 'A', 'Z');
	*(uint64_t *)(c->to + offset) = word;
	return 0;
}

/* At most strsize bytes, eight at a time. */
static always_inline long change_case(uint64_t to_at, uint64_t from_at, uint64_t upper)
{
	struct rt_string *to = scratch(to_at);
	const struct rt_string *from = string_at(from_at);
	if (!to || !from)
		return 0;
	struct letter_case c = { .from = from->text, .to = to->text, .upper = upper };
	uint64_t len = string_length(from);
	port_loop((len + 7) / 8, change_word, &c, 0);
	string_end(to, len);
	return 0;
}

long rt_tolower(uint64_t to_at, uint64_t from_at)
{
	return change_case(to_at, from_at, 0);
}

long rt_toupper(uint64_t to_at, uint64_t from_at)
{
	return change_case(to_at, from_at, 1);
}
