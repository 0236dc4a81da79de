/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fold - new texprs and statements, and arithmetic that needs no kernel
 *
 * All arithmetic is that of 64-bit two's complement and wraps, as the kernel
 * side's does, so a folded expression has the value it would have had there.
 */
#include "sema/sema_internal.h"

struct texpr *texpr_new(struct sema *s, enum texpr_kind kind, const struct type *type,
			struct range range)
{
	struct texpr *e = ARENA_NEW(s->arena, struct texpr);
	e->kind = kind;
	e->type = type_resolve(type);
	e->declared = type;
	e->range = range;
	if (s->budget)
		s->budget--;
	return e;
}

struct texpr *texpr_copy(struct sema *s, const struct texpr *e)
{
	struct texpr *copy = texpr_new(s, e->kind, e->type, e->range);
	*copy = *e;
	copy->next = NULL;
	return copy;
}

struct tstmt *tstmt_new(struct sema *s, enum tstmt_kind kind, struct range range)
{
	struct tstmt *t = ARENA_NEW(s->arena, struct tstmt);
	t->kind = kind;
	t->range = range;
	return t;
}

struct texpr *texpr_integer(struct sema *s, int64_t value, const struct type *type,
			    struct range range)
{
	struct texpr *e = texpr_new(s, TEXPR_INTEGER, type, range);
	e->integer = value;
	return e;
}

struct texpr *texpr_comma(struct sema *s, struct texpr *first, struct texpr *second,
			  const struct type *type, struct range range)
{
	struct texpr *e = texpr_new(s, TEXPR_COMMA, type, range);
	e->binary.op = OP_COMMA;
	e->binary.left = first;
	e->binary.right = second;
	return e;
}

struct texpr *texpr_assign(struct sema *s, struct texpr *target, struct texpr *value,
			   struct range range)
{
	bool is_text = value->type->kind == TYPE_STRING;
	struct texpr *e = texpr_new(s, TEXPR_ASSIGN, is_text ? value->type : target->type, range);
	e->assign.target = target;
	e->assign.value = value;
	return e;
}

struct texpr *texpr_null_string(struct sema *s, struct range range)
{
	return texpr_new(s, TEXPR_STRING, intrinsic(s, INTRINSIC_STRING), range);
}

struct texpr *texpr_poison(struct sema *s, struct range range)
{
	return texpr_new(s, TEXPR_INTEGER, intrinsic(s, INTRINSIC_POISON), range);
}

bool texpr_is_poison(const struct texpr *e)
{
	return e->type->kind == TYPE_POISON;
}

bool texpr_is_zero(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER && e->integer == 0;
}

const char *type_text(struct sema *s, const struct type *type)
{
	auto_strbuf struct strbuf text = { 0 };
	type_print(type, &text);
	return arena_strdup(s->arena, strbuf_text(&text));
}

static bool fold_division(enum op op, bool is_signed, int64_t a, int64_t b, int64_t *ret)
{
	if (b == 0)
		return false;
	if (!is_signed)
		*ret = (int64_t)(op == OP_DIV ? (uint64_t)a / (uint64_t)b
					      : (uint64_t)a % (uint64_t)b);
	else if (b == -1) /* INT64_MIN / -1 traps on some machines */
		*ret = op == OP_DIV ? (int64_t)(0 - (uint64_t)a) : 0;
	else
		*ret = op == OP_DIV ? a / b : a % b;
	return true;
}

static bool less(bool is_signed, int64_t a, int64_t b)
{
	return is_signed ? a < b : (uint64_t)a < (uint64_t)b;
}

/* DIV and MOD by zero return false. */
static bool fold_binary(enum op op, bool is_signed, int64_t a, int64_t b, int64_t *ret)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
	unsigned shift = ub & 63;
	switch (op) {
	case OP_ADD:
		*ret = (int64_t)(ua + ub);
		return true;
	case OP_SUB:
		*ret = (int64_t)(ua - ub);
		return true;
	case OP_MUL:
		*ret = (int64_t)(ua * ub);
		return true;
	case OP_DIV:
	case OP_MOD:
		return fold_division(op, is_signed, a, b, ret);
	case OP_SHL:
		*ret = (int64_t)(ua << shift);
		return true;
	case OP_SHR:
		*ret = is_signed ? a >> shift : (int64_t)(ua >> shift);
		return true;
	case OP_AND:
		*ret = a & b;
		return true;
	case OP_OR:
		*ret = a | b;
		return true;
	case OP_XOR:
		*ret = a ^ b;
		return true;
	case OP_LT:
		*ret = less(is_signed, a, b);
		return true;
	case OP_LE:
		*ret = !less(is_signed, b, a);
		return true;
	case OP_GT:
		*ret = less(is_signed, b, a);
		return true;
	case OP_GE:
		*ret = !less(is_signed, a, b);
		return true;
	case OP_EQ:
		*ret = a == b;
		return true;
	case OP_NE:
		*ret = a != b;
		return true;
	default:
		return false;
	}
}

struct texpr *fold_or_new(struct sema *s, enum op op, const struct type *type, bool is_signed,
			  struct texpr *left, struct texpr *right, struct range range)
{
	int64_t value;
	if (left->kind == TEXPR_INTEGER && right->kind == TEXPR_INTEGER &&
	    fold_binary(op, is_signed, left->integer, right->integer, &value))
		return texpr_integer(s, value, type, range);

	struct texpr *e = texpr_new(s, TEXPR_BINARY, type, range);
	e->binary.op = op;
	e->binary.left = left;
	e->binary.right = right;
	e->binary.is_signed = is_signed;
	return e;
}
