/* SPDX-License-Identifier: BSD-2-Clause */
/* Places of variables, and the layout of the slot (keys: key.c; records: record.c) */
#include "abi/call.h"
#include "plan/plan_internal.h"

#define THIS_IN_FRAME 16

uint32_t plan_variable_size(const struct plan *plan, const struct variable *v)
{
	return v->type->kind == TYPE_STRING ? plan_string_room(plan)
					    : ALIGN_UP(type_size(v->type), 8);
}

static void place_array(struct planner *p, const struct variable *v, struct variable_place *ret)
{
	const uint32_t *bounds = variable_state(p, v)->key_bounds;
	unsigned count = v->key_count + (v->scope == SCOPE_SELF);
	struct value_field *fields = arena_alloc(p->arena, count * sizeof(*fields));
	for (unsigned i = 0; i < v->key_count; i++)
		fields[i] = key_field(type_resolve(v->key_types[i]), NULL, bounds[i]);
	if (v->scope == SCOPE_SELF) /* the thread, after the keys */
		fields[v->key_count] = (struct value_field) { .kind = VALUE_INTEGER, .size = 8 };
	struct map_layout m = {
		.kind = MAP_ARRAY_VARIABLE,
		.name = v->name,
		.value_size = plan_variable_size(p->plan, v),
		.shards = 1,
	};
	ret->home = HOME_MAP;
	ret->key = place_key(p, fields, count, m, false, p->options->dynamic_size);
}

/*
 * The frame is faster.  But there the kernel's verifier knows the values: after `x = a ? 1 : 2` it
 * follows the code for each of them, so it may give up where a value that is one of many is
 * compared with many.  In the slot it forgets them.
 */
static void place_this(struct plan *plan, const struct variable *v, struct variable_place *ret)
{
	bool in_slot = v->in_slot || plan->limits.spill || plan->options->this_in_slot;
	if (!in_slot && type_is_scalar(v->type) && plan->this_frame_size < THIS_IN_FRAME * 8) {
		ret->home = HOME_FRAME;
		ret->offset = plan->this_frame_size;
		plan->this_frame_size += 8;
	} else {
		ret->home = HOME_SLOT;
		ret->offset = plan->this_slot_size;
		plan->this_slot_size += plan_variable_size(plan, v);
	}
}

/* Zeros, to be copied when a variable is set to 0 or read in a thread without a block. */
static void place_block(struct plan *plan, const struct variable *v, uint32_t *size,
			struct variable_place *ret)
{
	ret->home = HOME_BLOCK;
	ret->offset = *size;
	*size += plan_variable_size(plan, v);
	plan->zeros_size = MAX(plan->zeros_size, plan_variable_size(plan, v));
}

/*
 * Task storage holds a little less than 64 KB for a thread.  A self variable beyond that (strings
 * under a great strsize, most often) is a self array without keys.
 */
#define SELF_BLOCK_MAX (60u << 10)

/* Each value has a cell for itself, and all cells are as large as the largest one's. */
static void place_in_call(struct plan *plan, const struct variable *v, struct variable_place *ret)
{
	uint32_t size = MAX(plan_variable_size(plan, v), 8u);
	ret->home = HOME_CALL;
	ret->offset = sizeof(struct call_cell);
	plan->call_size = MAX(plan->call_size, (uint32_t)sizeof(struct call_cell) + size);
	plan->zeros_size = MAX(plan->zeros_size, size);
}

static void place_self(struct planner *p, const struct variable *v, struct variable_place *ret)
{
	if (v->of_call) {
		place_in_call(p->plan, v, ret);
		return;
	}
	uint32_t *size = &p->plan->self_size;
	if (*size + plan_variable_size(p->plan, v) <= SELF_BLOCK_MAX)
		place_block(p->plan, v, size, ret);
	else
		place_array(p, v, ret);
}

/*
 * Bytes are copied to variables through pointers, in sizes known only at run time.  The verifier
 * knows neither the place nor the size, nor that the copy fits, so after the last variable there
 * is as much memory as the largest variable has, if LIMIT allows.
 */
static void place_run_time_room(struct plan *plan, enum scope scope, uint32_t *size, uint32_t limit)
{
	uint32_t most = 0;
	for (unsigned i = 0; i < plan->typed->variable_count[scope]; i++) {
		const struct variable_place *v = &plan->variables[scope][i];
		if (v->is_pointed_to && v->home != HOME_MAP)
			most = MAX(most, type_size(plan->typed->variables[scope][i]->type));
	}
	if (!plan->copies_at_run_time)
		return;
	plan->run_time_room[scope] = MIN(ALIGN_UP(most, 8), limit - MIN(*size, limit));
	*size += plan->run_time_room[scope];
}

