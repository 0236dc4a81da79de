/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One walk over the whole program, before anything gets its place
 *
 * It finds out what the components of keys hold over all their uses (a key has exactly the size
 * that these need: a component that is only ever a literal or execname is as long as the longest
 * of them), how much memory alloca() and copyin() take, and whether user memory is read.
 */
#include "codegen/layout.h"

static void see_expression(struct gen *g, const struct texpr *e);

static void walk_expr(struct gen *g, const struct texpr *e);

static void walk_list(struct gen *g, const struct texpr *e)
{
	for (; e; e = e->next)
		walk_expr(g, e);
}

static void walk_logical(struct gen *g, const struct texpr *e)
{
	walk_expr(g, e->binary.left);
	if (e->binary.op != OP_LXOR)
		condition_enter(g, e->binary.left, e->binary.op == OP_LAND);
	walk_expr(g, e->binary.right);
	if (e->binary.op != OP_LXOR)
		condition_leave(g);
}

/* An address that a number is read from is not kept with the number. */
static void walk_load(struct gen *g, const struct texpr *e)
{
	unsigned assigned = g->assigned;
	if (type_is_scalar(e->type))
		g->assigned = 0;
	walk_expr(g, e->load.address);
	g->assigned = assigned;
}

static bool holds_alloca(const struct variable *v)
{
	return v->scope == SCOPE_THIS && v->from_alloca;
}

/* TARGET is written: may it hold an address of the clause's alloca memory from here on? */
static void note_kept(struct gen *g, const struct texpr *target)
{
	const struct variable *v = root_variable(target);
	if (v && holds_alloca(v))
		g->alloca[g->surveyed->index].is_kept = true;
}

/* Numbers keep addresses; texts and structs are copied. */
static void walk_assign(struct gen *g, const struct texpr *e)
{
	bool keeps = type_is_scalar(e->assign.target->type);
	walk_expr(g, e->assign.target);
	g->assigned += keeps;
	walk_expr(g, e->assign.value);
	g->assigned -= keeps;
	look_assigned(g, e->assign.target, e->assign.value);
	note_kept(g, e->assign.target);
}

static void walk_expr(struct gen *g, const struct texpr *e)
{
	if (!e)
		return;
	see_expression(g, e);
	switch (e->kind) {
	case TEXPR_ELEMENT:
		walk_list(g, e->element.keys);
		break;
	case TEXPR_FIELD:
		walk_expr(g, e->field.base);
		walk_expr(g, e->field.index);
		break;
	case TEXPR_LOAD:
		walk_load(g, e);
		break;
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
	case TEXPR_ADDRESS:
	case TEXPR_STRING_AT:
		walk_expr(g, e->operand);
		break;
	case TEXPR_BINARY:
	case TEXPR_COMPARE_STRINGS:
	case TEXPR_COMMA:
		walk_expr(g, e->binary.left);
		walk_expr(g, e->binary.right);
		break;
	case TEXPR_LOGICAL:
		walk_logical(g, e);
		break;
	case TEXPR_CONDITIONAL:
		walk_expr(g, e->conditional.condition);
		condition_enter(g, e->conditional.condition, true);
		walk_expr(g, e->conditional.then);
		condition_leave(g);
		condition_enter(g, e->conditional.condition, false);
		walk_expr(g, e->conditional.otherwise);
		condition_leave(g);
		break;
	case TEXPR_ASSIGN:
		walk_assign(g, e);
		break;
	case TEXPR_UPDATE:
		walk_expr(g, e->update.target);
		walk_expr(g, e->update.value);
		look_assigned(g, e->update.target, NULL);
		note_kept(g, e->update.target);
		break;
	case TEXPR_CALL:
		walk_list(g, e->call.args);
		break;
	case TEXPR_SYMBOL:
		walk_expr(g, e->symbol.address);
		break;
	default:
		break;
	}
}

static void see_aggregate(struct gen *g, const struct tstmt *s);

static void see_action(struct gen *g, const struct tstmt *s);

static void walk_statements(struct gen *g, const struct tstmt *s);

