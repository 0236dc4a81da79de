/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inlined - the copies of a function that the compiler has put into other functions
 *
 * In:   DWARF: what a unit says once of a function that it inlines (an entry without code), and
 *       an entry for each copy (DW_TAG_inlined_subroutine) in that of the function around it.
 * Out:  where each copy begins: DW_AT_entry_pc, else the lowest address of its first range.
 *
 * Most functions are never inlined.  So the first pass reads the outermost entries alone, and those
 * of namespaces and classes; only if one of them may be meant, a second one reads all code.
 *
 * A function in a header is compiled by each unit that uses it, and the linker leaves one of them,
 * to which the entries of all lead: copies at one address count only in one of these functions.
 */
#ifndef OBJECT_DWARF_INLINED_H
#define OBJECT_DWARF_INLINED_H

#include "object/dwarf/source_place.h"

struct inlined_copy {
	const char *function;	   /* the linker's name */
	uint64_t address;	   /* link-time */
	Dwarf_Die entry, within;   /* its own; that of the function whose code has it */
	struct source_place place; /* of the call; FUNCTION: what it is inlined into first, or NULL:
				    * what has a symbol */
};

struct inlined_copies {
	VECTOR(struct inlined_copy) list;
	bool is_known; /* there is such a function */
};

/*
 * Append the copies of functions whose linker's name IS; texts live as long as D.  The caller frees
 * the list.
 */
void inlined_find(struct debug_info *d, bool (*is)(const void *arg, const char *name),
		  const void *arg, struct inlined_copies *ret);

#endif
