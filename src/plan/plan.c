/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan/plan.h"

#include "plan/plan_internal.h"

#include <assert.h>

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

/*
 * The kernel makes elements of a table as they are needed and keeps a few ready on each CPU: 4, or
 * one of more than 256 bytes, when the table is new, later some 30.  It gets more from an interrupt
 * that the CPU sends itself, which a timer's does not let in: of 300 new keys in one firing 48
 * found room (6.18).  So tables that get more than those of one firing of the timers have all
 * elements from the start (the loader sees to it that more are ready when probes
 * begin: loader/ready_elements.c).  This takes 6 ms for a MB, so tables of many CPUs that would
 * have more than PREALLOCATED_MOST stay as they are.
 *
 * Functions of the kernel and its tracepoints fire in such interrupts, too, many after one another,
 * and each may be a new key: with fbt:::entry up to 51 of a run found no room (6.12, all by
 * -ENOMEM).  One in PROBES_AT_ONCE is taken to be of one interrupt.
 */
#define READY_SMALL 4
#define READY_LARGE 1
#define PROBES_AT_ONCE 64
#define PREALLOCATED_MOST (64ull << 20)

static bool is_preallocated(const struct map_layout *m, uint32_t inserts)
{
	uint64_t element = (uint64_t)m->key_size + m->value_size + MAP_ELEMENT;
	return inserts > (element <= SMALL_ELEMENT ? READY_SMALL : READY_LARGE) &&
	       element * m->max_entries <= PREALLOCATED_MOST;
}

/* How many of a clause's firings by its EVENTS of KIND come while the kernel gets no more elements.
 */
static uint32_t at_once(enum event_kind kind, unsigned events)
{
	if (event_is_perf(kind))
		return events > 0;
	return event_may_bar_interrupts(kind) ? events / PROBES_AT_ONCE : 0;
}

static void preallocate(struct plan *plan)
{
	auto_free uint32_t *inserts = mem_zalloc((plan->map_count + 1) * sizeof(*inserts));
	for (unsigned i = 0; plan->map_count && i < plan->typed->clause_count; i++) {
		const struct tclause *clause = plan->typed->clauses[i];
		unsigned events[EVENT_COUNT] = { 0 };
		const uint32_t *of_firing = plan_clause(plan, clause)->inserts;
		clause_count_events(clause, events);
		uint32_t firings = 0;
		for (enum event_kind kind = 0; kind < EVENT_COUNT; kind++)
			firings += at_once(kind, events[kind]);
		for (unsigned map = 0; of_firing && map < plan->map_count; map++)
			inserts[map] += firings * of_firing[map];
	}
	for (unsigned i = 0; i < plan->map_count; i++)
		plan->maps[i].is_preallocated = is_preallocated(&plan->maps[i], inserts[i]);
}

