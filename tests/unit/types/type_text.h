/* SPDX-License-Identifier: BSD-2-Clause */
/* type_text - a type as tests compare it */
#ifndef TESTS_UNIT_TYPES_TYPE_TEXT_H
#define TESTS_UNIT_TYPES_TYPE_TEXT_H

#include "types/types.h"

/* As C writes it, until the next call; "(none)" of NULL. */
static const char *text_of(const struct type *type)
{
	static struct strbuf out;
	strbuf_clear(&out);
	if (!type)
		return "(none)";
	type_print(type, &out);
	return strbuf_text(&out);
}

#endif
