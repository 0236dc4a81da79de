/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/real.c against the machine's own arithmetic */
#include "host.h"

#include "runtime/real.c"

#include <math.h>

#ifdef __aarch64__
typedef long double wide; /* 113 bits: products of doubles and scales are exact */
#else
typedef __float128 wide;
#endif

static uint64_t some_bits(int i)
{
	const double special[] = { 0.0,
				   -0.0,
				   1,
				   -1,
				   0.5,
				   -0.5,
				   1.5,
				   2.5,
				   0.49999999999999994,
				   4503599627370497.5,
				   9223372036854774784.0,
				   9223372036854775808.0,
				   -9223372036854775808.0,
				   INFINITY,
				   -INFINITY,
				   NAN,
				   5e-324,
				   2.2250738585072014e-308,
				   1e308,
				   4294967296.0,
				   1e-10 };
	uint64_t bits = (uint64_t)test_random() << 32 | test_random();
	if (i < (int)(sizeof(special) / sizeof(special[0])))
		memcpy(&bits, &special[i], sizeof(bits));
	else if (i % 4) /* near 1: those that fit */
		bits = (bits & ~INFINITE) | (uint64_t)(EXPONENT_OF_1 - 70 + test_random() % 140)
						    << FRACTION_BITS;
	return bits;
}

static double double_of(uint64_t bits)
{
	double x;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint64_t bits_of(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

TEST(a_float_is_widened)
{
	for (int i = 0; i < 200000; i++) {
		uint32_t bits = i < 70000 ? (uint32_t)i * 61681 : test_random();
		float x;
		memcpy(&x, &bits, sizeof(x));
		uint64_t got = (uint64_t)rt_real_widen(bits);
		if (isnan(x))
			CHECK(isnan(double_of(got)));
		else
			CHECK_INT(got, bits_of(x));
	}
}

TEST(an_integer_is_rounded_to_a_double)
{
	for (int i = 0; i < 200000; i++) {
		uint64_t x = ((uint64_t)test_random() << 32 | test_random()) >> test_random() % 64;
		x = i < 100 ? (uint64_t)(i - 50) : i < 200 ? UINT64_MAX - (uint64_t)i * 128 : x;
		CHECK_INT((uint64_t)rt_real_of((int64_t)x, 1), bits_of((double)(int64_t)x));
		CHECK_INT((uint64_t)rt_real_of((int64_t)x, 0), bits_of((double)x));
	}
}

TEST(doubles_are_ordered)
{
	for (int i = 0; i < 100000; i++) {
		uint64_t a = some_bits(i % 32), b = i % 7 ? some_bits(i) : a;
		double x = double_of(a), y = double_of(b);
		int wanted = isnan(x) || isnan(y) ? 2 : x < y ? -1 : x > y;
		CHECK_INT(rt_real_order(a, b), wanted);
	}
}

static void check_fixed(uint64_t bits, int64_t scale, int rounds)
{
	double x = double_of(bits);
	wide product = (wide)x * scale, size = product < 0 ? -product : product;
	size += rounds ? 0.5 : 0;
	slot_of(ROOM(0))->fault = 0;
	int64_t got = rt_fixed(ROOM(0), bits, scale, rounds);
	if (isnan(x) || isinf(x) || size >= (wide)9223372036854775808.0 + (product < 0)) {
		CHECK_FAULT(FAULT_NOINTEGER, bits);
		return;
	}
	CHECK_NO_FAULT();
	uint64_t wanted = (uint64_t)size;
	CHECK_INT(got, product < 0 ? -wanted : wanted);
}

TEST(products_are_those_of_wide_arithmetic)
{
	const int64_t scales[] = { 1, 2, 3, 10, 1000, 1000000, 1000000000, SCALE_MOST };
	for (int i = 0; i < 400000; i++) {
		int64_t scale = i % 2 ? scales[i / 2 % 8] : 1 + test_random() % SCALE_MOST;
		check_fixed(some_bits(i % 100000), scale, i % 3 > 0);
	}
}

TEST(numbers_next_to_the_limits)
{
	for (int scale = 1; scale < 3000; scale++)
		for (int i = -4; i < 4; i++)
			for (int sign = 0; sign < 2; sign++)
				check_fixed((bits_of(9223372036854775808.0 / scale) + (uint64_t)i) |
						    (sign ? SIGN : 0),
					    scale, scale % 2);
}

TEST(other_scales_fault)
{
	const int64_t scales[] = { 0, -1, INT64_MIN, SCALE_MOST + 1ll, INT64_MAX };
	for (int i = 0; i < 5; i++) {
		rt_fixed(ROOM(0), bits_of(1.5), scales[i], 1);
		CHECK_FAULT(FAULT_ILLOP, bits_of(1.5));
	}
}

TEST_MAIN