struct plan *plan_make(struct arena *a, const struct typed_program *t,
		       const struct plan_options *options, struct plan_limits limits,
		       struct diagnostics *d)
{
	struct plan *plan = ARENA_NEW(a, struct plan);
	*plan = (struct plan) { .typed = t, .options = options, .limits = limits };
	plan->clauses = arena_alloc(a, (t->clause_count + 1) * sizeof(*plan->clauses));
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		plan->variables[scope] =
			arena_alloc(a, (t->variable_count[scope] + 1) * sizeof(**plan->variables));
	plan->groups = plan_groups(
		a, t,
		(struct group_facts) { .tracepoint_cookies = options->tracepoint_cookies,
				       .tracepoints_alone = options->tracepoints_alone,
				       .tests_tasks = options->task_test_count > 0,
				       .exits = options->exits,
				       .exits_most = options->exits_most,
				       .exits_dropped = options->exits_dropped,
				       .trampoline = options->trampoline,
				       .arg = options->exits_arg });
	for (unsigned i = 0; i < plan->groups.count; i++) {
		plan->has_nested |= group_is_in_programs(&plan->groups.items[i]);
		plan->has_jumps |= group_jump_count(&plan->groups.items[i]) > 0;
	}
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

void plan_complete(struct plan *plan)
{
	preallocate(plan);
	assert(!plan->options->checks || !plan_verify(plan));
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

struct needs plan_needs(const struct plan *plan, const struct tclause *clause,
			enum event_kind event, bool in_error)
{
	const struct needs *n = plan_clause(plan, clause)->needs[event][in_error];
	return n ? *n : (struct needs) { 0 };
}

static bool calls_one_of(const struct needs *n, const enum rt_function *list, size_t count)
{
	bool found = false;
	for (size_t i = 0; i < count; i++)
		found |= clause_calls(n, list[i]);
	return found;
}

bool needs_user_memory(const struct needs *n)
{
	static const enum rt_function list[] = {
		RT_read_user, RT_read_user_sleepable, RT_text_user,  RT_text_user_sleepable,
		RT_execargs,  RT_execargs_sleepable,  RT_write_user,
	};
	return calls_one_of(n, list, ARRAY_SIZE(list));
}

enum kernel_memory needs_kernel_memory(const struct needs *n)
{
	static const enum rt_function always[] = {
		RT_mutex_owned,	  RT_mutex_owner, RT_rw_read_held,
		RT_rw_write_held, RT_rw_iswriter, RT_d_path,
	};
	static const enum rt_function perhaps[] = {
		RT_read_kernel, RT_text_kernel, RT_inet_ntoa, RT_inet_ntoa6,
		RT_inet_ntop,	RT_link_ntop,	RT_hex,	      RT_dnsname,
	};
	if (calls_one_of(n, always, ARRAY_SIZE(always)))
		return KERNEL_MEMORY_SURELY;
	return calls_one_of(n, perhaps, ARRAY_SIZE(perhaps))
		       ? MAX(n->kernel_memory, KERNEL_MEMORY_PERHAPS)
		       : KERNEL_MEMORY_NONE;
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

bool plan_tests_task(const struct plan *p, const struct event_group *group, enum event_kind kind)
{
	if (group_is_of_tasks(group) || event_is_own(kind) || event_is_tick(group->events[0].event))
		return false;
	return p->options->task_test_count && !event_is_resumption(kind); /* its entry did */
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

/* strtok() continues from clause to clause, too; so does alloca memory that variables point to. */
bool plan_shares_slot(const struct plan *p)
{
	return p->this_slot_size > 0 || p->token_at || p->keeps_alloca;
}

uint32_t plan_shared_size(const struct plan *p)
{
	if (p->keeps_alloca_at_entry)
		return p->alloca_end - plan_verifier_room(p) - (uint32_t)sizeof(struct slot);
	if (p->token_at)
		return p->token_at + plan_string_room(p) - (uint32_t)sizeof(struct slot);
	return p->this_slot_size;
}

uint32_t plan_zeroed_size(const struct plan *p)
{
	uint32_t pieces = p->this_pieces + p->kept_pieces;
	return p->this_slot_size + pieces * (uint32_t)sizeof(struct piece);
}

uint32_t plan_largest_piece(const struct plan *p)
{
	return MAX(p->alloca_largest, p->alloca_calls ? p->options->scratch_size : 0);
}

/* That all sizes together, and a copy, end with the memory is not known to the verifier. */
uint32_t plan_verifier_room(const struct plan *p)
{
	return p->alloca_calls || p->copies_at_run_time ? ALIGN_UP(plan_largest_piece(p), 8) : 0;
}

struct key_place plan_aggregation_key(const struct aggregation_layout *layout)
{
	return (struct key_place) {
		.map = layout->map,
		.fields = layout->keys,
		.count = layout->key_count,
		.size = layout->key_size,
		.id = layout->key_id,
		.shard_offset = layout->shard_offset,
		.areas_per_shard = layout->areas_per_shard,
		.has_generations = layout->has_generations,
		.generation_offset = layout->generation_offset,
	};
}

/* Records of at most this size, without a tail, are put together in the frame. */
#define RECORD_IN_FRAME 160

bool plan_record_in_frame(const struct plan *p, const struct tclause *clause)
{
	const struct clause_plan *c = plan_clause(p, clause);
	return !p->limits.spill && !c->tail && !c->layout.continues &&
	       c->layout.fixed_size <= RECORD_IN_FRAME;
}

/* Can the component be put together in the frame, without a slot? */
static bool fits_frame(const struct texpr *e, const struct value_field *f)
{
	if (f->kind == VALUE_STRING)
		return f->size <= KEY_LITERAL_WORDS &&
		       ((e->kind == TEXPR_STRING && e->string.text) ||
			(is_execname(e) && f->size >= 16));
	return f->kind != VALUE_STACK && f->kind != VALUE_USTACK && f->kind != VALUE_BYTES;
}

#define KEY_IN_FRAME 72

bool plan_key_in_frame(const struct plan *p, const struct texpr *keys,
		       const struct key_place *place)
{
	if (p->limits.spill || place->size > KEY_IN_FRAME)
		return false;
	for (unsigned i = 0; keys; keys = keys->next, i++)
		if (!fits_frame(keys, &place->fields[i]))
			return false;
	return true;
}

bool plan_may_sleep(const struct plan *p, enum event_kind event)
{
	return event_is_function(event) && p->options->can_sleep && p->reads_user;
}

bool plan_follows_jumps(const struct plan *p, enum event_kind event)
{
	return event_is_function(event) && event_is_inside(event) && p->has_jumps;
}

bool plan_counts_running(const struct plan *p, enum event_kind event)
{
	return plan_may_sleep(p, event) || (p->has_nested && event_facts(event).nests);
}

bool plan_is_element(const struct plan *p, const struct texpr *e)
{
	return e->kind == TEXPR_ELEMENT ||
	       (e->kind == TEXPR_VARIABLE && plan_variable(p, e->variable)->home == HOME_MAP);
}

bool plan_is_in_frame(const struct plan *p, const struct texpr *e)
{
	return e->kind == TEXPR_VARIABLE && plan_variable(p, e->variable)->home == HOME_FRAME;
}

bool plan_is_shared(const struct plan *p, const struct variable *v)
{
	return v && (v->scope == SCOPE_GLOBAL || plan_variable(p, v)->home == HOME_MAP);
}

bool plan_has_known_room(const struct plan *p, const struct texpr *to)
{
	if (to->kind != TEXPR_ADDRESS)
		return false;
	bool is_indexed = false;
	const struct texpr *root = to->operand;
	for (; root->kind == TEXPR_FIELD; root = root->field.base)
		is_indexed |= root->field.index != NULL;
	return plan_is_element(p, root) || !is_indexed;
}
