/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The needs of a clause at one kind of event
 *
 * A walk through the clause in the order of execution, which determines for each expression the
 * code that codegen will write: does it use the slot, the time, which functions of the run-time
 * library; does it read memory, and has it changed something before.  codegen asserts that its
 * code needs exactly this (codegen/clause.c).
 */
#include "plan/needs_internal.h"

#include "arch/arch.h"

/* --- one need --------------------------------------------------------------------------------- */

static void raise_moment(enum moment *what, const struct walk *w)
{
	enum moment now = w->in_body ? MOMENT_BODY : MOMENT_START;
	*what = MAX(*what, now);
}

void needs_slot(struct walk *w)
{
	raise_moment(&w->needs->slot, w);
}

void needs_time(struct walk *w)
{
	raise_moment(&w->needs->time, w);
}

void needs_run_time(struct walk *w)
{
	raise_moment(&w->needs->run_time, w);
	needs_function(w, RT_vtime);
}

/*
 * Instructions of a clause, about, for split.c: what calls and other values take on the average
 * (4,000 come out as 4,800 for `this->x++`, as 5,100 for clauses with four elements of arrays).
 */
#define CLAUSE_INSTRUCTIONS 10
#define CALL_INSTRUCTIONS 7
#define VALUE_INSTRUCTIONS 3

void needs_instructions(struct walk *w)
{
	w->needs->instructions += VALUE_INSTRUCTIONS;
}

void needs_function(struct walk *w, enum rt_function function)
{
	w->needs->instructions += CALL_INSTRUCTIONS;
	w->needs->functions[function / 64] |= 1ull << function % 64;
}

void needs_drop(struct walk *w)
{
	if (w->plan->options->drops_by_clause)
		needs_function(w, RT_drop_clause);
}

void needs_effect(struct walk *w)
{
	if (!w->has_effect)
		w->effect_at = w->in_body ? w->statement : 0;
	w->has_effect = true;
}

void needs_fault(struct walk *w)
{
	w->faults = true;
	w->predicate_fails |= !w->in_body;
}

void needs_slot_fault(struct walk *w)
{
	w->faults = true;
}

bool walk_is_resumed(const struct walk *w)
{
	return event_is_resumption(w->event) && !w->in_error;
}

bool walk_may_sleep(const struct walk *w)
{
	return plan_may_sleep(w->plan, w->event);
}

/* At a system call's entry absent memory suspends the firing, if the clause had no effect yet. */
static void absent_memory(struct walk *w)
{
	w->needs->user_memory = true;
	if (!event_is_syscall_entry(w->event) || !w->plan->suspended_size || w->in_error)
		return;
	if (w->has_effect)
		w->reads_late = true;
	else
		w->needs->suspends = true;
}

void needs_quiet_read(struct walk *w)
{
	w->needs->kernel_memory = true;
	needs_function(w, RT_read_kernel);
}

void needs_read(struct walk *w, bool user)
{
	needs_fault(w);
	if (!user) {
		needs_quiet_read(w);
		return;
	}
	needs_function(w, walk_may_sleep(w) ? RT_read_user_sleepable : RT_read_user);
	absent_memory(w);
}

void needs_text(struct walk *w, bool user)
{
	needs_slot(w);
	needs_slot_fault(w);
	if (!user) {
		w->needs->kernel_memory = true;
		needs_function(w, RT_text_kernel);
		return;
	}
	if (walk_is_resumed(w))
		needs_fault(w);
	needs_function(w, walk_may_sleep(w) ? RT_text_user_sleepable : RT_text_user);
	absent_memory(w);
}

void needs_piece_test(struct walk *w)
{
	needs_slot(w);
	needs_fault(w);
	needs_function(w, RT_piece_test);
}

#define REGISTERS_TO_KEEP 2 /* R8, R9 */

bool walk_push_pointer(struct walk *w)
{
	bool in_register = w->registers < REGISTERS_TO_KEEP;
	w->registers += in_register;
	return in_register;
}

bool walk_push(struct walk *w)
{
	bool in_register = walk_push_pointer(w);
	if (!in_register && w->plan->limits.spill)
		needs_slot(w);
	return in_register;
}

void walk_pop(struct walk *w, bool in_register)
{
	w->registers -= in_register;
}

/* --- statements ------------------------------------------------------------------------------- */

