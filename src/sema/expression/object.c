/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object - structs that are results of operators: c ? a : b, (x, a), a = b
 *
 * Every use of a struct reads it from a place: a variable, a part of one, or an address.  The
 * result of an operator has a place, too, and is expressed by it: c ? a : b is *(c ? &a : &b).
 */
#include "sema/sema_internal.h"

static bool is_users(const struct texpr *e)
{
	return e->kind == TEXPR_LOAD && e->load.user;
}

static struct texpr *object_address(struct sema *s, struct texpr *e)
{
	const struct type *type = types_pointer(s->types, e->type);
	if (e->kind == TEXPR_LOAD)
		return convert_scalar(s, e->load.address, type);
	struct texpr *address = texpr_new(s, TEXPR_ADDRESS, type, e->range);
	address->operand = e;
	return address;
}

static struct texpr *conditional(struct sema *s, struct texpr *e)
{
	struct texpr *then = e->conditional.then, *otherwise = e->conditional.otherwise;
	if (is_users(then) != is_users(otherwise))
		return mistake(s, e->range, D_OP_INCOMPAT,
			       "one branch of ?: is a struct of the process's memory, the other is "
			       "not: assign it to a variable first");
	bool user = is_users(then);
	e->conditional.then = object_address(s, then);
	e->conditional.otherwise = object_address(s, otherwise);
	const struct type *type = e->type;
	e->type = e->conditional.then->type;
	return memory_load(s, e, type, user, e->range);
}

static struct texpr *object_comma(struct sema *s, struct texpr *e)
{
	bool user = is_users(e->binary.right);
	e->binary.right = object_address(s, e->binary.right);
	const struct type *type = e->type;
	e->type = e->binary.right->type;
	return memory_load(s, e, type, user, e->range);
}

struct texpr *object_value(struct sema *s, struct texpr *e)
{
	if (!type_is_struct(e->type))
		return e;
	if (e->kind == TEXPR_CONDITIONAL)
		return conditional(s, e);
	if (e->kind == TEXPR_COMMA)
		return object_comma(s, e);
	if (e->kind == TEXPR_ASSIGN)
		return memory_load(s, object_address(s, e), e->type, is_users(e->assign.value),
				   e->range);
	return e;
}

bool object_is_assigned(const struct texpr *e)
{
	return e->kind == TEXPR_LOAD && e->load.address->kind == TEXPR_ADDRESS &&
	       e->load.address->operand->kind == TEXPR_ASSIGN;
}

struct texpr *object_unwanted(struct texpr *e)
{
	return object_is_assigned(e) ? e->load.address->operand : e;
}
