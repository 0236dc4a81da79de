/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libdw - the library that reads DWARF: linked, or loaded when it is first needed
 *
 * `make` links it.  Distributions want no copies of libraries in programs, and most runs need no
 * debug information: with SHARED_LIBS=yes the functions of libdw.def are members of a table, which
 * libdw_problem() fills from the system's library, and their names mean these members.  So calls
 * are written in one way, and none is possible that is not in the list: it would not link.
 * Loading and finding the functions takes 0.27 ms, 1.3 to 2.8 ms if the file is not in memory.
 *
 * libdw works with handles of the libelf that it has loaded, which may be another one than that of
 * object/elf/: for files that include this header, libelf's functions of the list are members of
 * the table, too.  object/elf/ does not include it.
 *
 * Always true: no function is called before libdw_problem() has returned NULL.
 *
 * To add a function: a row in libdw.def.
 */
#ifndef OBJECT_DWARF_LIBDW_H
#define OBJECT_DWARF_LIBDW_H

#include <elfutils/libdw.h>

/*
 * Load it, where it is not linked.  NULL: it is there; else why not, and what to do.  Only the
 * first call tries.
 */
const char *libdw_problem(void);

#ifdef LIBDW_LOADED
struct libdw {
#define LIBDW(name) __typeof__(name) *name##_;
#include "object/dwarf/libdw.def"
#undef LIBDW
};
extern struct libdw libdw;

#include "libdw_names.inc" /* #define dwarf_tag libdw.dwarf_tag_ ... */
#endif

#endif
