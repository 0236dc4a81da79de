/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * functions - the DWARF entries of functions by address, for debug_info.c
 *
 * Of a file with thousands of units only the one that has the address is read: .debug_aranges names
 * it, or else (clang writes none) the ranges that each unit's first entry has.  Its functions are
 * kept, sorted by address, so a pattern that means all of them reads each unit once.
 */
#ifndef OBJECT_DWARF_FUNCTIONS_H
#define OBJECT_DWARF_FUNCTIONS_H

#include "base/base.h"
#include "object/dwarf/libdw.h"

struct functions;

struct functions *functions_new(Dwarf *dwarf); /* which must outlive it */
void functions_free(struct functions *f);      /* NULL is fine */

/*
 * The entry of the function whose code is at the link-time ADDRESS, and where this function begins;
 * false: there is none.  Of several (the linker has merged them) the one NAME, the linker's name,
 * if there is one.
 */
bool functions_find(struct functions *f, uint64_t address, const char *name, Dwarf_Die *ret,
		    uint64_t *begin);

/* The first entry of the unit that has the link-time ADDRESS, or false. */
bool functions_unit(struct functions *f, uint64_t address, Dwarf_Die *ret);

/* Is it of a namespace, a class or the like, which has functions? */
bool tag_is_scope(int tag);

/* Can the entries of the code at ADDRESS not be read?  For an ADDRESS without a function. */
bool functions_are_damaged(struct functions *f, uint64_t address);

#endif
