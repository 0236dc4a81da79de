/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conditional - ?:, &&, || and ^^
 *
 * A constant condition selects its branch when compiling: the other branch is not checked at all,
 * so it may name what this kernel does not have.  Where the whole is a statement, the selected
 * branch is one, too: an action or an aggregation.  The classic tools choose by an inline what
 * they print: `opt_v ? printf("...") : 1;`.
 */
#include "sema/sema_internal.h"

/* --- logical operators --- */

static bool is_constant(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER && !texpr_is_poison(e);
}

static struct texpr *truth(struct sema *s, struct texpr *e, struct range range)
{
	const struct type *type = intrinsic(s, INTRINSIC_INT);
	return fold_or_new(s, OP_NE, type, false, e, texpr_integer(s, 0, e->type, range), range);
}

static struct texpr *logical_new(struct sema *s, enum op op, struct texpr *left,
				 struct texpr *right, struct range range)
{
	const struct type *type = intrinsic(s, INTRINSIC_INT);
	if (is_constant(left) && is_constant(right) && op == OP_LXOR)
		return texpr_integer(s, !left->integer != !right->integer, type, range);
	if (is_constant(left) && op != OP_LXOR)
		return truth(s, right, range);
	struct texpr *e = texpr_new(s, TEXPR_LOGICAL, type, range);
	e->binary.op = op;
	e->binary.left = left;
	e->binary.right = right;
	return e;
}

/* Does the left side of && or || decide alone? */
static bool is_decided(enum op op, const struct texpr *left)
{
	return is_constant(left) && op != OP_LXOR && (left->integer != 0) == (op == OP_LOR);
}

struct texpr *conditional_logical(struct sema *s, const struct node *n)
{
	enum op op = n->binary.op;
	struct texpr *left = expression_truth(s, n->binary.left);
	if (is_decided(op, left) && operator_check_scalar(s, op, left))
		return texpr_integer(s, op == OP_LOR, intrinsic(s, INTRINSIC_INT), n->range);
	struct texpr *right = expression_truth(s, n->binary.right);
	if (texpr_is_poison(left) || texpr_is_poison(right) ||
	    !operator_check_scalar(s, op, left) || !operator_check_scalar(s, op, right))
		return texpr_poison(s, n->range);
	return logical_new(s, op, left, right, n->range);
}

struct texpr *conditional_and(struct sema *s, struct texpr *a, struct texpr *b)
{
	if (!a || !b)
		return a ? a : b;
	if (texpr_is_poison(a) || texpr_is_poison(b))
		return texpr_is_poison(a) ? a : b;
	if (is_decided(OP_LAND, a))
		return texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), a->range);
	return logical_new(s, OP_LAND, a, b, b->range);
}

struct texpr *conditional_not(struct sema *s, struct texpr *e)
{
	if (texpr_is_poison(e))
		return e;
	if (is_constant(e))
		return texpr_integer(s, !e->integer, intrinsic(s, INTRINSIC_INT), e->range);
	struct texpr *n = texpr_new(s, TEXPR_NOT, intrinsic(s, INTRINSIC_INT), e->range);
	n->operand = e;
	return n;
}

/* --- ?: --- */

/* Is A a call of strftime(), and B a number that is printed by the same format? */
static bool is_time_or_number(const struct texpr *a, const struct texpr *b)
{
	return type_resolve(a->type)->is_time && (type_resolve(b->type)->is_time || is_constant(b));
}

