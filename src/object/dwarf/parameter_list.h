/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parameter_list - the parameters of a function, in the order of its source
 *
 * The entry of a copy that the compiler has made (f.constprop.0, f.isra.0), or of one for the calls
 * that are not inlined, has the parameters that are still there first, then what has become a
 * constant; others are missing.  The function that it is an instance of (DW_AT_abstract_origin) has
 * all of them, in their order.
 */
#ifndef OBJECT_PARAMETER_LIST_H
#define OBJECT_PARAMETER_LIST_H

#include <elfutils/libdw.h>

#include "base/base.h"

struct parameter_entry {
	Dwarf_Die entry; /* the instance's; of one that is missing there, the source's */
	bool is_missing;
};

typedef VECTOR(struct parameter_entry) parameter_entries;

/* False: they cannot be read.  The caller frees RET in either case. */
bool parameter_list(Dwarf_Die *function, parameter_entries *ret);

#endif
