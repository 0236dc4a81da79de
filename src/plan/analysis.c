/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One walk over the whole program, before values get their places
 *
 * It finds the types of key components over all their uses (a key has exactly the size
 * that these need: a component that is only ever a literal or execname is as long as the longest
 * of them), how much memory alloca() and copyin() take, and whether user memory is read.
 */
#include "plan/plan_internal.h"

static void analyze_expression(struct planner *p, const struct texpr *e);

static void walk_expr(void *planner, const struct texpr *e);

static void walk_list(struct planner *p, const struct texpr *e)
{
	for (; e; e = e->next)
		walk_expr(p, e);
}

static void walk_logical(struct planner *p, const struct texpr *e)
{
	walk_expr(p, e->binary.left);
	if (e->binary.op != OP_LXOR)
		condition_enter(p, e->binary.left, e->binary.op == OP_LAND);
	walk_expr(p, e->binary.right);
	if (e->binary.op != OP_LXOR)
		condition_leave(p);
}

static void walk_conditional(struct planner *p, const struct texpr *e)
{
	walk_expr(p, e->conditional.condition);
	condition_enter(p, e->conditional.condition, true);
	walk_expr(p, e->conditional.then);
	condition_leave(p);
	condition_enter(p, e->conditional.condition, false);
	walk_expr(p, e->conditional.otherwise);
	condition_leave(p);
}

/* An address that a number is read from is not kept with the number. */
static void walk_load(struct planner *p, const struct texpr *e)
{
	unsigned assigned = p->assigned;
	if (type_is_scalar(e->type))
		p->assigned = 0;
	walk_expr(p, e->load.address);
	p->assigned = assigned;
}

static bool holds_alloca(const struct variable *v)
{
	return v->scope == SCOPE_THIS && v->from_alloca;
}

/* TARGET is written: may it hold an address of the clause's alloca memory from here on? */
static void note_kept(struct planner *p, const struct texpr *target)
{
	const struct variable *v = root_variable(target);
	if (v && holds_alloca(v))
		p->plan->clauses[p->clause->index].alloca.is_kept = true;
}

/* Numbers keep addresses; texts and structs are copied. */
static void walk_assign(struct planner *p, const struct texpr *e)
{
	bool keeps = type_is_scalar(e->assign.target->type);
	walk_expr(p, e->assign.target);
	p->assigned += keeps;
	walk_expr(p, e->assign.value);
	p->assigned -= keeps;
	lookahead_assigned(p, e->assign.target, e->assign.value);
	note_kept(p, e->assign.target);
	vector_push(&p->assignments, e);
}

static void walk_update(struct planner *p, const struct texpr *e)
{
	texpr_each_part(e, walk_expr, p);
	lookahead_assigned(p, e->update.target, NULL);
	note_kept(p, e->update.target);
	vector_push(&p->assignments, e);
}

static void walk_expr(void *planner, const struct texpr *e)
{
	struct planner *p = planner;
	if (!e)
		return;
	analyze_expression(p, e);
	if (e->kind == TEXPR_LOAD)
		walk_load(p, e);
	else if (e->kind == TEXPR_LOGICAL)
		walk_logical(p, e);
	else if (e->kind == TEXPR_CONDITIONAL)
		walk_conditional(p, e);
	else if (e->kind == TEXPR_ASSIGN)
		walk_assign(p, e);
	else if (e->kind == TEXPR_UPDATE)
		walk_update(p, e);
	else
		texpr_each_part(e, walk_expr, p);
}

static void analyze_aggregate(struct planner *p, const struct tstmt *s);

static void analyze_action(struct planner *p, const struct tstmt *s);

static void walk_statements(struct planner *p, const struct tstmt *s);

static void walk_statement(struct planner *p, const struct tstmt *s)
{
	p->statement = s->number;
	switch (s->kind) {
	case TSTMT_EXPRESSION:
		walk_expr(p, s->expr);
		break;
	case TSTMT_IF:
		walk_expr(p, s->if_.condition);
		condition_enter(p, s->if_.condition, true);
		walk_statements(p, s->if_.then);
		condition_leave(p);
		condition_enter(p, s->if_.condition, false);
		walk_statements(p, s->if_.otherwise);
		condition_leave(p);
		break;
	case TSTMT_LOOP: /* what is known of its variables holds in the first pass only */
		p->plan->lists_threads |= tstmt_walks_threads(s);
		walk_list(p, s->if_.keys);
		walk_list(p, s->if_.words);
		walk_expr(p, s->if_.condition);
		condition_enter(p, s->if_.condition, true);
		walk_statements(p, s->if_.then);
		walk_statements(p, s->if_.otherwise);
		condition_leave(p);
		break;
	case TSTMT_BREAK:
	case TSTMT_CONTINUE:
		break;
	case TSTMT_ACTION:
		analyze_action(p, s);
		walk_list(p, s->action.args);
		break;
	case TSTMT_SPECULATION:
		walk_expr(p, s->speculation.id);
		break;
	case TSTMT_AGGREGATE:
		analyze_aggregate(p, s);
		walk_list(p, s->aggregate.keys);
		walk_expr(p, s->aggregate.value);
		walk_expr(p, s->aggregate.weight);
		break;
	}
}

