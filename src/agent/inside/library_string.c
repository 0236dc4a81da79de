/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's functions of strings: some names in them are others' names in library.c */
#include "agent/inside/host.h"

#include "runtime/string/bytes.c"
#include "runtime/string/edit.c"
#include "runtime/string/json.c"
#include "runtime/string/number.c"
#include "runtime/string/path.c"
#include "runtime/string/search.c"
#include "runtime/string/string.c"
