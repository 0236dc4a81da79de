/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's functions of strings: some names in them are others' names in native.c */
#include "interpreter/host.h"

#include "runtime/edit.c"
#include "runtime/json.c"
#include "runtime/number.c"
#include "runtime/path.c"
#include "runtime/search.c"
#include "runtime/string.c"
