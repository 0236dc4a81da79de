/* SPDX-License-Identifier: BSD-2-Clause */
/* operator - unary and binary operators, comparisons */
#include "sema/sema_internal.h"

static bool texpr_is_character(const struct texpr *e)
{
	const struct source *source = e->range.source;
	return e->kind == TEXPR_INTEGER && source && e->range.begin < source->len &&
	       source->text[e->range.begin] == '\'';
}

/* A text in the quotes of characters? */
static const char *quotes_advice(const struct texpr *a, const struct texpr *b)
{
	return type_is_string_like(a->type) && texpr_is_character(b)
		       ? ": a string is written in double quotes, '...' is a number made of its "
			 "characters"
		       : "";
}

/* Texts that are to be joined, or a text without its beginning? */
static const char *string_advice(enum op op, const struct texpr *a, const struct texpr *b)
{
	bool is_text = type_is_string_like(a->type), with_text = type_is_string_like(b->type);
	if (op == OP_ADD && is_text && with_text)
		return ": strjoin() joins strings";
	if (type_resolve(a->type)->kind == TYPE_ENUM && with_text)
		return ": a value of an enum is compared with the enumerator, without quotes";
	bool is_offset = (type_is_string(a->type) && type_is_integer(b->type)) ||
			 (type_is_integer(a->type) && type_is_string(b->type));
	return op == OP_ADD && is_offset && !texpr_is_character(a) && !texpr_is_character(b)
		       ? ": substr() gives a part of a string"
		       : "";
}

static struct texpr *incompatible(struct sema *s, enum op op, const struct texpr *left,
				  const struct texpr *right, struct range range)
{
	return mistake(s, range, D_OP_INCOMPAT,
		       "operands of %s have incompatible types: %s and %s%s%s%s%s", op_text(op),
		       type_text(s, left->type), type_text(s, right->type),
		       quotes_advice(left, right), quotes_advice(right, left),
		       string_advice(op, left, right),
		       real_advice(type_is_real(left->type) ? left->type : right->type));
}

/*
 * The usual arithmetic conversion: a wider type wins, and of two equally
 * wide ones the unsigned.
 */
const struct type *operator_promoted(struct sema *s, const struct type *a, const struct type *b)
{
	a = type_resolve(a);
	b = type_resolve(b);
	if (a->kind == TYPE_POISON || b->kind == TYPE_POISON)
		return intrinsic(s, INTRINSIC_POISON);
	if (a->kind == TYPE_ENUM)
		a = intrinsic(s, a->size > 4 ? INTRINSIC_LONG : INTRINSIC_INT);
	if (b->kind == TYPE_ENUM)
		b = intrinsic(s, b->size > 4 ? INTRINSIC_LONG : INTRINSIC_INT);
	uint32_t rank_a = a->size * 8 + !a->is_signed, rank_b = b->size * 8 + !b->is_signed;
	return rank_b > rank_a ? b : a;
}

/* --- arithmetic --- */

static bool check_integer(struct sema *s, enum op op, const struct texpr *e,
			  enum diagnostic_tag tag)
{
	if (type_is_integer(e->type))
		return true;
	diagnose(s->diagnostics, e->range, tag, "an operand of %s must be %s, not %s%s",
		 op_text(op), tag == D_OP_INT ? "an integer" : "arithmetic", type_text(s, e->type),
		 real_advice(e->type));
	return false;
}

static struct texpr *integer_arithmetic(struct sema *s, enum op op, struct texpr *left,
					struct texpr *right, struct range range)
{
	if ((op == OP_DIV || op == OP_MOD) && texpr_is_zero(right))
		return mistake(s, range, D_DIV_ZERO, "division by zero");
	const struct type *type = operator_promoted(s, left->type, right->type);
	if (op == OP_SHL || op == OP_SHR)
		type = operator_promoted(s, left->type, left->type);
	if (type_size(type) > 4) {
		left = convert_whole(s, left);
		right = convert_whole(s, right);
	}
	return fold_or_new(s, op, type, type_is_signed(type), left, right, range);
}

