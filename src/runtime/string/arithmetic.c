/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Signed division, which BPF has only since version 4 of its instruction set. */
#include "runtime/runtime.h"

static always_inline uint64_t integer_magnitude(int64_t x)
{
	return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* Truncates toward zero; INT64_MIN / -1 wraps.  The compiler has checked that Y is not 0. */
long rt_divide_signed(int64_t x, int64_t y)
{
	uint64_t quotient = y ? integer_magnitude(x) / integer_magnitude(y) : 0;
	return (x < 0) != (y < 0) ? -quotient : quotient;
}

/* The sign of X. */
long rt_modulo_signed(int64_t x, int64_t y)
{
	uint64_t rest = y ? integer_magnitude(x) % integer_magnitude(y) : 0;
	return x < 0 ? -rest : rest;
}
