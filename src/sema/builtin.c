/* SPDX-License-Identifier: BSD-2-Clause */
#include "sema/builtin.h"

#define ATTRIBUTES_STABLE                                                                          \
	{                                                                                          \
		.own = { STABILITY_STABLE, STABILITY_STABLE, CLASS_COMMON }                        \
	}
#define ATTRIBUTES_EVOLVING                                                                        \
	{                                                                                          \
		.own = { STABILITY_EVOLVING, STABILITY_EVOLVING, CLASS_COMMON }                    \
	}
#define ATTRIBUTES_KERNEL_DATA                                                                     \
	{                                                                                          \
		.own = { STABILITY_STABLE, STABILITY_PRIVATE, CLASS_COMMON }                       \
	}
#define ATTRIBUTES_OF(part)                                                                        \
	{                                                                                          \
		.field = offsetof(struct provider, part)                                           \
	}

const struct builtin_row builtin_rows[BUILTIN_COUNT] = {
#define VARIABLE(name, type, since, attributes, what)                                              \
	{ #name, type, since, PURITY_PURE, ATTRIBUTES_##attributes },
#include "sema/builtin.def"
#undef VARIABLE
};

const struct builtin_row subroutine_rows[SUBROUTINE_COUNT] = {
#define SUBROUTINE(name, prototype, since, attributes, purity, what)                               \
	{ #name, prototype, since, PURITY_##purity, ATTRIBUTES_##attributes },
#include "sema/builtin.def"
#undef SUBROUTINE
};

static const struct word {
	const char *name;
	uint32_t since;
} actions[] = {
#define ACTION(name, kind, least, most, since, what) { #name, since },
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  since, what)                                                                     \
	{ #name, since },
#include "abi/aggregate.def"
#include "sema/builtin.def"
#undef ACTION
#undef AGGREGATE
}, library[] = {
#define LIBRARY(name, since) { #name, since },
#include "sema/builtin.def"
#undef LIBRARY
};

static uint32_t since_among(const struct word *words, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (string_equal(words[i].name, name))
			return words[i].since;
	return 0;
}

static uint32_t since_among_rows(const struct builtin_row *rows, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (string_equal(rows[i].name, name))
			return rows[i].since;
	return 0;
}

enum subroutine subroutine_find(const char *name)
{
	unsigned i = 0;
	while (i < SUBROUTINE_COUNT && !string_equal(subroutine_rows[i].name, name))
		i++;
	return (enum subroutine)i;
}

bool builtin_is_library(const char *name)
{
	return since_among(library, ARRAY_SIZE(library), name);
}

uint32_t builtin_since(const char *name)
{
	uint32_t since = since_among_rows(builtin_rows, BUILTIN_COUNT, name);
	if (!since)
		since = since_among_rows(subroutine_rows, SUBROUTINE_COUNT, name);
	if (!since)
		since = since_among(actions, ARRAY_SIZE(actions), name);
	return since ? since : since_among(library, ARRAY_SIZE(library), name);
}