static void walk_statements(struct planner *p, const struct tstmt *s)
{
	for (; s; s = s->next)
		walk_statement(p, s);
}

/* --- what keys hold ------------------------------------------------------------------------ */

/* The greatest length of the string KEY; in an open clause, also in its later versions. */
static uint32_t key_bound(const struct planner *p, const struct texpr *key)
{
	return clause_is_open(p) && key->kind != TEXPR_BUILTIN
		       ? p->options->string_size
		       : string_bound(key, p->options->string_size);
}

static void analyze_keys(struct planner *p, const struct texpr *keys, uint32_t *bounds)
{
	for (unsigned i = 0; keys; keys = keys->next, i++)
		if (keys->type->kind == TYPE_STRING)
			bounds[i] = MAX(bounds[i], key_bound(p, keys));
}

/* Is KEY recorded like the first use: a stack of the same side, a symbol of the same kind? */
static bool same_kind(const struct texpr *key, const struct texpr *first)
{
	if (type_is_kept_stack(key->type))
		return true; /* by its type */
	if (key->kind != first->kind)
		return key->kind != TEXPR_STACK && key->kind != TEXPR_SYMBOL;
	if (key->kind == TEXPR_STACK)
		return key->stack.user == first->stack.user;
	return key->kind != TEXPR_SYMBOL || key->symbol.kind == first->symbol.kind;
}

static void analyze_component(struct planner *p, const struct aggregation *a, unsigned number,
			      const struct texpr *key)
{
	struct component *c = &p->components[a->index][number];
	if (!c->sample)
		c->sample = key;
	if (!same_kind(key, c->sample))
		diagnose(p->diagnostics, key->range, D_PROTO_ARG,
			 "key %u of @%s is another kind of stack or symbol than before", number + 1,
			 a->name);
	if (key->kind != TEXPR_BUILTIN || c->sample->kind != TEXPR_BUILTIN ||
	    key->builtin != c->sample->builtin)
		c->is_mixed = true;
	if (key->kind == TEXPR_STACK && !type_is_kept_stack(key->type)) {
		c->frames = MAX(c->frames, key->stack.frames);
		c->interpreted = MAX(c->interpreted, key->stack.interpreted);
		c->strings = MAX(c->strings, key->stack.strings);
	}
	if (key->type->kind == TYPE_STRING)
		c->bound = MAX(c->bound, key_bound(p, key));
}

static void analyze_aggregate(struct planner *p, const struct tstmt *s)
{
	const struct aggregation *a = s->aggregate.aggregation;
	const struct texpr *key = s->aggregate.keys;
	for (unsigned i = 0; key && i < a->key_count; i++, key = key->next)
		analyze_component(p, a, i, key);
}

/* --- expressions ------------------------------------------------------------------------------ */

/* Alloca memory of the clause: constant sizes have separate places. */
static void analyze_alloca(struct planner *p, const struct texpr *e)
{
	struct clause_alloca *a = &p->plan->clauses[p->clause->index].alloca;
	const struct texpr *size = e->call.args;
	if (e->call.function == SUBROUTINE_copyin && size)
		size = size->next;
	else if (e->call.function != SUBROUTINE_alloca)
		return;
	a->pieces++;
	if (!size || !is_constant_size(size)) {
		a->calls++;
		return;
	}
	a->size += alloca_constant_room(size);
	p->plan->alloca_empty |= size->integer ? 0 : 8;
	p->plan->alloca_largest = MAX(p->plan->alloca_largest, (uint32_t)size->integer);
}

