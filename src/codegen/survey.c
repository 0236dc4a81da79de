/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One walk over the whole program, before anything gets its place
 *
 * It finds out what the components of keys hold over all their uses (a key has exactly the size
 * that these need: a component that is only ever a literal or execname is as long as the longest
 * of them), how much memory alloca() and copyin() take, and whether user memory is read.
 */
#include "codegen/layout.h"

typedef void visit_fn(struct gen *g, const struct texpr *e);

static void walk_expr(struct gen *g, const struct texpr *e, visit_fn *visit);

static void walk_list(struct gen *g, const struct texpr *e, visit_fn *visit)
{
	for (; e; e = e->next)
		walk_expr(g, e, visit);
}

static void walk_expr(struct gen *g, const struct texpr *e, visit_fn *visit)
{
	if (!e)
		return;
	visit(g, e);
	switch (e->kind) {
	case TEXPR_ELEMENT:
		walk_list(g, e->element.keys, visit);
		break;
	case TEXPR_FIELD:
		walk_expr(g, e->field.base, visit);
		walk_expr(g, e->field.index, visit);
		break;
	case TEXPR_LOAD:
		walk_expr(g, e->load.address, visit);
		break;
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
	case TEXPR_ADDRESS:
	case TEXPR_STRING_AT:
		walk_expr(g, e->operand, visit);
		break;
	case TEXPR_BINARY:
	case TEXPR_COMPARE_STRINGS:
	case TEXPR_COMMA:
		walk_expr(g, e->binary.left, visit);
		walk_expr(g, e->binary.right, visit);
		break;
	case TEXPR_LOGICAL:
		walk_expr(g, e->binary.left, visit);
		g->conditions++;
		walk_expr(g, e->binary.right, visit);
		g->conditions--;
		break;
	case TEXPR_CONDITIONAL:
		walk_expr(g, e->conditional.condition, visit);
		g->conditions++;
		walk_expr(g, e->conditional.then, visit);
		walk_expr(g, e->conditional.otherwise, visit);
		g->conditions--;
		break;
	case TEXPR_ASSIGN:
		walk_expr(g, e->assign.target, visit);
		walk_expr(g, e->assign.value, visit);
		break;
	case TEXPR_UPDATE:
		walk_expr(g, e->update.target, visit);
		walk_expr(g, e->update.value, visit);
		break;
	case TEXPR_CALL:
		walk_list(g, e->call.args, visit);
		break;
	case TEXPR_SYMBOL:
		walk_expr(g, e->symbol.address, visit);
		break;
	default:
		break;
	}
}

static void see_aggregate(struct gen *g, const struct tstmt *s);

static void see_action(struct gen *g, const struct tstmt *s);

static void walk_statements(struct gen *g, const struct tstmt *s, visit_fn *visit);

static void walk_statement(struct gen *g, const struct tstmt *s, visit_fn *visit)
{
	switch (s->kind) {
	case TSTMT_EXPRESSION:
		walk_expr(g, s->expr, visit);
		break;
	case TSTMT_IF:
		walk_expr(g, s->if_.condition, visit);
		g->conditions++;
		walk_statements(g, s->if_.then, visit);
		walk_statements(g, s->if_.otherwise, visit);
		g->conditions--;
		break;
	case TSTMT_ACTION:
		see_action(g, s);
		walk_list(g, s->action.args, visit);
		break;
	case TSTMT_SPECULATION:
		walk_expr(g, s->speculation.id, visit);
		break;
	case TSTMT_AGGREGATE:
		see_aggregate(g, s);
		walk_list(g, s->aggregate.keys, visit);
		walk_expr(g, s->aggregate.value, visit);
		walk_expr(g, s->aggregate.weight, visit);
		break;
	}
}

