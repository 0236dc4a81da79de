/* SPDX-License-Identifier: BSD-2-Clause */
/* name - the names that tracers can take: no colon, blank, quote or slash */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "internal.h"

#define FUNCTION_MOST 127

static const struct {
	const char *what;
	size_t most;
	const char *marks;  /* allowed besides letters, digits and _ */
	bool is_identifier; /* begins with a letter or _ */
} kinds[] = {
	[NAME_PROVIDER] = { "provider", DTUSDT_NAME_MOST, "-", true },
	[NAME_PROBE] = { "probe", DTUSDT_NAME_MOST, "-", true },
	[NAME_MODULE] = { "module", DTUSDT_NAME_MOST, "-.+", false },
	/* Of any language: Ruby's empty?, C++'s operators. */
	[NAME_FUNCTION] = { "function", FUNCTION_MOST, "-.+$#@~!?<>=&|^%*[]()", false },
};

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) && isascii((unsigned char)c);
}

static bool is_allowed(enum name_kind kind, char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '_' ||
	       (c && strchr(kinds[kind].marks, c));
}

int name_check(enum name_kind kind, const char *name)
{
	const char *what = kinds[kind].what;
	if (!name || !*name)
		return fail(EINVAL, "a %s needs a name", what);
	if (strlen(name) > kinds[kind].most)
		return fail(ENAMETOOLONG, "the name of a %s has at most %zu bytes: %.20s...", what,
			    kinds[kind].most, name);
	if (kinds[kind].is_identifier && !is_letter(*name) && *name != '_')
		return fail(EINVAL, "the name of a %s begins with a letter: %s", what, name);
	for (const char *c = name; *c; c++)
		if (!is_allowed(kind, *c))
			return fail(EINVAL, "the name of a %s cannot contain byte %d, 0x%02x: %s",
				    what, (int)(c - name), (unsigned char)*c, name);
	return 0;
}