static void walk_statement(struct gen *g, const struct tstmt *s)
{
	g->statement = s->number;
	switch (s->kind) {
	case TSTMT_EXPRESSION:
		walk_expr(g, s->expr);
		break;
	case TSTMT_IF:
		walk_expr(g, s->if_.condition);
		condition_enter(g, s->if_.condition, true);
		walk_statements(g, s->if_.then);
		condition_leave(g);
		condition_enter(g, s->if_.condition, false);
		walk_statements(g, s->if_.otherwise);
		condition_leave(g);
		break;
	case TSTMT_ACTION:
		see_action(g, s);
		walk_list(g, s->action.args);
		break;
	case TSTMT_SPECULATION:
		walk_expr(g, s->speculation.id);
		break;
	case TSTMT_AGGREGATE:
		see_aggregate(g, s);
		walk_list(g, s->aggregate.keys);
		walk_expr(g, s->aggregate.value);
		walk_expr(g, s->aggregate.weight);
		break;
	}
}

static void walk_statements(struct gen *g, const struct tstmt *s)
{
	for (; s; s = s->next)
		walk_statement(g, s);
}

/* --- what keys hold ------------------------------------------------------------------------ */

uint32_t string_room(const struct gen *g)
{
	return (uint32_t)sizeof(struct rt_string) + ALIGN_UP(g->options->string_size + 1, 8);
}

uint32_t string_bound(const struct gen *g, const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_STRING:
		return MIN(e->string.len, g->options->string_size);
	case TEXPR_BUILTIN:
		return e->builtin == BUILTIN_execname ? MIN(15, g->options->string_size)
						      : g->options->string_size;
	case TEXPR_CONDITIONAL:
		return MAX(string_bound(g, e->conditional.then),
			   string_bound(g, e->conditional.otherwise));
	default:
		return g->options->string_size;
	}
}

bool is_probe_name(const struct texpr *e)
{
	return e->kind == TEXPR_BUILTIN &&
	       (e->builtin == BUILTIN_probeprov || e->builtin == BUILTIN_probemod ||
		e->builtin == BUILTIN_probefunc || e->builtin == BUILTIN_probename);
}

uint32_t *bounds_of(struct gen *g, uint32_t **place, unsigned count)
{
	if (!*place)
		*place = arena_alloc(g->arena, (count + 1) * sizeof(**place));
	return *place;
}

static void see_keys(struct gen *g, const struct texpr *keys, uint32_t *bounds)
{
	for (unsigned i = 0; keys; keys = keys->next, i++)
		if (keys->type->kind == TYPE_STRING)
			bounds[i] = MAX(bounds[i], string_bound(g, keys));
}

/* Does KEY leave what the first use leaves: a stack of the same side, a symbol of the same kind? */
static bool same_kind(const struct texpr *key, const struct texpr *first)
{
	if (key->kind != first->kind)
		return key->kind != TEXPR_STACK && key->kind != TEXPR_SYMBOL;
	if (key->kind == TEXPR_STACK)
		return key->stack.user == first->stack.user;
	return key->kind != TEXPR_SYMBOL || key->symbol.kind == first->symbol.kind;
}

static void see_component(struct gen *g, const struct aggregation *a, unsigned number,
			  const struct texpr *key)
{
	struct component *c = &g->components[a->index][number];
	if (!c->sample)
		c->sample = key;
	if (!same_kind(key, c->sample))
		diagnose(g->diagnostics, key->range, D_PROTO_ARG,
			 "key %u of @%s is another kind of stack or symbol than before", number + 1,
			 a->name);
	if (key->kind != TEXPR_BUILTIN || c->sample->kind != TEXPR_BUILTIN ||
	    key->builtin != c->sample->builtin)
		c->is_mixed = true;
	if (key->kind == TEXPR_STACK)
		c->frames = MAX(c->frames, key->stack.frames);
	if (key->type->kind == TYPE_STRING)
		c->bound = MAX(c->bound, string_bound(g, key));
}

static void see_aggregate(struct gen *g, const struct tstmt *s)
{
	const struct aggregation *a = s->aggregate.aggregation;
	const struct texpr *key = s->aggregate.keys;
	for (unsigned i = 0; key && i < a->key_count; i++, key = key->next)
		see_component(g, a, i, key);
}