static void walk_statements(struct gen *g, const struct tstmt *s, visit_fn *visit)
{
	for (; s; s = s->next)
		walk_statement(g, s, visit);
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

/* Alloca memory that one clause needs: constant sizes have places of their own. */
static void see_alloca(struct gen *g, const struct texpr *e)
{
	const struct texpr *size = e->call.args;
	if (e->call.function == SUBROUTINE_copyin && size)
		size = size->next;
	else if (e->call.function != SUBROUTINE_alloca)
		return;
	if (size && is_constant_size(size))
		g->alloca_used += ALIGN_UP((uint32_t)size->integer, 8);
	else
		g->alloca_dynamic = 2 * ALIGN_UP(g->options->scratch_size, 8);
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

/* Does E have the same value from the clause's begin to its end, and never fail? */
static bool is_steady(const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_INTEGER:
	case TEXPR_ARGUMENT:
		return true;
	case TEXPR_CONVERT:
		return is_steady(e->operand);
	case TEXPR_BINARY:
		return e->binary.op != OP_DIV && e->binary.op != OP_MOD &&
		       is_steady(e->binary.left) && is_steady(e->binary.right);
	default:
		return false;
	}
}

/* The statement at hand reads user memory, at a steady address in any case: wait.c may look first.
 */
static void see_steady(struct gen *g, const struct texpr *e)
{
	bool is_call = e->kind == TEXPR_CALL;
	const struct texpr *address = is_call ? e->call.args : e->load.address;
	if (e->kind == TEXPR_BUILTIN || g->conditions || !is_steady(address))
		return;
	uint32_t size = e->kind == TEXPR_LOAD ? type_size(e->type) : 1;
	if (is_call && e->call.function != SUBROUTINE_copyinstr && is_constant_size(address->next))
		size = MAX((uint32_t)address->next->integer, 1u);
	vector_push(&g->steady, (struct steady_read) { g->surveyed, g->statement, address, size });
}

static void see_user(struct gen *g)
{
	g->reads_user = true;
	g->reads_at_entry |= g->at_entry;
}

/* Actions that show what a pointer points to. */
static void see_action(struct gen *g, const struct tstmt *s)
{
	if (s->action.kind != ACTION_PRINT && s->action.kind != ACTION_TRACEMEM)
		return;
	for (const struct texpr *e = s->action.args; e; e = e->next)
		if (type_is_userland(e->type))
			see_user(g);
}

/* A this variable's place changes when its firing waits: pointers to it must not be kept. */
static void see_kept(struct gen *g, const struct texpr *e)
{
	const struct variable *v = e->kind == TEXPR_ADDRESS ? root_variable(e->operand) : NULL;
	g->points_at_entry |= g->at_entry && v && v->scope == SCOPE_THIS;
}

static void see_address(struct gen *g, const struct texpr *e)
{
	const struct variable *v = root_variable(e->operand);
	g->points_into[v->scope] |= !v->is_array;
}

static void see_expression(struct gen *g, const struct texpr *e)
{
	if (e->kind == TEXPR_ASSIGN)
		walk_expr(g, e->assign.value, see_kept);
	if (reads_user(e)) {
		see_user(g);
		if (g->at_entry)
			see_steady(g, e);
	}
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
		g->writes_at_entry |= g->at_entry && (e->call.function == SUBROUTINE_copyout ||
						      e->call.function == SUBROUTINE_copyoutstr);
		if (e->call.function == SUBROUTINE_strtok)
			g->token_at = 1;
	}
}

/* --- clauses -------------------------------------------------------------------------------- */

/* The variable that S does nothing but assign, or NULL; no array. */
static const struct variable *assigned_variable(const struct tstmt *s)
{
	if (s->kind != TSTMT_EXPRESSION || s->expr->kind != TEXPR_ASSIGN)
		return NULL;
	const struct texpr *target = s->expr->assign.target;
	return target->kind == TEXPR_VARIABLE ? target->variable : NULL;
}

/*
 * An assignment that comes, in any case, before all else that mentions the variable: run once
 * more, the clause makes good what it changed (wait.c).
 */
static void see_statement(struct gen *g, const struct tstmt *s)
{
	const struct variable *v = assigned_variable(s);
	bool is_first = v && v->mentions == 0;
	g->statement = s->number;
	walk_statement(g, s, see_expression);
	if (is_first && v->mentions == 1)
		vector_push(&g->redone, s->expr);
}

static void see_clause(struct gen *g, const struct tclause *clause)
{
	const struct typed_program *t = g->typed;
	g->alloca_used = 0;
	g->at_entry = clause_has_hook(clause, HOOK_SYSCALL_ENTRY);
	g->surveyed = clause;
	g->statement = 0;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < t->variable_count[scope]; i++)
			t->variables[scope][i]->mentions = 0;
	walk_expr(g, clause->predicate, see_expression);
	for (const struct tstmt *s = clause->body; s; s = s->next)
		see_statement(g, s);
}

/* The most alloca memory that a clause needs. */
uint32_t survey(struct gen *g)
{
	const struct typed_program *t = g->typed;
	uint32_t alloca_size = 0;
	g->components = arena_alloc(g->arena, (t->aggregation_count + 1) * sizeof(*g->components));
	for (unsigned i = 0; i < t->aggregation_count; i++) {
		size_t count = t->aggregations[i]->key_count + 1;
		g->components[i] = arena_alloc(g->arena, count * sizeof(*g->components[i]));
	}
	for (unsigned i = 0; i < t->clause_count; i++) {
		see_clause(g, t->clauses[i]);
		alloca_size = MAX(alloca_size, g->alloca_used);
	}
	return alloca_size;
}