static void needs_aggregate(struct walk *w, const struct tstmt *s)
{
	const struct aggregation *a = s->aggregate.aggregation;
	const struct aggregation_layout *layout = &w->plan->aggregations[a->index];
	bool kept = false, weight = false;
	if (s->aggregate.value) {
		needs_value(w, s->aggregate.value);
		if (aggregate_calls(a->function) != RT_COUNT)
			needs_function(w, aggregate_calls(a->function));
		kept = walk_push(w);
	}
	if (s->aggregate.weight) {
		needs_value(w, s->aggregate.weight);
		weight = walk_push(w);
	}
	if (layout->map < 0) {
		needs_function(w, RT_area);
	} else {
		struct key_place place = plan_aggregation_key(layout);
		needs_key(w, s->aggregate.keys, &place);
		needs_lookup_or_insert(w, layout->map, RT_drop_aggregation);
	}
	walk_pop(w, weight);
	walk_pop(w, kept);
	needs_effect(w);
}

static void needs_speculation(struct walk *w, const struct tstmt *s)
{
	static const enum rt_function functions[] = { [VERB_speculate] = RT_speculate,
						      [VERB_commit] = RT_commit,
						      [VERB_discard] = RT_discard };
	if (s->speculation.verb == VERB_commit)
		needs_time(w);
	needs_value(w, s->speculation.id);
	if (s->speculation.verb == VERB_speculate)
		needs_drop(w);
	else
		needs_effect(w);
	if (s->speculation.verb == VERB_commit && walk_is_resumed(w))
		needs_function(w, RT_time);
	needs_function(w, functions[s->speculation.verb]);
	needs_fault(w);
}

static void needs_tracemem(struct walk *w, const struct tstmt *s,
			   const struct action_layout *layout)
{
	const struct texpr *address = s->action.args;
	bool user = type_is_userland(address->type);
	needs_source(w, address, user);
	needs_read(w, user);
	if (address->next)
		needs_field(w, address->next, &layout->fields[1], false);
}

static void needs_packet(struct walk *w, const struct tstmt *s)
{
	needs_source(w, s->action.args, false);
	for (int member = 0; member < 3; member++)
		needs_read(w, false);
	needs_function(w, RT_memory_record);
	needs_slot_fault(w);
}

static void needs_action(struct walk *w, const struct tstmt *s, const struct action_layout *layout)
{
	if (s->action.at_address) {
		bool user = type_is_userland(s->action.args->type);
		needs_source(w, s->action.args, user);
		needs_read(w, user);
		return;
	}
	if (s->action.kind == ACTION_TRACEMEM) {
		needs_tracemem(w, s, layout);
		return;
	}
	if (s->action.kind == ACTION_PCAP) {
		needs_packet(w, s);
		return;
	}
	const struct texpr *arg = s->action.args;
	for (unsigned i = 0; i < layout->field_count; i++, arg = arg->next)
		needs_field(w, arg, &layout->fields[i], false);
	if (s->action.kind == ACTION_EXIT) {
		needs_function(w, RT_exit);
		needs_effect(w);
	}
}

static void needs_statements(struct walk *w, const struct tstmt *s,
			     const struct action_layout **next)
{
	for (; s; s = s->next) {
		w->statement = s->number;
		switch (s->kind) {
		case TSTMT_EXPRESSION:
			needs_discarded(w, s->expr);
			break;
		case TSTMT_IF:
			needs_condition(w, s->if_.condition);
			needs_statements(w, s->if_.then, next);
			needs_statements(w, s->if_.otherwise, next);
			break;
		case TSTMT_ACTION:
			needs_action(w, s, (*next)++);
			break;
		case TSTMT_AGGREGATE:
			needs_aggregate(w, s);
			break;
		case TSTMT_SPECULATION:
			needs_speculation(w, s);
			break;
		}
	}
}

/* --- what surrounds them ---------------------------------------------------------------------- */

static void needs_room(struct walk *w)
{
	needs_function(w, RT_room);
	needs_drop(w);
}

static void needs_output(struct walk *w, enum rt_function output, enum rt_function output_slot)
{
	needs_function(w, plan_record_in_frame(w->plan, w->clause) ? output : output_slot);
	needs_drop(w);
}