/* --- what expressions want ------------------------------------------------------------------- */

/* Alloca memory that the clause needs: constant sizes have places of their own. */
static void see_alloca(struct gen *g, const struct texpr *e)
{
	struct clause_alloca *a = &g->alloca[g->surveyed->index];
	const struct texpr *size = e->call.args;
	if (e->call.function == SUBROUTINE_copyin && size)
		size = size->next;
	else if (e->call.function != SUBROUTINE_alloca)
		return;
	if (size && is_constant_size(size))
		a->size += alloca_constant_room(size);
	else
		a->calls++;
}

/* What copies as many bytes as are known at run time. */
static void see_copy(struct gen *g, const struct texpr *e)
{
	bool is_copyinto = e->call.function == SUBROUTINE_copyinto;
	if (!is_copyinto && e->call.function != SUBROUTINE_bcopy)
		return;
	const struct texpr *second = e->call.args->next;
	g->copies_at_run_time |= !is_constant_size(is_copyinto ? second : second->next);
}

static bool reads_user(const struct texpr *e)
{
	switch (e->kind) {
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

static void see_user(struct gen *g)
{
	g->reads_user = true;
	g->reads_at_entry |= g->at_entry;
}

/* Of values that cannot be subtracted from, clear() forgets as trunc() does. */
static bool begins_anew(enum action_kind action, enum aggregate function)
{
	return action == ACTION_TRUNC ||
	       (action == ACTION_CLEAR && (function == AGGREGATE_MIN || function == AGGREGATE_MAX));
}

/* Actions that forget, and those that show what a pointer points to. */
static void see_action(struct gen *g, const struct tstmt *s)
{
	for (unsigned i = 0; i < s->action.aggregation_count; i++) {
		const struct aggregation *a = s->action.aggregations[i];
		g->begins_anew[a->index] |= begins_anew(s->action.kind, a->function);
	}
	if (s->action.kind != ACTION_PRINT && s->action.kind != ACTION_TRACEMEM)
		return;
	for (const struct texpr *e = s->action.args; e; e = e->next)
		if (type_is_userland(e->type)) {
			see_user(g);
			look_at_bytes(g, e, s->action.size);
		}
}

/* At a system call's entry all arguments are in the registers. */
static void see_registers(struct gen *g, const struct texpr *e)
{
	bool is_register = e->kind == TEXPR_UREG;
	g->registers_at_entry |= g->at_entry && (is_register || e->kind == TEXPR_ARGUMENT);
	g->registers_at_return |=
		is_register && clause_has_event(g->surveyed, EVENT_SYSCALL_RETURN);
}

/* A this variable's place changes when its firing waits: pointers to it must not be kept. */
static void see_address(struct gen *g, const struct texpr *e)
{
	struct variable *v = root_variable(e->operand);
	if (!v) /* of what = gives */
		return;
	g->points_into[v->scope] |= !v->is_array;
	v->is_pointed_to = true;
	g->points_at_entry |= g->at_entry && g->assigned && v->scope == SCOPE_THIS;
}

static void see_expression(struct gen *g, const struct texpr *e)
{
	if (reads_user(e)) {
		see_user(g);
		if (g->at_entry)
			look_at_read(g, e);
	}
	see_registers(g, e);
	if (e->kind == TEXPR_BUILTIN) {
		g->reads_run_time |= g->at_entry && e->builtin == BUILTIN_vtimestamp;
	} else if (e->kind == TEXPR_ADDRESS) {
		see_address(g, e);
	} else if (e->kind == TEXPR_VARIABLE) {
		e->variable->mentions++;
	} else if (e->kind == TEXPR_ELEMENT) {
		struct variable *v = e->element.variable;
		see_keys(g, e->element.keys, bounds_of(g, &v->key_bounds, v->key_count));
	} else if (e->kind == TEXPR_CALL) {
		see_alloca(g, e);
		see_copy(g, e);
		g->writes_at_entry |= g->at_entry && (e->call.function == SUBROUTINE_copyout ||
						      e->call.function == SUBROUTINE_copyoutstr);
		if (e->call.function == SUBROUTINE_strtok)
			g->token_at = 1;
	}
}

/* --- clauses -------------------------------------------------------------------------------- */

/* The variable that S does nothing but assign, or NULL; no array. */
static struct variable *assigned_variable(const struct tstmt *s)
{
	if (s->kind != TSTMT_EXPRESSION || s->expr->kind != TEXPR_ASSIGN)
		return NULL;
	const struct texpr *target = s->expr->assign.target;
	return target->kind == TEXPR_VARIABLE ? target->variable : NULL;
}

/*
 * A this variable is mentioned that may hold an address of alloca memory, and the clause has not
 * set it before: earlier clauses of the firing may have.
 */
static void see_earlier_alloca(struct gen *g)
{
	for (unsigned i = 0; i < g->typed->variable_count[SCOPE_THIS]; i++) {
		const struct variable *v = g->typed->variables[SCOPE_THIS][i];
		if (!holds_alloca(v) || !v->mentions || v->is_own)
			continue;
		g->keeps_alloca = true;
		g->keeps_alloca_at_entry |= g->at_entry;
	}
}

/*
 * An assignment that comes, in any case, before all else that mentions the variable: run once
 * more, the clause makes good what it changed (wait.c).
 */
static void see_statement(struct gen *g, const struct tstmt *s)
{
	struct variable *v = assigned_variable(s);
	bool is_first = v && v->mentions == 0;
	walk_statement(g, s);
	if (is_first && v->mentions == 1) {
		vector_push(&g->redone, s->expr);
		v->is_own = true;
	}
	see_earlier_alloca(g);
}

static void see_clause(struct gen *g, const struct tclause *clause)
{
	const struct typed_program *t = g->typed;
	g->at_entry = clause_has_event(clause, EVENT_SYSCALL_ENTRY);
	g->surveyed = clause;
	g->statement = 0;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < t->variable_count[scope]; i++) {
			t->variables[scope][i]->mentions = 0;
			t->variables[scope][i]->is_own = false;
		}
	memset(g->known, 0, (t->variable_count[SCOPE_THIS] + 1) * sizeof(*g->known));
	walk_expr(g, clause->predicate);
	see_earlier_alloca(g);
	for (const struct tstmt *s = clause->body; s; s = s->next)
		see_statement(g, s);
}

/* Where each clause's constant sizes begin; the answer is what all take. */
static uint32_t place_alloca(struct gen *g)
{
	uint32_t shared = 0, kept = 0;
	unsigned count = g->typed->clause_count;
	for (unsigned i = 0; i < count; i++)
		g->alloca[i].is_kept &= g->keeps_alloca;
	for (unsigned i = 0; i < count; i++)
		if (!g->alloca[i].is_kept)
			shared = MAX(shared, g->alloca[i].size);
	for (unsigned i = 0; i < count; i++) {
		struct clause_alloca *a = &g->alloca[i];
		a->at = a->is_kept ? shared + kept : 0;
		kept += a->is_kept ? a->size : 0;
		a->first_call = g->alloca_calls;
		g->alloca_calls += a->calls;
	}
	g->alloca_shared = shared;
	return shared + kept;
}

uint32_t survey(struct gen *g)
{
	const struct typed_program *t = g->typed;
	g->components = arena_alloc(g->arena, (t->aggregation_count + 1) * sizeof(*g->components));
	g->begins_anew = arena_alloc(g->arena, t->aggregation_count + 1);
	for (unsigned i = 0; i < t->aggregation_count; i++) {
		size_t count = t->aggregations[i]->key_count + 1;
		g->components[i] = arena_alloc(g->arena, count * sizeof(*g->components[i]));
	}
	g->alloca = arena_alloc(g->arena, (t->clause_count + 1) * sizeof(*g->alloca));
	g->known = arena_alloc(g->arena, (t->variable_count[SCOPE_THIS] + 1) * sizeof(*g->known));
	for (unsigned i = 0; i < t->clause_count; i++)
		see_clause(g, t->clauses[i]);
	return place_alloca(g);
}
