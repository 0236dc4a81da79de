/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compatible - whether the programs of several sources can be merged
 *
 * Clauses, aggregations and probes are merged by number, so they must be the same.  The places of
 * fields and keys and the sharding of keys may differ in each program.
 */
#include <string.h>

#include "consumer/internal.h"

static bool aggregation_layouts_agree(const struct aggregation_layout *a,
				      const struct aggregation_layout *b)
{
	bool agree = a->function == b->function && a->base == b->base && a->step == b->step &&
		     a->levels == b->levels && memcmp(&a->ll, &b->ll, sizeof(a->ll)) == 0 &&
		     a->value_size == b->value_size && a->key_count == b->key_count &&
		     (a->map < 0) == (b->map < 0);
	for (unsigned i = 0; i < a->key_count && agree; i++)
		/* A key of one is converted into a key of the other (key.c). */
		agree = a->keys[i].kind == b->keys[i].kind && a->keys[i].size == b->keys[i].size &&
			a->keys[i].is_signed == b->keys[i].is_signed;
	return agree;
}

static bool clauses_agree(const struct clause_layout *a, const struct clause_layout *b)
{
	bool agree = a->epid == b->epid && a->action_count == b->action_count;
	for (unsigned i = 0; i < a->action_count && agree; i++)
		agree = a->actions[i].kind == b->actions[i].kind &&
			a->actions[i].field_count == b->actions[i].field_count;
	return agree;
}

bool consumer_programs_agree(const struct program *a, const struct program *b)
{
	bool agree =
		a->clause_count == b->clause_count && a->aggregation_count == b->aggregation_count;
	for (unsigned i = 0; i < a->clause_count && agree; i++)
		agree = clauses_agree(&a->clauses[i], &b->clauses[i]);
	for (unsigned i = 0; i < a->aggregation_count && agree; i++)
		agree = aggregation_layouts_agree(&a->aggregations[i], &b->aggregations[i]);
	return agree;
}

struct error *inputs_check(const struct consumer *c)
{
	for (unsigned i = 1; i < c->setup.source_count; i++)
		if (!consumer_programs_agree(c->program, c->inputs[i].source.program))
			return error_new(
				"executor %u has loaded other clauses than the first executor",
				i + 1);
	return NULL;
}
