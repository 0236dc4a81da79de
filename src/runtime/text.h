/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * text - what the string functions share
 *
 * A string of scratch memory or of a variable has room for 8 + strsize + 1
 * bytes, rounded up to whole words.  What lies behind its NUL is left over from
 * other uses: functions that go by words may read it and must not heed it.
 *
 * A result is never one of the inputs.
 *
 * An operation whose text does not fit counts that once, by rt_truncated(); what only
 * hands on a text that was cut before does not.  Where the text fits nothing is
 * asked beyond its length.
 *
 * Loops go through port_loop(): the verifier looks at a body once, whatever
 * strsize is.  All numbers that a body finds in its argument, and all that it
 * puts there, have an unknown_zero() added ("blur"), unless they are the same
 * in each call.  There are two reasons:
 *   - Else the body is verified again for each value that the verifier can tell
 *     from others ("BPF program is too large. Processed 1000001 insn").
 *   - Else 6.1 makes wrong programs of them.  It does not notice that a branch in
 *     the body depends on a constant it read through the argument (it follows
 *     such reads since 6.8), takes the body for verified when it comes back with
 *     another value, and removes what it has not seen.  So strtoll() lost its
 *     loop: where the text's length was cut to strsize, that was a constant.
 *
 * Bytes in words are counted from the low end: all our machines are
 * little-endian.
 */
#ifndef RUNTIME_TEXT_H
#define RUNTIME_TEXT_H

#include "runtime/runtime.h"

/* Strings up to this length are copied in line, where strsize leaves room for it. */
#define SHORT_LENGTH 31

/* The operation on the slot of AT left a part of its text out. */
long rt_truncated(uint64_t at);

/* LEN, or as much of it as a string holds: a counted cut. */
static always_inline uint64_t fitting(uint64_t at, uint64_t len)
{
	OPAQUE(len);
	if (len <= NUMBER(rt_string_size))
		return len;
	rt_truncated(at);
	return NUMBER(rt_string_size);
}

/* The bits of the COUNT lowest bytes. */
static always_inline uint64_t low_bytes(uint64_t count)
{
	return count < 8 ? ((uint64_t)1 << count * 8) - 1 : ~(uint64_t)0;
}

static always_inline uint64_t at_most(uint64_t n, uint64_t limit)
{
	OPAQUE(n);
	return n <= limit ? n : limit;
}

/*
 * A zero that the verifier takes for any number: memory of maps, WORD, is
 * unknown to it.  Adding it makes it forget what it knows of a number and what
 * it would learn of it from a copy.
 */
static always_inline uint64_t unknown_zero(uint64_t *word)
{
	*(volatile uint64_t *)word = 0;
	return *(volatile uint64_t *)word;
}

/* The text has LEN bytes, which the verifier knows to be <= strsize. */
static always_inline void string_end(struct rt_string *s, uint64_t len)
{
	s->text[len] = 0;
	s->tag = len + 1;
}

/*
 * LEN <= strsize bytes from string to string.  The helper costs 25 ns whatever
 * it copies, so a short text goes as four whole words.
 */
static always_inline void string_copy(struct rt_string *to, const struct rt_string *from,
				      uint64_t len)
{
	if (NUMBER(rt_string_size) >= SHORT_LENGTH && len <= SHORT_LENGTH) {
		const uint64_t *in = (const uint64_t *)from->text;
		uint64_t *out = (uint64_t *)to->text;
		uint64_t a = in[0], b = in[1], c = in[2], d = in[3];
		out[0] = a;
		out[1] = b;
		out[2] = c;
		out[3] = d;
	} else {
		port_copy(to->text, len, from->text);
	}
	string_end(to, len);
}

/* LEN bytes of FROM's text that begin at START; both numbers are cut to strsize. */
static always_inline void string_part(struct rt_string *to, const struct rt_string *from,
				      uint64_t start, uint64_t len)
{
	start = at_most(start, NUMBER(rt_string_size));
	len = at_most(len, NUMBER(rt_string_size));
	port_copy(to->text, len, from->text + start);
	string_end(to, len);
}

/* One character; strsize is at least 2. */
static always_inline void string_character(struct rt_string *to, char c)
{
	to->text[0] = c;
	to->text[1] = 0;
	to->tag = 2;
}

#endif
