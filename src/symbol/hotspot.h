/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotspot - where HotSpot's libjvm keeps what leads from an interpreted method to its names
 *
 * In:   libjvm.so, which exports tables of its structs for debuggers (gHotSpotVMStructs, runtime/
 *       vmStructs.hpp): for each member the names of its type and itself, its offset, and the
 *       address of a static one.  Since JDK 6 a row has had the same form.
 * Out:  where these rows are.  The offsets in them are filled in when the library begins, so they
 *       are read in the process (runtime/stack/methods.c).
 */
#ifndef SYMBOL_HOTSPOT_H
#define SYMBOL_HOTSPOT_H

#include "abi/interpreted.h"
#include "object/object.h"

/* False: E lacks the tables, or rows in them.  RET's base is 0. */
bool hotspot_of_file(struct elf_file *e, struct hotspot *ret);

/* May the file with this base name contain HotSpot? */
bool hotspot_may_be_in(const char *base, size_t len);

#endif
