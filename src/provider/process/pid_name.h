/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_name - which functions a description's FUNCTION means
 *
 * The symbol's name, or a pattern of it.  With "::" in it, the name that a programmer of C++ or
 * Rust gave, with or without parameters: `std::vector::push_back`, `shape::area(int)`; overloads
 * and, without arguments of templates, all instances are meant.  Functions of C++ outside of
 * namespaces and classes have no "::": `work` is work(int), of the symbol _Z4worki, as well as the
 * C function work.
 */
#ifndef PROVIDER_PID_NAME_H
#define PROVIDER_PID_NAME_H

#include "base/base.h"

/* Is it the name of a function in full, without a scope, rather than a pattern? */
bool pid_name_is_plain(const char *function);

/* Is the symbol NAME called FUNCTION, which is plain? */
bool pid_name_is(const char *function, const char *name);

/* Is the symbol NAME meant by FUNCTION? */
bool pid_name_match(const char *function, const char *name);

/* Does FUNCTION, a pattern, fit what a programmer wrote of the symbol NAME, :: or not? */
bool pid_name_match_written(const char *function, const char *name);

#endif
