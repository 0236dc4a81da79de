/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_name - which functions a description's FUNCTION means
 *
 * The symbol's name, or a pattern of it.  With "::" in it, the name that a programmer of C++ or
 * Rust gave, with or without parameters: `std::vector*::push_back`, `shape::area(int)`; overloads
 * and instances of a template are all meant.
 */
#ifndef PROVIDER_PID_NAME_H
#define PROVIDER_PID_NAME_H

#include "base/base.h"

/* Does it mean one symbol, by its name in full? */
bool pid_name_is_plain(const char *function);

/* Is the symbol NAME meant by FUNCTION? */
bool pid_name_match(const char *function, const char *name);

#endif
