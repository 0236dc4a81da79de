/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* clause_drop - counts drops for the clause that lost the data, under dropsby=clause */
#ifndef RUNTIME_CLAUSE_DROP_H
#define RUNTIME_CLAUSE_DROP_H

#include "runtime/runtime.h"

static always_inline long drop_clause(uint64_t clause, uint64_t kind, uint64_t n)
{
	uint64_t area = port_area();
	OPAQUE(area);
	if (area >= NUMBER(rt_areas) || clause >= NUMBER(rt_clauses) || kind >= CLAUSE_DROP_KINDS)
		return 0;
	OPAQUE(clause);
	OPAQUE(kind);
	uint64_t at = (area * NUMBER(rt_clauses) + clause) * CLAUSE_DROP_KINDS + kind;
	__sync_fetch_and_add((uint64_t *)rt_clause_drops + at, n);
	return 0;
}

#endif
