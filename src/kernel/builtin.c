/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builtin - where modules are that are a part of the kernel
 *
 * A kernel of 6.12 or later may come with a file modules.builtin.ranges
 * (CONFIG_BUILTIN_MODULE_RANGES).  Its lines are of two kinds (Documentation/kbuild/kbuild.rst):
 *
 *	.text 00000000-00000000 = _text		where the section has this symbol
 *	.text 00ba0120-00ba03c0 foo bar		bytes of the section that these modules have
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/kernel.h"

struct section {
	char name[32];
	uint64_t address; /* of its first byte; 0: unknown */
};

static bool names(char *modules, const char *module)
{
	char *rest;
	for (char *m = strtok_r(modules, " \n", &rest); m; m = strtok_r(NULL, " \n", &rest))
		if (string_equal(m, module))
			return true;
	return false;
}

/* After "=". */
static uint64_t anchor(char *text, symbol_address_fn *address)
{
	char *rest, *symbol = strtok_r(text, " \n", &rest);
	return symbol ? address(symbol) : 0;
}

void builtin_ranges(FILE *lines, const char *module, symbol_address_fn *address,
		    builtin_range_vector *ret)
{
	struct section section = { 0 };
	auto_free char *line = NULL;
	size_t capacity = 0;
	while (getline(&line, &capacity, lines) > 0) {
		struct section of = { 0 };
		uint64_t begin, end;
		int at = 0;
		sscanf(line, "%31s %" SCNx64 "-%" SCNx64 " %n", of.name, &begin, &end, &at);
		if (!at)
			continue;
		if (line[at] == '=') {
			of.address = anchor(line + at + 1, address);
			of.address -= of.address ? begin : 0;
			section = of;
		} else if (section.address && string_equal(of.name, section.name) &&
			   names(line + at, module)) {
			vector_push(ret, (struct builtin_range) { section.address + begin,
								  section.address + end });
		}
	}
}