/* The size of P's target, or 0 and a mistake. */
static uint32_t pointed_size(struct sema *s, const struct texpr *p, struct range range)
{
	const struct type *target = type_resolve(p->type->target);
	uint32_t size = target->kind == TYPE_FUNCTION ? 0 : type_size(target);
	if (size == 0)
		diagnose(s->diagnostics, range, D_OP_VFPTR,
			 "no arithmetic on a pointer of type %s: the size of its target is unknown",
			 type_text(s, p->type));
	return size;
}

static struct texpr *pointer_and_integer(struct sema *s, enum op op, struct texpr *p,
					 struct texpr *count, struct range range)
{
	uint32_t size = pointed_size(s, p, range);
	if (!size)
		return texpr_poison(s, range);
	struct texpr *bytes = memory_scaled(s, count, size);
	if (texpr_is_zero(bytes))
		return p;
	if (op == OP_ADD && bytes->kind == TEXPR_INTEGER && p->kind == TEXPR_BINARY &&
	    p->binary.op == OP_ADD && p->binary.right->kind == TEXPR_INTEGER) {
		bytes = texpr_integer(s, bytes->integer + p->binary.right->integer,
				      intrinsic(s, INTRINSIC_LONG), range);
		return fold_or_new(s, OP_ADD, p->type, false, p->binary.left, bytes, range);
	}
	return fold_or_new(s, op, p->type, false, p, bytes, range);
}

/* The pointer comes first in the sum, but not always when they are evaluated. */
static struct texpr *integer_and_pointer(struct sema *s, struct texpr *count, struct texpr *p,
					 struct range range)
{
	struct texpr *first = NULL;
	if (order_is_seen(count, p))
		count = value_once(s, count, &first);
	return value_after(s, first, pointer_and_integer(s, OP_ADD, p, count, range));
}

static struct texpr *pointer_difference(struct sema *s, struct texpr *left, struct texpr *right,
					struct range range)
{
	if (!type_pointers_compatible(left->type, right->type))
		return incompatible(s, OP_SUB, left, right, range);
	uint32_t size = pointed_size(s, left, range);
	if (!size)
		return texpr_poison(s, range);
	const struct type *type = intrinsic(s, INTRINSIC_LONG);
	struct texpr *bytes = fold_or_new(s, OP_SUB, type, true, left, right, range);
	if (size == 1)
		return bytes;
	return fold_or_new(s, OP_DIV, type, true, bytes, texpr_integer(s, size, type, range),
			   range);
}

static struct texpr *additive(struct sema *s, enum op op, struct texpr *left, struct texpr *right,
			      struct range range)
{
	if (type_is_integer(left->type) && type_is_integer(right->type))
		return integer_arithmetic(s, op, left, right, range);
	if (type_is_pointer(left->type) && type_is_integer(right->type))
		return pointer_and_integer(s, op, left, right, range);
	if (op == OP_ADD && type_is_integer(left->type) && type_is_pointer(right->type))
		return integer_and_pointer(s, left, right, range);
	if (op == OP_SUB && type_is_pointer(left->type) && type_is_pointer(right->type))
		return pointer_difference(s, left, right, range);
	return incompatible(s, op, left, right, range);
}

struct texpr *operator_arithmetic(struct sema *s, enum op op, struct texpr *left,
				  struct texpr *right, struct range range)
{
	if (texpr_is_poison(left) || texpr_is_poison(right))
		return texpr_poison(s, range);
	if (op == OP_ADD || op == OP_SUB)
		return additive(s, op, left, right, range);
	enum diagnostic_tag tag = op == OP_MUL || op == OP_DIV ? D_OP_ARITH : D_OP_INT;
	if (!check_integer(s, op, left, tag) || !check_integer(s, op, right, tag))
		return texpr_poison(s, range);
	return integer_arithmetic(s, op, left, right, range);
}

