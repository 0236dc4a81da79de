/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Floating-point values (IEEE 754) without floating-point instructions, which BPF does not have.
 * A double is its 64 bits: sign, exponent (11), fraction (52).
 */
#include "runtime/runtime.h"

#define SIGN (1ull << 63)
#define FRACTION_BITS 52
#define HIDDEN_BIT (1ull << FRACTION_BITS)
#define EXPONENT_MOST 0x7ff /* infinities and NaNs */
#define INFINITE (0x7ffull << FRACTION_BITS)
#define EXPONENT_OF_1 1023
#define LOW_HALF 0xffffffffull
#define SCALE_MOST 0x7fffffff

/* The number of the highest bit of X, which is not 0. */
static always_inline unsigned highest_bit(uint64_t x)
{
	unsigned n = 0;
	for (unsigned step = 32; step; step /= 2) {
		if (x >> step) {
			x >>= step;
			n += step;
		}
	}
	return n;
}

/* The double of a float. */
long rt_real_widen(uint64_t bits)
{
	uint64_t sign = (bits & 0x80000000) << 32, fraction = bits & 0x7fffff;
	uint64_t exponent = bits >> 23 & 0xff;
	if (exponent == 0xff)
		return (long)(sign | INFINITE | fraction << 29);
	if (exponent)
		return (long)(sign | (exponent + 896) << FRACTION_BITS | fraction << 29);
	if (!fraction)
		return (long)sign;
	unsigned top = highest_bit(fraction); /* fraction * 2^-149 */
	return (long)(sign | (uint64_t)(top + 874) << FRACTION_BITS |
		      (fraction << (FRACTION_BITS - top) & (HIDDEN_BIT - 1)));
}

/* The double next to X, the even one of two that are equally near. */
long rt_real_of(int64_t x, uint64_t is_signed)
{
	uint64_t sign = is_signed && x < 0 ? SIGN : 0;
	uint64_t magnitude = sign ? -(uint64_t)x : (uint64_t)x;
	if (!magnitude)
		return 0;
	unsigned top = highest_bit(magnitude);
	uint64_t bits = (uint64_t)(EXPONENT_OF_1 + top) << FRACTION_BITS;
	if (top <= FRACTION_BITS)
		return (long)(sign | (bits + ((magnitude << (FRACTION_BITS - top)) - HIDDEN_BIT)));
	unsigned cut = (top - FRACTION_BITS) & 63;
	uint64_t rest = magnitude & ((1ull << cut) - 1), half = 1ull << (cut - 1);
	uint64_t fraction = magnitude >> cut;
	fraction += rest > half || (rest == half && fraction & 1);
	return (long)(sign | (bits + (fraction - HIDDEN_BIT)));
}

static always_inline int is_nan(uint64_t bits)
{
	return (bits & ~SIGN) > INFINITE;
}

/* -0 and 0 are equal. */
static always_inline int64_t order_of(uint64_t bits)
{
	return bits & SIGN ? -(int64_t)(bits & ~SIGN) : (int64_t)bits;
}

/* -1, 0, 1; 2: one of them is no number. */
long rt_real_order(uint64_t a, uint64_t b)
{
	if (is_nan(a) || is_nan(b))
		return 2;
	int64_t x = order_of(a), y = order_of(b);
	return x < y ? -1 : x > y;
}

/*
 * The double BITS times SCALE, a number from 1 to 2^31 - 1, as an integer: rounded, halves away
 * from 0, or cut off.  Faults where that is no int64_t.
 */
long rt_fixed(uint64_t at, uint64_t bits, int64_t scale, uint64_t rounds)
{
	unsigned exponent = bits >> FRACTION_BITS & EXPONENT_MOST;
	uint64_t fraction = bits & (HIDDEN_BIT - 1);
	if (scale < 1 || scale > SCALE_MOST)
		return fault(at, FAULT_ILLOP, bits);
	if (exponent == EXPONENT_MOST)
		return fault(at, FAULT_NOINTEGER, bits);
	fraction |= exponent ? HIDDEN_BIT : 0;
	/* fraction * scale, of at most 84 bits, is high * 2^32 + low */
	uint64_t low = (fraction & LOW_HALF) * (uint64_t)scale;
	uint64_t high = (fraction >> 32) * (uint64_t)scale + (low >> 32), result, rest = 0;
	low &= LOW_HALF;
	int shift = (exponent ? (int)exponent : 1) - EXPONENT_OF_1 - FRACTION_BITS;
	if (shift >= 0) {
		result = high << 32 | low;
		unsigned top = high | low ? highest_bit(high ? high : low) + (high ? 32 : 0) : 0;
		if (top + (unsigned)shift > 63)
			return fault(at, FAULT_NOINTEGER, bits);
		result <<= shift & 63;
	} else if (shift > -32) {
		unsigned right = (unsigned)-shift & 31;
		if (high >> (32 + right))
			return fault(at, FAULT_NOINTEGER, bits);
		result = high << (32 - right) | low >> right;
		rest = low >> (right - 1) & 1;
	} else {
		unsigned right = (unsigned)-shift - 32;
		result = right > 63 ? 0 : high >> (right & 63);
		rest = !right ? low >> 31 : right > 64 ? 0 : high >> ((right - 1) & 63) & 1;
	}
	result += rounds ? rest : 0;
	if (result > SIGN - !(bits & SIGN)) /* -2^63 is a number, 2^63 is not */
		return fault(at, FAULT_NOINTEGER, bits);
	return (long)(bits & SIGN ? -result : result);
}
