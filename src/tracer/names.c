/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stacks are printed later than they are taken, maybe when the process is gone
 * and its mappings with it.  So while a script records user addresses, the
 * mappings of -c and -p processes are read at the start and in every round.
 */
#include "tracer/internal.h"

static bool is_user_address(const struct value_field *f)
{
	switch (f->kind) {
	case VALUE_USTACK:
	case VALUE_USYM:
	case VALUE_UFUNC:
	case VALUE_UMOD:
	case VALUE_UADDR:
		return true;
	default:
		return false;
	}
}

static bool in_records(const struct program *p)
{
	for (unsigned i = 0; i < p->clause_count; i++)
		for (unsigned j = 0; j < p->clauses[i].action_count; j++) {
			const struct action_layout *a = &p->clauses[i].actions[j];
			for (unsigned k = 0; k < a->field_count; k++)
				if (is_user_address(&a->fields[k]))
					return true;
		}
	return false;
}

static bool in_keys(const struct program *p)
{
	for (unsigned i = 0; i < p->aggregation_count; i++)
		for (unsigned j = 0; j < p->aggregations[i].key_count; j++)
			if (is_user_address(&p->aggregations[i].keys[j]))
				return true;
	return false;
}

void tracer_learn_names(struct tracer *t)
{
	if (!in_records(&t->program) && !in_keys(&t->program))
		return;
	for (size_t i = 0; i < t->processes.count; i++)
		symbols_process_snapshot(
			symbols_of(t->symbols, process_pid(t->processes.items[i])));
}
