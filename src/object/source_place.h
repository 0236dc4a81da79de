/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source_place - where in its source an instruction is
 *
 * In:   DWARF: a unit's line table, and the entries of functions that the compiler has inlined.
 * Out:  one place for each of them, and one for the function whose code it is.
 */
#ifndef OBJECT_SOURCE_PLACE_H
#define OBJECT_SOURCE_PLACE_H

#include "object/debug_info.h"

struct source_place {
	const char
		*function; /* an inlined one, the linker's name; NULL: the one that has a symbol */
	const char *file;  /* as the compiler names it; NULL: unknown */
	int line;	   /* 0: unknown */
};

#define SOURCE_PLACES_MAX 32 /* functions inlined into each other, and the outermost one */

/*
 * The places of the instruction at the link-time ADDRESS, the innermost first: each of the others
 * is where it calls the one before.  The result is how many there are in RET, at most
 * SOURCE_PLACES_MAX; 0: D knows none.  Texts live as long as D.
 */
unsigned debug_info_places(struct debug_info *d, uint64_t address, struct source_place *ret);

#endif
