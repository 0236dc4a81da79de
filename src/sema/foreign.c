/* SPDX-License-Identifier: BSD-2-Clause */
/* foreign - names of other systems: what to write instead */
#include "sema/sema_internal.h"

static const struct {
	enum foreign_kind kind;
	const char *name, *remedy;
} rows[] = {
#define FOREIGN(kind, name, remedy) { FOREIGN_##kind, name, remedy },
#include "sema/foreign.def"
#undef FOREIGN
};

const char *foreign_remedy(enum foreign_kind kind, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].kind == kind && string_equal(rows[i].name, name))
			return rows[i].remedy;
	return NULL;
}