/* --- comparisons --- */

static struct texpr *compare_strings(struct sema *s, enum op op, struct texpr *left,
				     struct texpr *right, struct range range)
{
	const struct type *string = intrinsic(s, INTRINSIC_STRING);
	struct texpr *a = convert_compatible(s, left, string);
	struct texpr *b = convert_compatible(s, right, string);
	if (!a || !b)
		return incompatible(s, op, left, right, range);
	struct texpr *e = texpr_new(s, TEXPR_COMPARE_STRINGS, intrinsic(s, INTRINSIC_INT), range);
	e->binary.op = op;
	e->binary.left = a;
	e->binary.right = b;
	return e;
}

bool operator_pointers_comparable(const struct texpr *a, const struct texpr *b)
{
	return (type_is_pointer(a->type) && texpr_is_zero(b)) ||
	       (texpr_is_zero(a) && type_is_pointer(b->type)) ||
	       (type_is_pointer(a->type) && type_is_pointer(b->type) &&
		type_pointers_compatible(a->type, b->type));
}

/* A side of a comparison of numbers of TYPE: next to an unsigned int, an int is one, too. */
static struct texpr *compared(struct sema *s, struct texpr *e, const struct type *type)
{
	bool are_unsigned = type_size(type) == 4 && !type_is_signed(type);
	return are_unsigned ? convert_scalar(s, e, type) : convert_whole(s, e);
}

struct texpr *operator_comparison(struct sema *s, enum op op, struct texpr *left,
				  struct texpr *right, struct range range)
{
	if (texpr_is_poison(left) || texpr_is_poison(right))
		return texpr_poison(s, range);
	if (left->type->kind == TYPE_STRING || right->type->kind == TYPE_STRING)
		return compare_strings(s, op, left, right, range);
	if (type_is_real(left->type) || type_is_real(right->type)) {
		struct texpr *e = real_compare(s, op, left, right, range);
		return e ? e : incompatible(s, op, left, right, range);
	}
	bool integers = type_is_integer(left->type) && type_is_integer(right->type);
	if (!integers && !operator_pointers_comparable(left, right))
		return incompatible(s, op, left, right, range);
	if (!integers)
		return fold_or_new(s, op, intrinsic(s, INTRINSIC_INT), false, left, right, range);
	const struct type *type = operator_promoted(s, left->type, right->type);
	left = compared(s, left, type);
	right = compared(s, right, type);
	bool is_signed = type_is_signed(type);
	return fold_or_new(s, op, intrinsic(s, INTRINSIC_INT), is_signed, left, right, range);
}

/* `flags == NAME`: NAME may be an enumerator of the left side's type. */
static struct texpr *right_enumerator(struct sema *s, const struct type *type, const struct node *n)
{
	if (type->kind != TYPE_ENUM || n->kind != NODE_IDENT)
		return NULL;
	for (unsigned i = 0; i < type_enumerator_count(s->types, type); i++) {
		const struct enumerator *e = type_enumerator_at(s->types, type, i);
		if (!string_equal(e->name, n->ident.name))
			continue;
		if (variable_find(s, SCOPE_GLOBAL, e->name))
			return mistake(s, n->range, D_IDENT_AMBIG,
				       "%s is an enumerator of %s and a variable as well", e->name,
				       type_text(s, type));
		return texpr_integer(s, e->value, type, n->range);
	}
	return NULL;
}

/*
 * The mistake of N, a word that nothing is called, compared with OTHER, a string: it lacks its
 * quotes.  NULL: it is something else.
 */
static struct texpr *word_without_quotes(struct sema *s, const struct node *n,
					 const struct texpr *other)
{
	bool is_argument = n->range.source && n->range.source->text[n->range.begin] == '$';
	if (n->kind != NODE_IDENT || is_argument || !type_is_string(other->type) ||
	    name_find(s, n->ident.name).kind != NAME_UNKNOWN ||
	    foreign_remedy(FOREIGN_VARIABLE, n->ident.name) ||
	    *name_suggestion_variable(s, SCOPE_GLOBAL, n->ident.name))
		return NULL;
	return mistake(s, n->range, D_IDENT_UNDEF, "%s is unknown: a string is written \"%s\"",
		       n->ident.name, n->ident.name);
}

