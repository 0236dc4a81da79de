/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units - what aggregated numbers count: nanoseconds, bytes
 *
 * The difference of two times is a duration.  A value of a type that the program, a library or
 * the kernel calls size_t or ssize_t counts bytes.  Variables have the unit of all their
 * assignments but those of constants, which free or reset them; where that is none, the unit of the
 * type that they are declared with.  Units only rise in the order of enum value_unit, so the rounds
 * over all clauses end.
 */
#include <string.h>

#include "sema/sema_internal.h"

enum value_unit {
	UNIT_OPEN,     /* of a variable without an assignment yet */
	UNIT_CONSTANT, /* fits every other */
	UNIT_TIME,     /* a point in time, ns */
	UNIT_NS,
	UNIT_US,
	UNIT_MS,
	UNIT_S,
	UNIT_BYTES,
	UNIT_NONE, /* not known, or several */
};

static const char *const unit_names[] = {
	[UNIT_NS] = "ns", [UNIT_US] = "us",	  [UNIT_MS] = "ms",
	[UNIT_S] = "s",	  [UNIT_BYTES] = "bytes", [UNIT_NONE] = NULL,
};

struct units {
	uint8_t *variables[3]; /* enum value_unit, by enum scope and index */
	uint8_t *aggregations;
	bool has_risen;
};

static enum value_unit unit_join(enum value_unit a, enum value_unit b)
{
	if (a <= UNIT_CONSTANT || b <= UNIT_CONSTANT)
		return MAX(a, b);
	return a == b ? a : UNIT_NONE;
}

static void unit_raise(struct units *u, uint8_t *place, enum value_unit unit)
{
	enum value_unit joined = unit_join(*place, unit);
	u->has_risen |= joined != *place;
	*place = (uint8_t)joined;
}

/* By the name of the type T. */
static enum value_unit type_unit(const struct type *t)
{
	for (; t && (t->kind == TYPE_TYPEDEF || t->kind == TYPE_QUALIFIED); t = t->target)
		if (t->kind == TYPE_TYPEDEF && t->name &&
		    (string_equal(t->name, "size_t") || string_equal(t->name, "ssize_t")))
			return UNIT_BYTES;
	return UNIT_NONE;
}

static bool is_duration(enum value_unit unit)
{
	return unit >= UNIT_NS && unit <= UNIT_S;
}

static enum value_unit unit_of_sum(enum value_unit left, enum value_unit right)
{
	if (left == UNIT_TIME || right == UNIT_TIME)
		return is_duration(left) || is_duration(right) || left <= UNIT_CONSTANT ||
				       right <= UNIT_CONSTANT
			       ? UNIT_TIME
			       : UNIT_NONE;
	return unit_join(left, right);
}

static enum value_unit unit_of_difference(enum value_unit left, enum value_unit right)
{
	if (left == UNIT_TIME && right == UNIT_TIME)
		return UNIT_NS;
	return right == UNIT_TIME ? UNIT_NONE : unit_of_sum(left, right);
}

static const struct texpr *without_conversion(const struct texpr *e)
{
	while (e->kind == TEXPR_CONVERT)
		e = e->operand;
	return e;
}

/* (timestamp - self->start) / 1000 */
static enum value_unit unit_of_quotient(enum value_unit left, const struct texpr *divisor)
{
	divisor = without_conversion(divisor);
	if (!is_duration(left) || divisor->kind != TEXPR_INTEGER)
		return UNIT_NONE;
	int64_t rest = divisor->integer;
	for (; rest > 1 && rest % 1000 == 0; rest /= 1000)
		left = left < UNIT_S ? left + 1 : UNIT_NONE;
	return rest == 1 ? left : UNIT_NONE;
}

static enum value_unit expression_unit(const struct units *u, const struct texpr *e);

static enum value_unit unit_of_operation(const struct units *u, enum op op,
					 const struct texpr *left, const struct texpr *right)
{
	enum value_unit a = expression_unit(u, left), b = expression_unit(u, right);
	if (a == UNIT_OPEN || b == UNIT_OPEN)
		return UNIT_OPEN;
	switch (op) {
	case OP_ADD:
		return unit_of_sum(a, b);
	case OP_SUB:
		return unit_of_difference(a, b);
	case OP_DIV:
		return unit_of_quotient(a, right);
	default:
		return UNIT_NONE;
	}
}

/* NULL: E is not one, nor an element of one. */
static const struct variable *variable_with_unit(const struct texpr *e)
{
	return e->kind == TEXPR_VARIABLE  ? e->variable
	       : e->kind == TEXPR_ELEMENT ? e->element.variable
					  : NULL;
}

static enum value_unit unit_of_variable(const struct units *u, const struct variable *v)
{
	return u->variables[v->scope][v->index];
}

/* What is added to a variable that has no unit yet gives it one. */
static enum value_unit unit_of_update(const struct units *u, const struct texpr *e)
{
	bool adds = e->update.op == OP_ADD || e->update.op == OP_SUB;
	if (adds && expression_unit(u, e->update.target) == UNIT_OPEN)
		return expression_unit(u, e->update.value);
	return unit_of_operation(u, e->update.op, e->update.target, e->update.value);
}

