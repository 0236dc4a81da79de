/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/dwarf/libdw.h"

#ifndef LIBDW_LOADED

const char *libdw_problem(void)
{
	return NULL;
}

#else

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/base.h"

#define LIBDW_FILE "libdw.so.1"

struct libdw libdw;

static const struct {
	const char *name;
	size_t at; /* in struct libdw */
} functions[] = {
#define LIBDW(name) { #name, offsetof(struct libdw, name##_) },
#include "object/dwarf/libdw.def"
#undef LIBDW
};

/* Those of libelf are found in the library that libdw needs. */
static bool find_functions(void *library)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		void *found = dlsym(library, functions[i].name);
		if (!found)
			return false;
		memcpy((char *)&libdw + functions[i].at, &found, sizeof(found));
	}
	return true;
}

const char *libdw_problem(void)
{
	static const char *problem;
	static bool is_tried;
	if (is_tried)
		return problem;
	is_tried = true;
	void *library = dlopen(LIBDW_FILE, RTLD_NOW | RTLD_LOCAL);
	if (!library || !find_functions(library))
		problem = "debug information is read by " LIBDW_FILE
			  " of elfutils 0.171 or later, which is not here: install the package "
			  "libdw1";
	return problem;
}

#endif