bool operator_check_scalar(struct sema *s, enum op op, const struct texpr *e)
{
	if (type_is_scalar(e->type))
		return true;
	diagnose(s->diagnostics, e->range, D_OP_SCALAR, "an operand of %s must be scalar, not %s%s",
		 op_text(op), type_text(s, e->type), text_condition_advice(e->type));
	return false;
}

/* The right side of a comparison that is no ordinary expression next to LEFT; else NULL. */
static struct texpr *right_special(struct sema *s, const struct texpr *left, const struct node *n)
{
	struct texpr *enumerator = right_enumerator(s, left->type, n);
	return enumerator ? enumerator : word_without_quotes(s, n, left);
}

static struct texpr *operator_comma(struct sema *s, const struct node *n)
{
	struct texpr *left = expression_value(s, n->binary.left);
	struct texpr *right = expression_value(s, n->binary.right);
	if (texpr_is_poison(left) || texpr_is_poison(right))
		return texpr_poison(s, n->range);
	left = object_unwanted(left);
	return object_value(s, texpr_comma(s, left, right, right->type, n->range));
}

/* Is N a stack: a call of stack(), or a variable or element that holds one? */
static bool operand_is_stack(struct sema *s, const struct node *n)
{
	if (n->kind == NODE_CALL && n->call.callee->kind == NODE_IDENT)
		return string_equal(n->call.callee->ident.name, "stack") ||
		       string_equal(n->call.callee->ident.name, "ustack");
	if (n->kind == NODE_INDEX)
		n = n->index.base;
	struct name name = n->kind == NODE_IDENT ? name_find(s, n->ident.name)
						 : (struct name) { NAME_UNKNOWN };
	const struct variable *v = n->kind == NODE_SCOPED
					   ? variable_find(s, n->ident.scope, n->ident.name)
				   : name.kind == NAME_VARIABLE ? name.variable
								: NULL;
	return v && v->type->kind == TYPE_STACK;
}

static struct texpr *stack_of_node(struct sema *s, const struct node *n)
{
	return expression_plain(s, expression_argument(s, n, D_OP_ACT), D_OP_ACT);
}

static struct texpr *stacks_compare(struct sema *s, enum op op, const struct node *n)
{
	struct texpr *left = stack_of_node(s, n->binary.left);
	struct texpr *right = stack_of_node(s, n->binary.right);
	left = stack_kept(s, left, right->type);
	right = stack_kept(s, right, left->type);
	if (texpr_is_poison(left) || texpr_is_poison(right))
		return texpr_poison(s, n->range);
	if (!type_is_kept_stack(left->type) || !type_same(left->type, right->type))
		return mistake(s, n->range, D_OP_INCOMPAT,
			       "operands of %s have incompatible types: %s and %s", op_text(op),
			       type_text(s, left->type), type_text(s, right->type));
	struct texpr *e = texpr_new(s, TEXPR_CALL, intrinsic(s, INTRINSIC_INT), n->range);
	e->call.function = SUBROUTINE_stack_equal;
	e->call.args = left;
	e->call.count = 2;
	left->next = right;
	return op == OP_EQ ? e : conditional_not(s, e);
}

struct texpr *operator_binary(struct sema *s, const struct node *n)
{
	enum op op = n->binary.op;
	if (op == OP_COMMA)
		return operator_comma(s, n);
	if (op == OP_LAND || op == OP_LOR || op == OP_LXOR)
		return conditional_logical(s, n);
	bool compares = op >= OP_LT && op <= OP_NE;
	if ((op == OP_EQ || op == OP_NE) && operand_is_stack(s, n->binary.left))
		return stacks_compare(s, op, n);
	struct texpr *left = expression_value(s, n->binary.left);
	struct texpr *right = compares ? right_special(s, left, n->binary.right) : NULL;
	if (!right)
		right = expression_value(s, n->binary.right);
	if (compares)
		return operator_comparison(s, op, left, right, n->range);
	return operator_arithmetic(s, op, left, right, n->range);
}

