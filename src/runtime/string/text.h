/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * text - declarations shared by the string functions
 *
 * A string of scratch memory or of a variable has room for 8 + strsize + 1
 * bytes, rounded up to whole words.  The bytes after its NUL are left over from
 * other uses: functions that read whole words may read them and must ignore
 * them.
 *
 * A result is never one of the inputs.
 *
 * An operation whose result does not fit counts one truncation, by rt_truncated(); an
 * operation that only passes on a truncated string does not.  If the string fits,
 * only its length is checked.
 *
 * Loops use port_loop(): the verifier checks a body once, whatever strsize
 * is.  An unknown_zero() ("blur") is added to all numbers that a body reads
 * from its argument or writes there, unless they are the same in each call.
 * There are two reasons:
 *   - Otherwise the body is verified again for each value that the verifier can
 *     distinguish ("BPF program is too large.  Processed 1000001 insn").
 *   - Otherwise 6.1 miscompiles them.  Its verifier does not notice that a branch
 *     in the body depends on a constant read through the argument (it follows
 *     such reads since 6.8), treats the body as verified when it is called with
 *     another value, and removes the branch that it has not seen.  So strtoll()
 *     lost its loop: where the string's length was limited to strsize, the length
 *     was a constant.
 *
 * Bytes in words are counted from the low end: all our machines are
 * little-endian.
 */
#ifndef RUNTIME_STRING_TEXT_H
#define RUNTIME_STRING_TEXT_H

#include "runtime/runtime.h"

/* Strings up to this length are copied in line, if strsize is large enough. */
#define SHORT_LENGTH 31

/* Count that the operation on the slot of AT truncated its result. */
long rt_truncated(uint64_t at);

/* LEN, or strsize if LEN is larger: a counted truncation. */
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
 * A zero that is an unknown number to the verifier, because it is read from a
 * map, at WORD.  After the addition of this zero the verifier knows nothing
 * about the sum, and learns nothing about the sum from a copy.
 *
 * Elsewhere it is not read: others may have written another number there, and it
 * is added to divisors and bounds.
 */
static always_inline uint64_t unknown_zero(uint64_t *word)
{
	*(volatile uint64_t *)word = 0;
#ifdef __bpf__
	return *(volatile uint64_t *)word;
#else
	return 0;
#endif
}

/* End the string after LEN bytes, which the verifier knows to be <= strsize. */
static always_inline void string_end(struct rt_string *s, uint64_t len)
{
	s->text[len] = 0;
	s->tag = len + 1;
}

/*
 * Copy LEN <= strsize bytes from string to string.  The helper costs 25 ns for
 * any length, so a short string is copied as four whole words.
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

/* Copy LEN bytes of FROM's string from START on; both numbers are limited to strsize. */
static always_inline void string_part(struct rt_string *to, const struct rt_string *from,
				      uint64_t start, uint64_t len)
{
	start = at_most(start, NUMBER(rt_string_size));
	len = at_most(len, NUMBER(rt_string_size));
	port_copy(to->text, len, from->text + start);
	string_end(to, len);
}

/* A string of one character; strsize is at least 2. */
static always_inline void string_character(struct rt_string *to, char c)
{
	to->text[0] = c;
	to->text[1] = 0;
	to->tag = 2;
}

#endif
