/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's functions of strings: some names in them are others' names in native.c */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wstrict-aliasing"
#include "interpreter/port.h"

#include "runtime/edit.c"
#include "runtime/json.c"
#include "runtime/number.c"
#include "runtime/path.c"
#include "runtime/search.c"
#include "runtime/string.c"
