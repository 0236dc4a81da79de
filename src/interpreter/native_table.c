/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of the rows of rt.def
 *
 * The library is written for BPF, where a function gets five numbers in registers and returns one;
 * this processor's calls are the same for functions with fewer.
 */
#include "interpreter/native.h"

#define NATIVE(name)                                                                               \
	uint64_t native_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e);
#define LIBRARY(name) long rt_##name(void);
#define POINTED(...)
#include "interpreter/row.def"
#undef NATIVE
#undef LIBRARY

native_fn *native_function(enum rt_function function)
{
	static native_fn *const functions[RT_COUNT] = {
#define NATIVE(name) [RT_##name] = native_##name,
#define LIBRARY(name) [RT_##name] = (native_fn *)(void *)rt_##name,
#include "interpreter/row.def"
#undef NATIVE
#undef LIBRARY
#undef POINTED
	};
	return functions[function];
}
