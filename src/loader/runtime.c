/* SPDX-License-Identifier: BSD-2-Clause */
/* The embedded run-time library */
#include <stdlib.h>
#include <string.h>

#include "loader/internal.h"

#include "runtime_object.inc"

const struct runtime_function *runtime_function(unsigned index)
{
	return &runtime_functions[index];
}

unsigned runtime_function_count(void)
{
	return ARRAY_SIZE(runtime_functions);
}

static int name_compare(const void *name, const void *function)
{
	return strcmp(name, ((const struct runtime_function *)function)->name);
}

int runtime_find(const char *name)
{
	const struct runtime_function *found =
		bsearch(name, runtime_functions, ARRAY_SIZE(runtime_functions),
			sizeof(*runtime_functions), name_compare);
	return found ? (int)(found - runtime_functions) : -1;
}

int runtime_row(enum rt_function function)
{
	return runtime_rows[function];
}

const struct bpf_insn *runtime_code(const struct runtime_function *f)
{
	return &runtime_insns[f->first];
}

const struct runtime_reference *runtime_references_from(uint32_t instruction,
							const struct runtime_reference **end)
{
	const struct runtime_reference *list = runtime_references;
	size_t low = 0, high = ARRAY_SIZE(runtime_references);
	*end = list + high;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (list[middle].instruction < instruction)
			low = middle + 1;
		else
			high = middle;
	}
	return list + low;
}

const char *runtime_extern_name(int index)
{
	return runtime_externs[index];
}
