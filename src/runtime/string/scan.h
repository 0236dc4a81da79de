/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* scan - finds the first byte, from either side, that is in a set or is not */
#ifndef RUNTIME_STRING_SCAN_H
#define RUNTIME_STRING_SCAN_H

#include "runtime/string/text.h"

struct scan {
	const char *text;
	uint64_t set[4]; /* bit c: byte c is a member */
	uint64_t from;	 /* the first byte to check */
	uint64_t count;	 /* bytes to check */
	uint64_t passed; /* result: bytes before the one found; count: none */
	uint64_t backward;
	uint64_t blur;	 /* a zero, see unknown_zero() */
	uint64_t member; /* look for 1: a member, 0: any other */
};

static always_inline void scan_set(struct scan *s, uint64_t c)
{
	uint64_t bit = (uint64_t)1 << (c & 63), word = (c & 255) >> 6;
	s->set[0] = word == 0 ? bit : 0;
	s->set[1] = word == 1 ? bit : 0;
	s->set[2] = word == 2 ? bit : 0;
	s->set[3] = word == 3 ? bit : 0;
}

/* Eight bytes a round: the call costs as much as three of them. */
static long scan_eight(uint32_t round, struct scan *s)
{
	uint64_t count = s->count + s->blur;
#pragma clang loop unroll(disable)
	for (unsigned i = 0; i < 8; i++) {
		uint64_t passed = (uint64_t)round * 8 + i;
		if (passed >= count)
			return 1;
		uint64_t at = s->backward ? s->from - passed : s->from + passed;
		OPAQUE(at);
		if (at >= NUMBER(rt_string_size))
			return 1;
		uint64_t c = (unsigned char)s->text[at];
		if ((s->set[c >> 6] >> (c & 63) & 1) == s->member) {
			s->passed = passed + s->blur;
			return 1;
		}
	}
	return 0;
}

/* COUNT bytes, at most strsize. */
static always_inline uint64_t scan_run(struct scan *s, uint64_t from, uint64_t count,
				       uint64_t backward, uint64_t member)
{
	s->from = from + s->blur;
	s->count = s->passed = count + s->blur;
	s->backward = backward;
	s->member = member;
	port_loop((s->count + 7) / 8, scan_eight, s, 0);
	return at_most(s->passed, NUMBER(rt_string_size));
}

static always_inline uint64_t scan_forward(struct scan *s, uint64_t from, uint64_t count,
					   uint64_t member)
{
	return scan_run(s, from, count, 0, member);
}

/* The bytes before END, from the last one. */
static always_inline uint64_t scan_back(struct scan *s, uint64_t end, uint64_t member)
{
	return scan_run(s, end - 1, end, 1, member);
}

#endif