/* What copies as many bytes as are known at run time. */
static void analyze_copy(struct planner *p, const struct texpr *e)
{
	bool is_copyinto = e->call.function == SUBROUTINE_copyinto;
	if (!is_copyinto && e->call.function != SUBROUTINE_bcopy)
		return;
	const struct texpr *second = e->call.args->next;
	p->plan->copies_at_run_time |= !is_constant_size(is_copyinto ? second : second->next);
}

static bool reads_user(const struct planner *p, const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_ARGUMENT:
		return plan_argument_in_memory(p->clause, e->argument.index);
	case TEXPR_BUILTIN:
		return e->builtin == BUILTIN_execargs;
	case TEXPR_LOAD:
	case TEXPR_STRING_AT:
		return e->load.user;
	case TEXPR_CALL:
		return e->call.function == SUBROUTINE_copyin ||
		       e->call.function == SUBROUTINE_copyinstr ||
		       e->call.function == SUBROUTINE_copyinto;
	default:
		return false;
	}
}

static void analyze_user(struct planner *p)
{
	p->plan->reads_user = true;
	p->reads_at_entry |= p->at_entry;
}

/* Of values that are walked, or cannot be subtracted from, clear() forgets as trunc() does. */
static bool begins_anew(enum action_kind action, const struct aggregation *a)
{
	return action == ACTION_TRUNC ||
	       (action == ACTION_CLEAR && (a->is_walked || !aggregate_is_additive(a->function)));
}

/* Actions that remove data, and those that print the target of a pointer. */
static void analyze_action(struct planner *p, const struct tstmt *s)
{
	for (unsigned i = 0; i < s->action.aggregation_count; i++) {
		const struct aggregation *a = s->action.aggregations[i];
		p->begins_anew[a->index] |= begins_anew(s->action.kind, a);
	}
	const struct texpr *address = s->action.args;
	bool reads = s->action.at_address || s->action.kind == ACTION_TRACEMEM;
	if (!reads || !type_is_userland(address->type))
		return;
	analyze_user(p);
	lookahead_bytes(p, address, s->action.size);
}

/* At a system call's entry all arguments are in the registers. */
static void analyze_registers(struct planner *p, const struct texpr *e)
{
	bool is_register = e->kind == TEXPR_UREG;
	p->plan->registers_at_entry |= p->at_entry && (is_register || e->kind == TEXPR_ARGUMENT);
	p->plan->registers_at_return |=
		is_register && clause_has_event(p->clause, EVENT_SYSCALL_RETURN);
}

/* A this variable's place changes when its firing waits: pointers to it must not be kept. */
static void analyze_address(struct planner *p, const struct texpr *e)
{
	const struct variable *v = root_variable(e->operand);
	if (!v) /* the result of = */
		return;
	p->plan->points_into[v->scope] |= !v->is_array;
	p->plan->variables[v->scope][v->index].is_pointed_to = true;
	p->points_at_entry |= p->at_entry && p->assigned && v->scope == SCOPE_THIS;
}

static void analyze_expression(struct planner *p, const struct texpr *e)
{
	if (reads_user(p, e)) {
		analyze_user(p);
		if (p->at_entry)
			lookahead_read(p, e);
	}
	analyze_registers(p, e);
	if (e->kind == TEXPR_BUILTIN) {
		p->plan->reads_run_time |= p->at_entry && e->builtin == BUILTIN_vtimestamp;
	} else if (e->kind == TEXPR_ADDRESS) {
		analyze_address(p, e);
	} else if (e->kind == TEXPR_VARIABLE) {
		variable_state(p, e->variable)->mentions++;
	} else if (e->kind == TEXPR_ELEMENT) {
		const struct variable *v = e->element.variable;
		analyze_keys(p, e->element.keys, variable_state(p, v)->key_bounds);
	} else if (e->kind == TEXPR_CALL) {
		analyze_alloca(p, e);
		analyze_copy(p, e);
		p->writes_at_entry |= p->at_entry && (e->call.function == SUBROUTINE_copyout ||
						      e->call.function == SUBROUTINE_copyoutstr);
		if (e->call.function == SUBROUTINE_strtok)
			p->plan->token_at = 1;
	}
}

/* --- clauses -------------------------------------------------------------------------------- */

/* The variable that S does nothing but assign, or NULL; no array. */
static struct variable_state *assigned_variable(struct planner *p, const struct tstmt *s)
{
	if (s->kind != TSTMT_EXPRESSION || s->expr->kind != TEXPR_ASSIGN)
		return NULL;
	const struct texpr *target = s->expr->assign.target;
	return target->kind == TEXPR_VARIABLE ? variable_state(p, target->variable) : NULL;
}