static void place_variable(struct planner *p, const struct variable *v, struct variable_place *ret)
{
	if (v->is_array)
		place_array(p, v, ret);
	else if (v->scope == SCOPE_THIS)
		place_this(p->plan, v, ret);
	else if (v->scope == SCOPE_SELF)
		place_self(p, v, ret);
	else
		place_block(p->plan, v, &p->plan->globals_size, ret);
}

static bool has_self_variables(const struct typed_program *t)
{
	for (unsigned i = 0; i < t->variable_count[SCOPE_SELF]; i++)
		if (!t->variables[SCOPE_SELF][i]->of_call)
			return true;
	return false;
}

/* A thread's block begins with its serial number, which names it in the keys of self arrays. */
static void place_variables(struct planner *p)
{
	struct plan *plan = p->plan;
	const struct typed_program *t = p->typed;
	plan->self_size = has_self_variables(t) ? 8 : 0;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < t->variable_count[scope]; i++)
			place_variable(p, t->variables[scope][i], &plan->variables[scope][i]);
	for (unsigned i = 0; i < t->clause_count; i++)
		if (t->clauses[i]->saves && t->clauses[i]->saves->is_register)
			plan->call_size =
				MAX(plan->call_size, (uint32_t)sizeof(struct call_cell) + 8);
	place_run_time_room(plan, SCOPE_GLOBAL, &plan->globals_size, UINT32_MAX);
	place_run_time_room(plan, SCOPE_SELF, &plan->self_size, SELF_BLOCK_MAX);
}

static void place_aggregations(struct planner *p)
{
	unsigned count = p->typed->aggregation_count;
	struct plan *plan = p->plan;
	plan->aggregations = arena_alloc(p->arena, (count + 1) * sizeof(*plan->aggregations));
	for (unsigned i = 0; i < count; i++)
		place_aggregation(p, p->typed->aggregations[i], &plan->aggregations[i]);
	plan->keyless_size = ALIGN_UP(plan->keyless_size, 64);
}

/* Memory of alloca() calls of unknown size: shared by the calls, and zeros after the pieces. */
static uint32_t alloca_dynamic_room(const struct plan *plan)
{
	uint32_t zeros = 8 * plan->alloca_calls; /* with their padding */
	return (zeros ? ALIGN_UP(plan->options->scratch_size, 8) + zeros : 0) +
	       plan_verifier_room(plan);
}

static void place_slot(struct planner *p, uint32_t alloca_size)
{
	struct plan *plan = p->plan;
	uint32_t next = (uint32_t)sizeof(struct slot) + plan->this_slot_size;
	plan->pieces_at = next;
	next += place_pieces(p);
	if (plan->token_at) {
		plan->token_at = next;
		next += plan_string_room(plan);
	}
	if (plan->limits.spill) {
		plan->spill_at = next;
		next += 8 * plan->limits.temps_max;
	}
	plan->alloca_begin = next;
	plan->alloca_dynamic = alloca_dynamic_room(plan);
	plan->alloca_end = next + alloca_size + plan->alloca_dynamic;
	plan->zeros_size = MAX(plan->zeros_size, plan_zeroed_size(plan));
	if (alloca_size + plan->alloca_dynamic)
		plan->zeros_size =
			MAX(plan->zeros_size, MAX(plan->options->scratch_size, alloca_size));
}

/*
 * At a system call's return it is too late to write to the process's memory before the call reads
 * it: with copyout() at an entry, no firing is suspended.  Nor is one of programs that count
 * themselves in and out (group.h), which one that waits would not do.
 */
static void place_suspended(struct planner *p)
{
	uint32_t size = (uint32_t)sizeof(struct suspended) + p->plan->this_frame_size +
			plan_shared_size(p->plan);
	if (p->reads_at_entry && !p->writes_at_entry && !p->points_at_entry &&
	    !p->plan->has_nested && size <= SELF_BLOCK_MAX)
		p->plan->suspended_size = size;
}

void place_program(struct planner *p, uint32_t alloca_size)
{
	p->plan->zeros_size = plan_string_room(p->plan) + 16;
	place_variables(p);
	place_aggregations(p);
	place_slot(p, alloca_size);
	place_suspended(p);
	p->plan->zeros_size = ALIGN_UP(p->plan->zeros_size, 8);
	for (unsigned i = 0; i < p->typed->clause_count; i++)
		place_record(p, p->typed->clauses[i], &p->plan->clauses[i]);
	vector_free(&p->assignments);
}
