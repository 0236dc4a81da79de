/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads of user memory whose address is known before the clause's body (wait.c looks there first)
 *
 * An address is known if it is a plain expression: of arguments, registers, constants, probe names,
 * and of this variables that were assigned such an expression once before in the clause, where the
 * read is reached only after the assignment.  So in `this->p = arg1 + 8; n++;
 * trace(copyinstr(this->p))` the address is arg1 + 8.  The conditions of the read must be plain,
 * too.  A plain expression has no effect and does not fault.
 */
#include "codegen/layout.h"

/* Variables are replaced by what was assigned, so expressions could grow without end. */
#define NODES_MAX 64

static struct texpr *node_like(struct gen *g, const struct texpr *e)
{
	struct texpr *copy = arena_alloc(g->arena, sizeof(*copy));
	*copy = *e;
	copy->next = NULL;
	return copy;
}

static bool is_inside(const struct condition *c, const struct condition *outer)
{
	while (c && c != outer)
		c = c->outer;
	return c == outer;
}

static const struct texpr *plain(struct gen *g, const struct texpr *e, unsigned *nodes);

/* *SIDE made plain; false: it cannot be. */
static bool plain_side(struct gen *g, struct texpr **side, unsigned *nodes)
{
	*side = (struct texpr *)plain(g, *side, nodes);
	return *side != NULL;
}

static const struct texpr *plain_variable(struct gen *g, const struct variable *v, unsigned *nodes)
{
	if (v->scope != SCOPE_THIS)
		return NULL;
	const struct known *known = &g->known[v->index];
	*nodes += known->nodes;
	return is_inside(g->conditions, known->conditions) ? known->value : NULL;
}

static const struct texpr *plain_operand(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = node_like(g, e);
	return plain_side(g, &copy->operand, nodes) ? copy : NULL;
}

static const struct texpr *plain_binary(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	bool divides = e->binary.op == OP_DIV || e->binary.op == OP_MOD;
	bool is_safe = e->binary.right->kind == TEXPR_INTEGER && e->binary.right->integer;
	struct texpr *copy = node_like(g, e);
	if (divides && !is_safe)
		return NULL;
	return plain_side(g, &copy->binary.left, nodes) && plain_side(g, &copy->binary.right, nodes)
		       ? copy
		       : NULL;
}

static const struct texpr *plain_conditional(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = node_like(g, e);
	return plain_side(g, &copy->conditional.condition, nodes) &&
			       plain_side(g, &copy->conditional.then, nodes) &&
			       plain_side(g, &copy->conditional.otherwise, nodes)
		       ? copy
		       : NULL;
}

/* E as a plain expression; NULL: it is not one. */
static const struct texpr *plain(struct gen *g, const struct texpr *e, unsigned *nodes)
{
	if (++*nodes > NODES_MAX)
		return NULL;
	switch (e->kind) {
	case TEXPR_INTEGER:
	case TEXPR_STRING:
	case TEXPR_ARGUMENT:
	case TEXPR_UREG:
		return e;
	case TEXPR_BUILTIN:
		return is_probe_name(e) ? e : NULL;
	case TEXPR_VARIABLE:
		return plain_variable(g, e->variable, nodes);
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
		return plain_operand(g, e, nodes);
	case TEXPR_BINARY:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
		return plain_binary(g, e, nodes);
	case TEXPR_CONDITIONAL:
		return plain_conditional(g, e, nodes);
	default:
		return NULL;
	}
}

static const struct texpr *plain_value(struct gen *g, const struct texpr *e)
{
	unsigned nodes = 0;
	const struct texpr *value = g->at_entry ? plain(g, e, &nodes) : NULL;
	return nodes <= NODES_MAX ? value : NULL;
}

/* --- what the walk of a clause comes to --------------------------------------------------------
 */

void look_assigned(struct gen *g, const struct texpr *target, const struct texpr *value)
{
	const struct variable *v = root_variable(target);
	if (!v || v->scope != SCOPE_THIS)
		return;
	struct known *known = &g->known[v->index];
	bool is_first = !known->is_assigned;
	*known = (struct known) { .is_assigned = true };
	if (!is_first || !value || target->kind != TEXPR_VARIABLE)
		return;
	known->conditions = g->conditions;
	known->value = g->at_entry ? plain(g, value, &known->nodes) : NULL;
}

void condition_enter(struct gen *g, const struct texpr *e, bool holds)
{
	struct condition *c = arena_alloc(g->arena, sizeof(*c));
	*c = (struct condition) { plain_value(g, e), g->conditions };
	if (c->value && !holds) {
		struct texpr *denied = node_like(g, c->value);
		denied->kind = TEXPR_NOT;
		denied->operand = (struct texpr *)c->value;
		c->value = denied;
	}
	g->conditions = c;
}

void condition_leave(struct gen *g)
{
	g->conditions = g->conditions->outer;
}

static void add(struct gen *g, const struct texpr *address, int32_t offset, bool is_text)
{
	struct look look = {
		.clause = g->surveyed,
		.statement = g->statement,
		.address = address,
		.offset = offset,
		.is_text = is_text,
		.conditions = g->conditions,
	};
	vector_push(&g->looks, look);
}

/* SIZE bytes are read at ADDRESS: the first and the last are looked at. */
static void add_bytes(struct gen *g, const struct texpr *address, const struct texpr *size)
{
	add(g, address, 0, false);
	if (!size || (size->kind == TEXPR_INTEGER && size->integer <= 1))
		return;
	if (size->kind == TEXPR_INTEGER && size->integer <= INT32_MAX) {
		add(g, address, (int32_t)size->integer - 1, false);
		return;
	}
	struct texpr *end = node_like(g, address);
	end->kind = TEXPR_BINARY;
	end->binary.op = OP_ADD;
	end->binary.left = (struct texpr *)address;
	end->binary.right = (struct texpr *)size;
	end->binary.is_signed = false;
	add(g, end, -1, false);
}

static void add_constant(struct gen *g, const struct texpr *address, uint32_t size)
{
	struct texpr *number = node_like(g, address);
	number->kind = TEXPR_INTEGER;
	number->integer = size;
	add_bytes(g, address, number);
}

/* The plain address of what is read here, where the conditions are plain; or NULL. */
static const struct texpr *known_address(struct gen *g, const struct texpr *e)
{
	for (const struct condition *c = g->conditions; c; c = c->outer)
		if (!c->value)
			return NULL;
	return plain_value(g, e);
}

void look_at_read(struct gen *g, const struct texpr *e)
{
	bool is_call = e->kind == TEXPR_CALL;
	if (e->kind == TEXPR_BUILTIN)
		return;
	const struct texpr *address = known_address(g, is_call ? e->call.args : e->load.address);
	if (!address)
		return;
	if (e->kind == TEXPR_STRING_AT || (is_call && e->call.function == SUBROUTINE_copyinstr))
		add(g, address, 0, true);
	else if (is_call)
		add_bytes(g, address, plain_value(g, e->call.args->next));
	else
		add_constant(g, address, type_size(e->type));
}

void look_at_bytes(struct gen *g, const struct texpr *e, uint32_t size)
{
	const struct texpr *address = known_address(g, e);
	if (address)
		add_constant(g, address, size);
}
