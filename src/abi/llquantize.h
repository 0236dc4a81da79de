/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* llquantize - bounds of log-linear buckets, the same for codegen and consumer */
#ifndef ABI_LLQUANTIZE_H
#define ABI_LLQUANTIZE_H

#include "abi/state.h"

/* base^exponent; the compiler has checked that f^(high+1) fits. */
static inline uint64_t llquantize_power(uint64_t base, unsigned exponent)
{
	uint64_t x = 1;
	for (unsigned i = 0; i < exponent && i < 64; i++)
		x *= base;
	return x;
}

/* The width of magnitude [from, from * factor)'s buckets. */
static inline uint64_t llquantize_width(const struct llquantize *ll, uint64_t from)
{
	uint64_t width = from * ll->factor / ll->steps;
	return width ? width : 1;
}

/*
 * Bounds are the multiples of the width from here on.  With fewer steps than the factor the first
 * bucket of a magnitude begins at FROM: llquantize(x, 8, 0, 1, 2) has 1, 4, 8, 32.
 */
static inline uint64_t llquantize_origin(const struct llquantize *ll, uint64_t from)
{
	return ll->steps < ll->factor ? 0 : from;
}

/* How many buckets that magnitude has; its end may be almost 2^64. */
static inline uint64_t llquantize_count(const struct llquantize *ll, uint64_t from)
{
	uint64_t width = llquantize_width(ll, from);
	return (from * ll->factor - llquantize_origin(ll, from) - 1) / width + 1;
}

/* Buckets on one side of the centre, the overflow bucket included. */
static inline uint64_t llquantize_side(const struct llquantize *ll)
{
	uint64_t from = llquantize_power(ll->factor, ll->low);
	uint64_t total = 1;
	for (unsigned m = ll->low; m <= ll->high && m < 64; m++, from *= ll->factor)
		total += llquantize_count(ll, from);
	return total;
}

static inline uint64_t llquantize_buckets(const struct llquantize *ll)
{
	return 2 * llquantize_side(ll) + 1;
}

#endif