/* --- unary operators --- */

static struct texpr *unary_new(struct sema *s, enum texpr_kind kind, const struct type *type,
			       struct texpr *operand, struct range range)
{
	if (operand->kind == TEXPR_INTEGER) {
		uint64_t v = (uint64_t)operand->integer;
		uint64_t value = kind == TEXPR_NEGATE ? 0 - v : kind == TEXPR_NOT ? !v : ~v;
		return texpr_integer(s, (int64_t)value, type, range);
	}
	struct texpr *e = texpr_new(s, kind, type, range);
	e->operand = operand;
	return e;
}

static struct texpr *unary_integer(struct sema *s, const struct node *n, struct texpr *operand)
{
	enum op op = n->unary.op;
	if (!check_integer(s, op, operand, op == OP_NOT ? D_OP_INT : D_OP_ARITH))
		return texpr_poison(s, n->range);
	const struct type *type = operator_promoted(s, operand->type, operand->type);
	if (op == OP_PLUS) /* the same value, which is not an lvalue; it is not narrowed */
		return fold_or_new(s, OP_ADD, type, type_is_signed(type), operand,
				   texpr_integer(s, 0, type, n->range), n->range);
	return unary_new(s, op == OP_NEG ? TEXPR_NEGATE : TEXPR_COMPLEMENT, type, operand,
			 n->range);
}

static struct texpr *negation(struct sema *s, const struct node *n)
{
	struct texpr *operand = expression_truth(s, n->unary.operand);
	if (texpr_is_poison(operand) || !operator_check_scalar(s, OP_LNOT, operand))
		return texpr_poison(s, n->range);
	return unary_new(s, TEXPR_NOT, intrinsic(s, INTRINSIC_INT), operand, n->range);
}

/* Neither aggregations nor translated objects have an address. */
static struct texpr *operator_address(struct sema *s, const struct node *n)
{
	const struct node *operand = n->unary.operand;
	const struct node *name = operand->kind == NODE_INDEX ? operand->index.base : operand;
	if (name->kind == NODE_AGGREGATION)
		return mistake(s, n->range, D_ADDROF_VAR,
			       "the address of an aggregation cannot be taken");
	struct texpr *e = expression_plain(s, expression_any(s, operand), D_ADDROF_VAR);
	return memory_address_of(s, e, n->range);
}

struct texpr *operator_unary(struct sema *s, const struct node *n)
{
	enum op op = n->unary.op;
	if (op == OP_ADDROF)
		return operator_address(s, n);
	if (op >= OP_PREINC && op <= OP_POSTDEC && n->unary.operand->kind == NODE_AGGREGATION)
		return mistake(s, n->range, D_OP_DYN,
			       "%s does not change aggregations: write @%s%s = count()",
			       op_text(op), n->unary.operand->aggregation.name,
			       n->unary.operand->aggregation.keys ? "[...]" : "");
	if (op >= OP_PREINC && op <= OP_POSTDEC)
		return assign_increment(s, n);

	if (op == OP_LNOT)
		return negation(s, n);
	struct texpr *operand = expression_any(s, n->unary.operand);
	if (op == OP_DEREF && operand->kind == TEXPR_TRANSLATED &&
	    operand->type->kind == TYPE_POINTER)
		return translator_dereference(s, operand, n->range);
	operand = expression_operand(s, expression_plain(s, operand, D_OP_DYN));
	if (texpr_is_poison(operand))
		return operand;
	return op == OP_DEREF ? memory_dereference(s, operand, n->range)
			      : unary_integer(s, n, operand);
}
