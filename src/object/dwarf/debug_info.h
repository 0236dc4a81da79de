/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug_info - DWARF types, variables and functions of a program or library, by libdw
 *
 * Variables are found by address, because a name may belong to several (statics of two files)
 * and several names to one address (environ, __environ).  Indexes are made by the first look-up,
 * by a pass over the entries of all units: the outermost ones and those in namespaces.  A second
 * pass enters functions for a static variable, or classes for a type, that is nowhere else.  A
 * program without user symbols never makes them.
 *
 * A function is looked up by address, too, but only the unit of its code is read.
 */
#ifndef OBJECT_DWARF_DEBUG_INFO_H
#define OBJECT_DWARF_DEBUG_INFO_H

#include "object/dwarf/libdw.h"
#include "object/object.h"

struct debug_info;

/*
 * The debug information in FILE itself (image/ finds separate files).  NULL: there is none, or it
 * cannot be read: then *IS_DAMAGED becomes true.  FILE must outlive it.
 */
struct debug_info *debug_info_open(const struct elf_file *file, bool *is_damaged);
void debug_info_free(struct debug_info *d); /* NULL is fine */

/*
 * The entry of the variable at the link-time ADDRESS, or false.  Of several the one NAME, the
 * linker's name, if there is one; if there is no entry at all, an extern NAME.
 */
bool debug_info_variable(struct debug_info *d, uint64_t address, const char *name, Dwarf_Die *ret);

/* A thread-local variable's address is its offset in the block of each thread, and this bit. */
#define DEBUG_INFO_THREAD_LOCAL (1ull << 63)

/*
 * The entry of the function whose code is at the link-time ADDRESS, and its first byte's address;
 * or false.  Of several the one NAME, the linker's name, if there is one.
 */
bool debug_info_function(struct debug_info *d, uint64_t address, const char *name, Dwarf_Die *ret,
			 uint64_t *begin);

/* No function or line of ADDRESS was found: is that because entries there cannot be read? */
bool debug_info_is_damaged(struct debug_info *d, uint64_t address);

/*
 * Of a unit that was compiled with -gsplit-dwarf only a skeleton is in the program.  The file with
 * the rest of the unit of ADDRESS, if it cannot be found; else NULL.  D owns it.
 */
const char *debug_info_missing_file(struct debug_info *d, uint64_t address);
/* The first such file of D: a variable is in one of them. */
const char *debug_info_first_missing_file(struct debug_info *d);

/* The first entry of the unit whose code is at the link-time ADDRESS, or false. */
bool debug_info_unit(struct debug_info *d, uint64_t address, Dwarf_Die *ret);

/* The unit after the one AT, which is NULL at first; false: there is none. */
bool debug_info_next_unit(struct debug_info *d, Dwarf_CU **at, Dwarf_Die *ret);

/* The same with all entries, which may be in a separate file (split DWARF). */
bool debug_info_next_whole_unit(struct debug_info *d, Dwarf_CU **at, Dwarf_Die *ret);

/* The name that the linker knows ENTRY by, else the source's; NULL: it has none. */
const char *debug_info_linker_name(Dwarf_Die *entry);

/* The number that OP, of LOCATION, pushes, if it is an address; clang keeps these in a table. */
bool operation_is_address(Dwarf_Attribute *location, const Dwarf_Op *op, Dwarf_Addr *ret);

/*
 * The typedef NAME, or the body of the struct, union, class or enum (TAG: DW_TAG_...), or false.
 * One in a namespace or class is used if there is none outside.
 */
bool debug_info_type(struct debug_info *d, int tag, const char *name, Dwarf_Die *ret);

/* Where that which DECLARATION only announces has its body: in the same scope of another unit. */
bool debug_info_definition(struct debug_info *d, Dwarf_Die *declaration, Dwarf_Die *ret);

#endif
