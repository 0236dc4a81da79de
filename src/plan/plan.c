/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan/plan.h"

#include "plan/plan_internal.h"

void *plan_keep(struct planner *p, const void *items, size_t count, size_t size)
{
	void *to = arena_alloc(p->arena, (count + 1) * size);
	if (count)
		memcpy(to, items, count * size);
	return to;
}

/* What all groups must know of dtrace:::ERROR. */
static void find_error_clauses(struct plan *plan)
{
	for (unsigned i = 0; i < plan->typed->clause_count; i++) {
		const struct tclause *clause = plan->typed->clauses[i];
		for (unsigned j = 0; j < clause->probe_count; j++)
			if (clause->probes[j]->id == PROBE_ERROR)
				plan->error_probe = clause->probes[j];
		plan->error_exits |= is_error_clause(clause) && has_exit(&plan->clauses[i].layout);
	}
}

const struct plan *plan_make(struct arena *a, const struct typed_program *t,
			     const struct plan_options *options, struct plan_limits limits,
			     struct diagnostics *d)
{
	struct plan *plan = ARENA_NEW(a, struct plan);
	*plan = (struct plan) { .typed = t, .options = options, .limits = limits };
	plan->clauses = arena_alloc(a, (t->clause_count + 1) * sizeof(*plan->clauses));
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		plan->variables[scope] =
			arena_alloc(a, (t->variable_count[scope] + 1) * sizeof(**plan->variables));
	struct planner p = {
		.plan = plan,
		.arena = a,
		.typed = t,
		.options = options,
		.diagnostics = d,
	};
	uint32_t alloca_size = analyze_program(&p);
	place_program(&p, alloca_size);
	plan->map_count = (unsigned)p.maps.count;
	plan->maps = plan_keep(&p, p.maps.items, p.maps.count, sizeof(*p.maps.items));
	vector_free(&p.maps);
	find_error_clauses(plan);
	return plan;
}

/* --- questions ------------------------------------------------------------------------------- */

const struct variable_place *plan_variable(const struct plan *p, const struct variable *v)
{
	return &p->variables[v->scope][v->index];
}

const struct clause_plan *plan_clause(const struct plan *p, const struct tclause *clause)
{
	return &p->clauses[clause->index];
}

uint32_t plan_record_size(const struct plan *p, const struct tclause *clause)
{
	const struct clause_plan *c = plan_clause(p, clause);
	return c->layout.fixed_size + c->tail;
}

uint32_t plan_string_room(const struct plan *p)
{
	return (uint32_t)sizeof(struct rt_string) + ALIGN_UP(p->options->string_size + 1, 8);
}

bool plan_is_redone(const struct plan *p, const struct texpr *assignment)
{
	const struct variable *v = root_variable(assignment->assign.target);
	bool has_parts = v && !type_is_scalar(v->type) && v->type->kind != TYPE_STRING;
	if (has_parts && p->points_into[v->scope])
		return false; /* a mention of it may be a pointer */
	for (unsigned i = 0; i < p->redone_count; i++)
		if (p->redone[i] == assignment)
			return true;
	return false;
}

bool plan_writes_variables(const struct plan *p)
{
	return p->points_into[SCOPE_GLOBAL] || p->points_into[SCOPE_SELF] ||
	       p->points_into[SCOPE_THIS];
}

/* strtok() goes on from clause to clause, too; so does alloca memory that variables point to. */
bool plan_shares_slot(const struct plan *p)
{
	return p->this_slot_size > 0 || p->token_at || p->keeps_alloca;
}

uint32_t plan_shared_size(const struct plan *p)
{
	if (p->keeps_alloca_at_entry)
		return p->alloca_end - plan_verifier_room(p) - (uint32_t)sizeof(struct slot);
	return p->this_slot_size + (p->token_at ? plan_string_room(p) : 0);
}

/* That all sizes come to scratch_size at most is not known to the verifier: never used. */
uint32_t plan_verifier_room(const struct plan *p)
{
	return p->alloca_calls ? ALIGN_UP(p->options->scratch_size, 8) : 0;
}
