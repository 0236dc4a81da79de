/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a clause will read, told at its begin (wait.c looks there first)
 *
 * The survey comes through the clause in the order of its text.  Of each variable that the clause
 * assigns it keeps the assigned expression, put in terms of what is known at the begin, so that in
 * `this->p = arg1 + 8; n++; trace(copyinstr(this->p))` the address is arg1 + 8.  The conditions
 * that a read stands in are put so, too.  What may fault or has an effect is not known; nor is what
 * another condition decides.
 *
 * All this is a good guess, no more: another CPU may change a global variable meanwhile.  A wrong
 * address costs a look, or a wait that was for nothing.
 */
#include "codegen/layout.h"

/* An expression that becomes larger than this is not known: they are put into each other. */
#define NODES_MAX 64

static const struct texpr *put(struct gen *g, const struct texpr *e, unsigned *nodes);

static struct texpr *copy_of(struct gen *g, const struct texpr *e)
{
	struct texpr *copy = arena_alloc(g->arena, sizeof(*copy));
	*copy = *e;
	copy->next = NULL;
	return copy;
}

static const struct texpr *put_operand(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	const struct texpr *operand = put(g, e->operand, nodes);
	if (!operand || operand->type->kind == TYPE_STRING)
		return NULL;
	struct texpr *copy = copy_of(g, e);
	copy->operand = (struct texpr *)operand;
	return copy;
}

static const struct texpr *put_binary(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	const struct texpr *left = put(g, e->binary.left, nodes);
	const struct texpr *right = left ? put(g, e->binary.right, nodes) : NULL;
	if (!right || e->binary.op == OP_DIV || e->binary.op == OP_MOD)
		return NULL;
	struct texpr *copy = copy_of(g, e);
	copy->binary.left = (struct texpr *)left;
	copy->binary.right = (struct texpr *)right;
	return copy;
}

static const struct texpr *put_conditional(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	const struct texpr *condition = put(g, e->conditional.condition, nodes);
	const struct texpr *then = condition ? put(g, e->conditional.then, nodes) : NULL;
	const struct texpr *otherwise = then ? put(g, e->conditional.otherwise, nodes) : NULL;
	if (!otherwise || then->type->kind == TYPE_STRING)
		return NULL;
	struct texpr *copy = copy_of(g, e);
	copy->conditional.condition = (struct texpr *)condition;
	copy->conditional.then = (struct texpr *)then;
	copy->conditional.otherwise = (struct texpr *)otherwise;
	return copy;
}

static const struct texpr *put_variable(struct gen *g, const struct texpr *e)
{
	const struct variable *v = e->variable;
	if (!type_is_scalar(v->type))
		return NULL;
	return v->is_assigned ? v->known : copy_of(g, e);
}

/* What an update makes of its target. */
static const struct texpr *put_update(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *sum = copy_of(g, e), *stored = copy_of(g, e);
	sum->kind = TEXPR_BINARY;
	sum->binary.op = e->update.op;
	sum->binary.left = e->update.target;
	sum->binary.right = e->update.value;
	sum->binary.is_signed = e->update.is_signed;
	stored->kind = TEXPR_CONVERT; /* to the target's size */
	stored->operand = sum;
	return put(g, stored, nodes);
}

static bool is_steady_builtin(enum builtin_variable builtin)
{
	return builtin == BUILTIN_pid || builtin == BUILTIN_tid || builtin == BUILTIN_uid ||
	       builtin == BUILTIN_gid || builtin == BUILTIN_execname;
}

/* E in terms of what is known at the clause's begin; NULL: it cannot be told there. */
static const struct texpr *put(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	if (++*nodes > NODES_MAX)
		return NULL;
	switch (e->kind) {
	case TEXPR_INTEGER:
	case TEXPR_STRING:
	case TEXPR_ARGUMENT:
		return copy_of(g, e);
	case TEXPR_BUILTIN:
		return is_steady_builtin(e->builtin) ? copy_of(g, e) : NULL;
	case TEXPR_VARIABLE:
		return put_variable(g, e);
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
		return put_operand(g, e, nodes);
	case TEXPR_BINARY:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
		return put_binary(g, e, nodes);
	case TEXPR_CONDITIONAL:
		return put_conditional(g, e, nodes);
	case TEXPR_COMMA:
		return put(g, e->binary.right, nodes);
	case TEXPR_ASSIGN:
		return put(g, e->assign.value, nodes);
	case TEXPR_UPDATE:
		return e->update.old ? put(g, e->update.target, nodes) : put_update(g, e, nodes);
	default:
		return NULL;
	}
}

