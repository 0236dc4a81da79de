/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Bytes as text: hexadecimal digits, names of DNS messages */
#include "runtime/string/text.h"

struct bytes_text {
	struct rt_string *s;
	uint64_t n;    /* characters so far */
	uint64_t from; /* where the bytes begin in the same string */
	uint64_t left; /* of a label */
	uint64_t ended;
	uint64_t blur; /* a zero, see unknown_zero() */
};

static always_inline uint64_t text_byte(const struct bytes_text *t, uint64_t i)
{
	return (unsigned char)t->s->text[at_most(t->from + i, NUMBER(rt_string_size))];
}

static always_inline void text_put(struct bytes_text *t, char c)
{
	uint64_t at = at_most(t->n, NUMBER(rt_string_size));
	t->s->text[at] = c;
	t->n = at + 1 + t->blur;
}

static always_inline char bytes_digit(uint64_t x)
{
	return x < 10 ? '0' + x : 'a' + x - 10;
}

static long put_hex_byte(uint32_t i, struct bytes_text *t)
{
	uint64_t byte = text_byte(t, i);
	text_put(t, bytes_digit(byte >> 4));
	text_put(t, bytes_digit(byte & 15));
	return 0;
}

/* The bytes are read into the second half of the string's room. */
long rt_hex(uint64_t at, uint64_t size, uint64_t address)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	uint64_t n = unknown_zero(&s->tag), len = at_most(size, NUMBER(rt_string_size) / 2);
	if (size > len)
		rt_truncated(at);
	if (port_read_kernel(s->text + len, len, (void *)address) < 0)
		return fault(at, FAULT_BADADDR, address);
	struct bytes_text t = { .s = s, .n = n, .from = len + n, .blur = n };
	port_loop(len + n, put_hex_byte, &t, 0);
	string_end(s, fitting(at, t.n));
	return 0;
}

#define LABEL_MOST 63 /* RFC 1035, 3.1; a larger byte refers to another place of the message */

/* A character goes to where the byte before it was. */
static long put_label_byte(uint32_t i, struct bytes_text *t)
{
	uint64_t byte = text_byte(t, i), left = t->left;
	OPAQUE(left);
	if (left) {
		t->left = left - 1 + t->blur;
		text_put(t, byte);
		return 0;
	}
	if (!byte || byte > LABEL_MOST) {
		t->ended = !byte + t->blur;
		return 1;
	}
	t->left = byte + t->blur;
	if (i)
		text_put(t, '.');
	return 0;
}

/* A name that does not end within SIZE bytes, or goes on elsewhere in the message, ends in "...".
 */
long rt_dnsname(uint64_t at, uint64_t size, uint64_t address)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	uint64_t n = unknown_zero(&s->tag), len = at_most(size, NUMBER(rt_string_size));
	if (port_read_kernel(s->text, len, (void *)address) < 0)
		return fault(at, FAULT_BADADDR, address);
	struct bytes_text t = { .s = s, .n = n, .from = n, .left = n, .ended = n, .blur = n };
	port_loop(len + n, put_label_byte, &t, 0);
	for (unsigned i = 0; i < 3 && !t.ended; i++)
		text_put(&t, '.');
	string_end(s, fitting(at, t.n));
	return 0;
}
