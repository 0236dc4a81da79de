/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* digits - a number as a string, from its last digit */
#ifndef RUNTIME_STRING_DIGITS_H
#define RUNTIME_STRING_DIGITS_H

#include "runtime/string/text.h"

struct to_text {
	uint64_t rest;
	uint64_t base;
	char text[72]; /* 64 digits end here; before them a sign or a prefix */
	char nul[8];   /* zero, the end of the string */
};

static long put_digit(uint32_t i, struct to_text *t)
{
	uint64_t at = sizeof(t->text) - 1 - i;
	OPAQUE(at);
	if (at >= sizeof(t->text))
		return 1;
	uint64_t digit = t->rest % t->base;
	t->text[at] = digit < 10 ? '0' + digit : 'a' + digit - 10;
	t->rest /= t->base;
	return t->rest == 0;
}

/* The offset of the digits in T's text, at least 8; 0: none, which cannot happen. */
static always_inline uint64_t put_digits(struct to_text *t)
{
	/* The loop's result is unknown to the verifier; it is the number of digits. */
	uint64_t start = sizeof(t->text) - port_loop(64, put_digit, t, 0);
	OPAQUE(start);
	return start < 8 || start >= sizeof(t->text) ? 0 : start;
}

#endif
