/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle - names of C++ and Rust as their programmers wrote them
 *
 * In:   a symbol's name, from a file: it may be damaged or hostile.
 * Out:  its text, by libiberty, which GDB and binutils read names with.
 *
 * A few bytes can mean gigabytes, because a name refers to its own parts: a text longer than
 * DEMANGLE_MOST is abandoned.
 */
#ifndef OBJECT_DEMANGLE_H
#define OBJECT_DEMANGLE_H

#include "base/base.h"

#define DEMANGLE_MOST 16384 /* bytes */

/* Could NAME be mangled?  Quick. */
static inline bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* Is NAME one of C++ outside of namespaces and classes, as _Z4workv and _ZL4workv are?  Quick. */
static inline bool is_mangled_unscoped(const char *name)
{
	if (name[0] != '_' || name[1] != 'Z')
		return false;
	const char *length = name + 2 + (name[2] == 'L');
	return *length >= '1' && *length <= '9';
}

enum demangle_form {
	DEMANGLE_NAME,	/* without a function's parameters */
	DEMANGLE_WHOLE, /* with them */
	DEMANGLE_SHORT, /* without them, and <...> for longer arguments of templates and generics */
};

/* NAME's text.  False: it has none; RET is unchanged. */
bool demangle(const char *name, enum demangle_form form, struct strbuf *ret);

/* Remove arguments of templates from TEXT, or those that are longer than WITH, which replaces them.
 */
void demangled_shorten(char *text, const char *with);

#endif
