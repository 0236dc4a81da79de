/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug_info - what compilers wrote down of a program's or library's types (DWARF), by libdw
 *
 * Variables are found by address, since a name may stand for several (statics of two files) and
 * several may stand for one place (environ, __environ).  The indexes are made at the first
 * question: a pass over the outermost entries of all units, which a program without user symbols
 * never pays for.
 */
#ifndef OBJECT_DEBUG_INFO_H
#define OBJECT_DEBUG_INFO_H

#include <elfutils/libdw.h>

#include "object/object.h"

struct debug_info;

/*
 * That of FILE: its own, else that of its separate file, /usr/lib/debug/.build-id/XX/YYYY.debug, as
 * distributions' packages install it.  NULL: there is none, or it cannot be read.  FILE must
 * outlive it.
 */
struct debug_info *debug_info_open(const struct elf_file *file);
void debug_info_free(struct debug_info *d); /* NULL is fine */

/* The entry of the variable that lies at the link-time ADDRESS, or false. */
bool debug_info_variable(struct debug_info *d, uint64_t address, Dwarf_Die *ret);

/* The typedef NAME, or where the struct, union, class or enum has its body (TAG: DW_TAG_...), or
 * false. */
bool debug_info_definition(struct debug_info *d, int tag, const char *name, Dwarf_Die *ret);

#endif
