/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacks N - main() calls outer(), that inner(N), which calls itself N times, then leaf()
 *
 * In three forms: pushed_* begin with `push %rbp`, where new kernels add the caller to
 * a stack at entry; padded_* with a nop, where none does; frameless_* have no frame pointers.
 */
#include "trigger.h"

static volatile long sink;

#define FUNCTIONS(form, attributes)                                                                \
	PROBED attributes long form##_leaf(long x)                                                 \
	{                                                                                          \
		sink = x;                                                                          \
		return x + 1;                                                                      \
	}                                                                                          \
	PROBED attributes long form##_inner(long n)                                                \
	{                                                                                          \
		long r = n ? form##_inner(n - 1) : form##_leaf(n);                                 \
		return r + sink;                                                                   \
	}                                                                                          \
	PROBED attributes long form##_outer(long n)                                                \
	{                                                                                          \
		long r = form##_inner(n);                                                          \
		return r + sink;                                                                   \
	}

FUNCTIONS(pushed, )
FUNCTIONS(padded, __attribute__((patchable_function_entry(1))))
FUNCTIONS(frameless, __attribute__((optimize("omit-frame-pointer"))))

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 3);
	trigger_wait();
	pushed_outer(n);
	padded_outer(n);
	frameless_outer(n);
	return 0;
}