/* --- what the survey tells ---------------------------------------------------------------------
 */

const struct texpr *steady_value(struct gen *g, const struct texpr *e)
{
	unsigned nodes = 0;
	return g->at_entry && e ? put(g, e, &nodes) : NULL;
}

const struct texpr *steady_value_updated(struct gen *g, const struct texpr *update)
{
	unsigned nodes = 0;
	return g->at_entry ? put_update(g, update, &nodes) : NULL;
}

void steady_forget(struct gen *g)
{
	const struct typed_program *t = g->typed;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < t->variable_count[scope]; i++)
			t->variables[scope][i]->is_assigned = false;
}

void steady_assign(struct gen *g, const struct texpr *target, const struct texpr *value)
{
	if (target->kind != TEXPR_VARIABLE)
		return;
	target->variable->is_assigned = true;
	target->variable->known = g->conditions ? NULL : value;
}

void condition_enter(struct gen *g, const struct texpr *value, bool holds)
{
	struct condition *c = arena_alloc(g->arena, sizeof(*c));
	if (value && !holds) {
		struct texpr *denied = copy_of(g, value);
		denied->kind = TEXPR_NOT;
		denied->operand = (struct texpr *)value;
		value = denied;
	}
	*c = (struct condition) { value, g->conditions };
	g->conditions = c;
}

void condition_leave(struct gen *g)
{
	g->conditions = g->conditions->outer;
}

static bool conditions_known(const struct gen *g)
{
	for (const struct condition *c = g->conditions; c; c = c->outer)
		if (!c->value)
			return false;
	return true;
}

static void add(struct gen *g, const struct texpr *address, int32_t offset, bool is_text)
{
	struct steady_read read = {
		.clause = g->surveyed,
		.statement = g->statement,
		.address = address,
		.offset = offset,
		.is_text = is_text,
		.conditions = g->conditions,
	};
	vector_push(&g->steady, read);
}

/* The last of SIZE bytes at ADDRESS. */
static void add_end(struct gen *g, const struct texpr *address, const struct texpr *size)
{
	struct texpr *end = copy_of(g, address);
	end->kind = TEXPR_BINARY;
	end->binary.op = OP_ADD;
	end->binary.left = (struct texpr *)address;
	end->binary.right = (struct texpr *)size;
	end->binary.is_signed = false;
	add(g, end, -1, false);
}

static void add_bytes(struct gen *g, const struct texpr *address, uint64_t size)
{
	add(g, address, 0, false);
	if (size > 1 && size <= INT32_MAX)
		add(g, address, (int32_t)size - 1, false);
}

static void add_call(struct gen *g, const struct texpr *address, const struct texpr *call)
{
	if (call->call.function == SUBROUTINE_copyinstr) {
		add(g, address, 0, true);
		return;
	}
	const struct texpr *size = steady_value(g, call->call.args->next);
	bool is_constant = size && size->kind == TEXPR_INTEGER;
	add_bytes(g, address, is_constant ? (uint64_t)size->integer : 1);
	if (size && !is_constant)
		add_end(g, address, size);
}

void see_steady_read(struct gen *g, const struct texpr *e)
{
	bool is_call = e->kind == TEXPR_CALL;
	if (e->kind == TEXPR_BUILTIN || !conditions_known(g))
		return;
	const struct texpr *address = steady_value(g, is_call ? e->call.args : e->load.address);
	if (!address)
		return;
	if (is_call)
		add_call(g, address, e);
	else if (e->kind == TEXPR_STRING_AT)
		add(g, address, 0, true);
	else
		add_bytes(g, address, type_size(e->type));
}

void see_steady_bytes(struct gen *g, const struct texpr *e, uint32_t size)
{
	const struct texpr *address = steady_value(g, e);
	if (address && conditions_known(g))
		add_bytes(g, address, size);
}