/* The type of both branches, or NULL. */
static const struct type *branches_type(struct sema *s, const struct texpr *a,
					const struct texpr *b)
{
	if (a->type->kind == TYPE_STRING || b->type->kind == TYPE_STRING)
		return intrinsic(s, INTRINSIC_STRING);
	if (is_time_or_number(a, b) || is_time_or_number(b, a))
		return is_time_or_number(a, b) ? a->type : b->type;
	if (type_is_integer(a->type) && type_is_integer(b->type))
		return a->type == b->type ? a->type : operator_promoted(s, a->type, b->type);
	if (operator_pointers_comparable(a, b)) {
		const struct type *type = type_is_pointer(a->type) ? a->type : b->type;
		bool other =
			type_is_pointer(b->type) && type_resolve(type->target)->kind == TYPE_VOID;
		return other ? b->type : type;
	}
	if (type_same(a->type, b->type) && a->type->kind != TYPE_FLOAT)
		return a->type;
	return NULL;
}

static struct texpr *branch(struct sema *s, struct texpr *e, const struct type *type)
{
	if (type->kind == TYPE_STRING)
		return convert_compatible(s, e, type);
	return type_size(type) > 4 ? convert_whole(s, e) : e;
}

static struct texpr *branch_value(struct sema *s, const struct node *n)
{
	if (!action_is_call(n))
		return expression_value(s, n);
	return mistake(s, n->range, D_OP_ACT,
		       "%s() is an action: it cannot be a branch of ?:, but one of if and else",
		       n->call.callee->ident.name);
}

struct texpr *conditional_check(struct sema *s, const struct node *n)
{
	struct texpr *condition = expression_condition(s, n->conditional.condition, D_OP_SCALAR);
	if (is_constant(condition))
		return branch_value(s, condition->integer ? n->conditional.then
							  : n->conditional.otherwise);
	struct texpr *then = branch_value(s, n->conditional.then);
	struct texpr *otherwise =
		time_check(s, branch_value(s, n->conditional.otherwise), then->type);
	if (texpr_is_poison(condition) || texpr_is_poison(then) || texpr_is_poison(otherwise))
		return texpr_poison(s, n->range);

	const struct type *type = branches_type(s, then, otherwise);
	struct texpr *e = texpr_new(s, TEXPR_CONDITIONAL, type ? type : then->type, n->range);
	e->conditional.condition = condition;
	e->conditional.then = type ? branch(s, then, type) : NULL;
	e->conditional.otherwise = type ? branch(s, otherwise, type) : NULL;
	if (!e->conditional.then || !e->conditional.otherwise)
		return mistake(s, n->range, D_OP_INCOMPAT,
			       "the branches of ?: have incompatible types: %s and %s",
			       type_text(s, then->type), type_text(s, otherwise->type));
	return object_value(s, e);
}

/* --- as statements --- */

static bool is_choice(const struct node *n)
{
	return n->kind == NODE_CONDITIONAL ||
	       (n->kind == NODE_BINARY && (n->binary.op == OP_LAND || n->binary.op == OP_LOR));
}

/* Is N, or a branch of it, nothing but a statement? */
static bool has_statement(const struct node *n)
{
	if (n->kind == NODE_CONDITIONAL)
		return has_statement(n->conditional.then) ||
		       has_statement(n->conditional.otherwise);
	if (is_choice(n))
		return has_statement(n->binary.right);
	return action_is_call(n) ||
	       (n->kind == NODE_ASSIGN && n->assign.left->kind == NODE_AGGREGATION);
}

/* The branch of N that a constant condition selects; N itself: none does. */
static const struct node *selected(struct sema *s, const struct node *n)
{
	bool is_logical = n->kind == NODE_BINARY;
	const struct node *left = is_logical ? n->binary.left : n->conditional.condition;
	struct texpr *condition = expression_condition(s, left, D_OP_SCALAR);
	if (texpr_is_poison(condition))
		return NULL;
	if (!is_constant(condition))
		return n;
	if (is_logical)
		return is_decided(n->binary.op, condition) ? left : n->binary.right;
	return condition->integer ? n->conditional.then : n->conditional.otherwise;
}

const struct node *conditional_statement(struct sema *s, const struct node *n)
{
	while (n && is_choice(n) && has_statement(n)) {
		const struct node *branch = selected(s, n);
		if (branch == n)
			break;
		n = branch;
	}
	return n;
}