static enum value_unit unit_of_value(const struct units *u, const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_INTEGER:
		return UNIT_CONSTANT;
	case TEXPR_BUILTIN:
		return e->builtin == BUILTIN_timestamp || e->builtin == BUILTIN_vtimestamp ||
				       e->builtin == BUILTIN_walltimestamp
			       ? UNIT_TIME
			       : UNIT_NONE;
	case TEXPR_VARIABLE:
	case TEXPR_ELEMENT:
		return unit_of_variable(u, variable_with_unit(e));
	case TEXPR_CONVERT:
		return expression_unit(u, e->operand);
	case TEXPR_CONDITIONAL:
		return unit_join(expression_unit(u, e->conditional.then),
				 expression_unit(u, e->conditional.otherwise));
	case TEXPR_COMMA:
		return expression_unit(u, e->binary.right);
	case TEXPR_BINARY:
		return unit_of_operation(u, e->binary.op, e->binary.left, e->binary.right);
	case TEXPR_ASSIGN:
		return expression_unit(u, e->assign.value);
	case TEXPR_UPDATE:
		return unit_of_update(u, e);
	default:
		return UNIT_NONE;
	}
}

/* What is computed counts more than how its type is called. */
static enum value_unit expression_unit(const struct units *u, const struct texpr *e)
{
	enum value_unit unit = unit_of_value(u, e);
	return unit == UNIT_NONE ? type_unit(e->declared) : unit;
}

static void unit_assign(struct units *u, const struct texpr *target, enum value_unit unit)
{
	const struct variable *v = variable_with_unit(target);
	if (v && unit != UNIT_CONSTANT)
		unit_raise(u, &u->variables[v->scope][v->index],
			   unit == UNIT_NONE ? type_unit(v->declared_type) : unit);
}

static void units_of_assignments(void *units, const struct texpr *e)
{
	struct units *u = units;
	if (e->kind == TEXPR_ASSIGN)
		unit_assign(u, e->assign.target, expression_unit(u, e->assign.value));
	else if (e->kind == TEXPR_UPDATE)
		unit_assign(u, e->update.target, expression_unit(u, e));
	texpr_each_part(e, units_of_assignments, u);
}

static void units_of_list(struct units *u, const struct texpr *list)
{
	for (; list; list = list->next)
		units_of_assignments(u, list);
}

static void units_of_statements(struct units *u, const struct tstmt *s)
{
	for (; s; s = s->next) {
		if (s->kind == TSTMT_EXPRESSION) {
			units_of_assignments(u, s->expr);
		} else if (tstmt_has_branches(s)) {
			units_of_assignments(u, s->if_.condition);
			units_of_statements(u, s->if_.then);
			units_of_statements(u, s->if_.otherwise);
		} else if (s->kind == TSTMT_ACTION) {
			units_of_list(u, s->action.args);
		} else if (s->kind == TSTMT_AGGREGATE && s->aggregate.value) {
			units_of_list(u, s->aggregate.keys);
			units_of_assignments(u, s->aggregate.value);
			unit_raise(u, &u->aggregations[s->aggregate.aggregation->index],
				   expression_unit(u, s->aggregate.value));
		}
	}
}

static void units_of_clauses(struct units *u, const struct typed_program *p)
{
	for (unsigned i = 0; i < p->clause_count; i++) {
		if (p->clauses[i]->predicate)
			units_of_assignments(u, p->clauses[i]->predicate);
		units_of_statements(u, p->clauses[i]->body);
	}
}

/* Raise units until none rises any more. */
static void units_settle(struct units *u, const struct typed_program *p)
{
	do {
		u->has_risen = false;
		units_of_clauses(u, p);
	} while (u->has_risen);
}

/* What only constants, or nothing, were assigned to has the unit of its declaration. */
static void units_of_declarations(struct units *u, const struct typed_program *p)
{
	for (unsigned scope = 0; scope < ARRAY_SIZE(u->variables); scope++)
		for (unsigned i = 0; i < p->variable_count[scope]; i++) {
			enum value_unit unit = type_unit(p->variables[scope][i]->declared_type);
			if (u->variables[scope][i] == UNIT_OPEN && unit != UNIT_NONE)
				u->variables[scope][i] = (uint8_t)unit;
		}
}

const char *const *typed_units(struct arena *a, const struct typed_program *p)
{
	struct units u = { .aggregations = arena_alloc(a, p->aggregation_count + 1) };
	for (unsigned scope = 0; scope < ARRAY_SIZE(u.variables); scope++)
		u.variables[scope] = arena_alloc(a, p->variable_count[scope] + 1);
	units_settle(&u, p);
	units_of_declarations(&u, p);
	units_settle(&u, p);
	const char **ret = arena_alloc(a, (p->aggregation_count + 1) * sizeof(*ret));
	for (unsigned i = 0; i < p->aggregation_count; i++)
		ret[i] = unit_names[u.aggregations[i]];
	return ret;
}