/*
 * A this variable is mentioned that may hold an address of alloca memory, and the clause has not
 * set it before: earlier clauses of the firing may have.
 */
static void analyze_earlier_alloca(struct planner *p)
{
	for (unsigned i = 0; i < p->typed->variable_count[SCOPE_THIS]; i++) {
		const struct variable *v = p->typed->variables[SCOPE_THIS][i];
		const struct variable_state *state = variable_state(p, v);
		if (!holds_alloca(v) || !state->mentions || state->is_own)
			continue;
		p->plan->keeps_alloca = true;
		p->plan->keeps_alloca_at_entry |= p->at_entry;
	}
}

/*
 * An assignment that in any case precedes every other use of the variable: a rerun of the clause
 * repeats it (suspend.c).
 */
static void analyze_statement(struct planner *p, const struct tstmt *s)
{
	struct variable_state *v = assigned_variable(p, s);
	bool is_first = v && v->mentions == 0;
	walk_statement(p, s);
	if (is_first && v->mentions == 1) {
		vector_push(&p->redone, s->expr);
		v->is_own = true;
	}
	analyze_earlier_alloca(p);
}

static void analyze_clause(struct planner *p, const struct tclause *clause)
{
	const struct typed_program *t = p->typed;
	struct clause_plan *plan = &p->plan->clauses[clause->index];
	p->at_entry = clause_has_event(clause, EVENT_SYSCALL_ENTRY);
	p->clause = clause;
	p->statement = 0;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < t->variable_count[scope]; i++) {
			struct variable_state *v = &p->variables[scope][i];
			*v = (struct variable_state) { .key_bounds = v->key_bounds };
		}
	walk_expr(p, clause->predicate);
	analyze_earlier_alloca(p);
	for (const struct tstmt *s = clause->body; s; s = s->next)
		analyze_statement(p, s);
	plan->lookahead_count = (unsigned)p->lookaheads.count;
	plan->lookaheads = plan_keep(p, p->lookaheads.items, p->lookaheads.count,
				     sizeof(*p->lookaheads.items));
	p->lookaheads.count = 0;
}

/* The begin of each clause's constant sizes; the result is their total. */
static uint32_t place_alloca(struct plan *plan)
{
	uint32_t shared = 0, kept = 0;
	unsigned count = plan->typed->clause_count;
	for (unsigned i = 0; i < count; i++)
		plan->clauses[i].alloca.is_kept &= plan->keeps_alloca;
	for (unsigned i = 0; i < count; i++)
		if (!plan->clauses[i].alloca.is_kept)
			shared = MAX(shared, plan->clauses[i].alloca.size);
	shared += plan->alloca_empty;
	for (unsigned i = 0; i < count; i++) {
		struct clause_alloca *a = &plan->clauses[i].alloca;
		a->at = a->is_kept ? shared + kept : plan->alloca_empty;
		kept += a->is_kept ? a->size : 0;
		a->first_call = plan->alloca_calls;
		plan->alloca_calls += a->calls;
	}
	plan->alloca_shared = shared;
	return shared + kept;
}

static void make_states(struct planner *p)
{
	const struct typed_program *t = p->typed;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++) {
		unsigned count = t->variable_count[scope];
		p->variables[scope] =
			arena_alloc(p->arena, (count + 1) * sizeof(struct variable_state));
		for (unsigned i = 0; i < count; i++) {
			size_t keys = t->variables[scope][i]->key_count + 1;
			p->variables[scope][i].key_bounds =
				arena_alloc(p->arena, keys * sizeof(uint32_t));
		}
	}
	p->components = arena_alloc(p->arena, (t->aggregation_count + 1) * sizeof(*p->components));
	p->begins_anew = arena_alloc(p->arena, t->aggregation_count + 1);
	for (unsigned i = 0; i < t->aggregation_count; i++) {
		size_t count = t->aggregations[i]->key_count + 1;
		p->components[i] = arena_alloc(p->arena, count * sizeof(*p->components[i]));
	}
}

uint32_t analyze_program(struct planner *p)
{
	make_states(p);
	for (unsigned i = 0; i < p->typed->clause_count; i++)
		analyze_clause(p, p->typed->clauses[i]);
	p->plan->redone_count = (unsigned)p->redone.count;
	p->plan->redone = plan_keep(p, p->redone.items, p->redone.count, sizeof(*p->redone.items));
	vector_free(&p->redone);
	vector_free(&p->lookaheads);
	return place_alloca(p->plan);
}
