/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads of user memory whose address is known before the clause's body (codegen/lookahead.c
 * looks there first)
 *
 * An address is known if it is a plain expression: of arguments, registers, constants, probe names,
 * and of this variables that were assigned such an expression once before in the clause, where the
 * read is reached only after the assignment.  So in `this->p = arg1 + 8; n++;
 * trace(copyinstr(this->p))` the address is arg1 + 8.  The conditions of the read must be plain,
 * too.  A plain expression has no effect and does not fault.
 */
#include "plan/plan_internal.h"

/* Variables are replaced by their assigned values, so expressions could grow without end. */
#define NODES_MAX 64

static struct texpr *node_like(struct planner *p, const struct texpr *e)
{
	struct texpr *copy = arena_alloc(p->arena, sizeof(*copy));
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

static const struct texpr *plain(struct planner *p, const struct texpr *e, unsigned *nodes);

static const struct texpr *plain_variable(struct planner *p, const struct variable *v,
					  unsigned *nodes)
{
	if (v->scope != SCOPE_THIS)
		return NULL;
	const struct known *known = &variable_state(p, v)->known;
	*nodes += known->nodes;
	return is_inside(p->conditions, known->conditions) ? known->value : NULL;
}

/* E with plain parts. */
static const struct texpr *plain_parts(struct planner *p, const struct texpr *e, unsigned *nodes)
{
	struct texpr *copy = node_like(p, e), **part;
	for (unsigned i = 0; (part = texpr_part(copy, i)); i++) {
		*part = (struct texpr *)plain(p, *part, nodes);
		if (!*part)
			return NULL;
	}
	return copy;
}

/* E as a plain expression; NULL: it is not one. */
static const struct texpr *plain(struct planner *p, const struct texpr *e, unsigned *nodes)
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
		return plain_variable(p, e->variable, nodes);
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_NOT:
	case TEXPR_CONVERT:
	case TEXPR_LOGICAL:
	case TEXPR_COMPARE_STRINGS:
	case TEXPR_CONDITIONAL:
		return plain_parts(p, e, nodes);
	case TEXPR_BINARY:
		return plan_may_divide_by_zero(e->binary.op, e->binary.right)
			       ? NULL
			       : plain_parts(p, e, nodes);
	default:
		return NULL;
	}
}

static const struct texpr *plain_value(struct planner *p, const struct texpr *e)
{
	unsigned nodes = 0;
	const struct texpr *value = p->at_entry ? plain(p, e, &nodes) : NULL;
	return nodes <= NODES_MAX ? value : NULL;
}

/* --- events of the walk through a clause ----------------------------------------------------- */

void lookahead_assigned(struct planner *p, const struct texpr *target, const struct texpr *value)
{
	const struct variable *v = root_variable(target);
	if (!v || v->scope != SCOPE_THIS)
		return;
	struct known *known = &variable_state(p, v)->known;
	bool is_first = !known->is_assigned;
	*known = (struct known) { .is_assigned = true };
	if (!is_first || !value || target->kind != TEXPR_VARIABLE)
		return;
	known->conditions = p->conditions;
	known->value = p->at_entry ? plain(p, value, &known->nodes) : NULL;
}

void condition_enter(struct planner *p, const struct texpr *e, bool holds)
{
	struct condition *c = arena_alloc(p->arena, sizeof(*c));
	*c = (struct condition) { plain_value(p, e), p->conditions };
	if (c->value && !holds) {
		struct texpr *denied = node_like(p, c->value);
		denied->kind = TEXPR_NOT;
		denied->operand = (struct texpr *)c->value;
		c->value = denied;
	}
	p->conditions = c;
}

void condition_leave(struct planner *p)
{
	p->conditions = p->conditions->outer;
}

static void add(struct planner *p, const struct texpr *address, int32_t offset, bool is_text)
{
	struct lookahead look = {
		.statement = p->statement,
		.address = address,
		.offset = offset,
		.is_text = is_text,
		.conditions = p->conditions,
	};
	vector_push(&p->lookaheads, look);
}

/* SIZE bytes are read at ADDRESS: the first and the last are tried. */
static void add_bytes(struct planner *p, const struct texpr *address, const struct texpr *size)
{
	add(p, address, 0, false);
	if (!size || (size->kind == TEXPR_INTEGER && size->integer <= 1))
		return;
	if (size->kind == TEXPR_INTEGER && size->integer <= INT32_MAX) {
		add(p, address, (int32_t)size->integer - 1, false);
		return;
	}
	struct texpr *end = node_like(p, address);
	end->kind = TEXPR_BINARY;
	end->binary.op = OP_ADD;
	end->binary.left = (struct texpr *)address;
	end->binary.right = (struct texpr *)size;
	end->binary.is_signed = false;
	add(p, end, -1, false);
}

static void add_constant(struct planner *p, const struct texpr *address, uint32_t size)
{
	struct texpr *number = node_like(p, address);
	number->kind = TEXPR_INTEGER;
	number->integer = size;
	add_bytes(p, address, number);
}

/* The plain address of the read at E, if the conditions are plain; or NULL. */
static const struct texpr *known_address(struct planner *p, const struct texpr *e)
{
	for (const struct condition *c = p->conditions; c; c = c->outer)
		if (!c->value)
			return NULL;
	return plain_value(p, e);
}

void lookahead_read(struct planner *p, const struct texpr *e)
{
	bool is_call = e->kind == TEXPR_CALL;
	if (e->kind == TEXPR_BUILTIN)
		return;
	const struct texpr *address = known_address(p, is_call ? e->call.args : e->load.address);
	if (!address)
		return;
	if (e->kind == TEXPR_STRING_AT || (is_call && e->call.function == SUBROUTINE_copyinstr))
		add(p, address, 0, true);
	else if (is_call)
		add_bytes(p, address, plain_value(p, e->call.args->next));
	else
		add_constant(p, address, type_size(e->type));
}

void lookahead_bytes(struct planner *p, const struct texpr *e, uint32_t size)
{
	const struct texpr *address = known_address(p, e);
	if (address)
		add_constant(p, address, size);
}