static void needs_record(struct walk *w)
{
	enum speculates speculates = clause_speculates(w->clause);
	if (!plan_clause(w->plan, w->clause)->layout.records)
		return;
	w->needs->room = true;
	needs_time(w);
	if (!plan_record_in_frame(w->plan, w->clause))
		needs_slot(w);
	if (walk_is_resumed(w))
		needs_function(w, RT_time);
	if (speculates != SPECULATES_ALWAYS) {
		needs_room(w);
		needs_output(w, RT_output, RT_output_slot);
	}
	if (speculates != SPECULATES_NEVER)
		needs_output(w, RT_speculative, RT_speculative_slot);
}

/* Reads after the first effect with a known address are tried before the body. */
static void needs_lookaheads(struct walk *w)
{
	const struct clause_plan *c = plan_clause(w->plan, w->clause);
	if (!w->reads_late)
		return;
	for (unsigned i = 0; i < c->lookahead_count; i++) {
		const struct lookahead *look = &c->lookaheads[i];
		if (look->statement < w->effect_at)
			continue;
		w->needs->lookahead_from = w->effect_at;
		for (const struct condition *o = look->conditions; o; o = o->outer)
			needs_condition(w, o->value);
		needs_value(w, look->address);
		if (look->is_text)
			needs_function(w, RT_text_byte);
		needs_function(w, RT_read_user);
		w->needs->suspends = true;
	}
}

/* Where a fault is reported, and where the firing is suspended. */
static void needs_ways_out(struct walk *w, bool has_slot, bool shares_slot)
{
	if (w->needs->suspends) {
		needs_function(w, RT_suspend);
		if (clause_speculates(w->clause) != SPECULATES_NEVER)
			needs_function(w, RT_speculation_leave);
		if (has_slot)
			needs_function(w, RT_truncations_forget);
		if (has_slot && !shares_slot)
			needs_function(w, RT_slot_release);
	}
	if (!w->faults)
		return;
	needs_function(w, RT_time);
	needs_function(w, w->in_error ? RT_error_in_error : RT_fault);
	if (!w->in_error)
		needs_drop(w);
}

static void needs_begin_and_end(struct walk *w)
{
	const struct needs *n = w->needs;
	bool shares_slot = plan_shares_slot(w->plan);
	bool has_slot = shares_slot || n->slot != MOMENT_NEVER;
	if (n->time != MOMENT_NEVER && !walk_is_resumed(w))
		needs_function(w, RT_time);
	if (has_slot && !shares_slot) {
		needs_function(w, RT_slot_claim);
		needs_drop(w);
		if (w->clause->predicate && n->slot == MOMENT_BODY && w->predicate_fails)
			needs_function(w, RT_slot_release);
	}
	if (has_slot && n->suspends)
		needs_function(w, RT_truncations_end);
	if (has_slot && w->plan->options->drops_by_clause)
		needs_function(w, RT_drop_truncations);
	if (clause_speculates(w->clause) != SPECULATES_NEVER)
		needs_function(w, RT_speculation_leave);
	needs_ways_out(w, has_slot, shares_slot);
	if (shares_slot)
		w->needs->slot = MOMENT_START;
}

static void walk_clause(const struct plan *plan, const struct tclause *clause,
			enum event_kind event, bool in_error, uint32_t firings, uint32_t *inserts,
			struct needs *ret)
{
	*ret = (struct needs) { .lookahead_from = UINT32_MAX, .instructions = CLAUSE_INSTRUCTIONS };
	struct walk w = {
		.plan = plan,
		.clause = clause,
		.event = event,
		.in_error = in_error,
		.needs = ret,
		.inserts = inserts,
		.firings = firings,
	};
	const struct action_layout *next = plan_clause(plan, clause)->layout.actions;
	if (clause->predicate)
		needs_condition(&w, clause->predicate);
	bool early = w.has_effect;
	w.in_body = true;
	w.statement = 1;
	needs_record(&w);
	needs_statements(&w, clause->body, &next);
	if (!early)
		needs_lookaheads(&w);
	needs_begin_and_end(&w);
}

void plan_needs(const struct plan *plan, const struct tclause *clause, enum event_kind event,
		bool in_error, struct needs *ret)
{
	walk_clause(plan, clause, event, in_error, 0, NULL, ret);
}

void needs_inserts(const struct plan *plan, const struct tclause *clause, enum event_kind event,
		   uint32_t firings, uint32_t *inserts)
{
	struct needs n;
	walk_clause(plan, clause, event, false, firings, inserts, &n);
}
