/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * real - what D does with values of float and double: comparisons, casts to integers, fixed()
 *
 * They are loaded as integers of their bits, which run-time functions compute with
 * (runtime/real.c).  A long double is only printed.
 */
#include <string.h>

#include "sema/sema_internal.h"

bool type_is_real(const struct type *type)
{
	return type_resolve(type)->kind == TYPE_FLOAT;
}

/* A call of a hidden subroutine, of A and, if it is not NULL, B. */
static struct texpr *real_call(struct sema *s, enum subroutine which, const struct type *type,
			       struct texpr *a, struct texpr *b)
{
	struct texpr *e = texpr_new(s, TEXPR_CALL, type, a->range);
	e->call.function = which;
	e->call.args = a;
	e->call.count = b ? 2 : 1;
	a->next = b;
	return e;
}

/* The double nearest to the integer E. */
static struct texpr *real_of_integer(struct sema *s, struct texpr *e)
{
	const struct type *type = intrinsic(s, INTRINSIC_ULONG);
	bool is_signed = type_is_signed(e->type) || type_size(e->type) < 8;
	struct range range = e->range;
	if (e->kind == TEXPR_INTEGER) {
		double value = is_signed ? (double)e->integer : (double)(uint64_t)e->integer;
		int64_t bits;
		memcpy(&bits, &value, sizeof(bits));
		return texpr_integer(s, bits, type, range);
	}
	return real_call(s, SUBROUTINE_real_of, type, convert_whole(s, e),
			 texpr_integer(s, is_signed, intrinsic(s, INTRINSIC_INT), range));
}

struct texpr *real_bits(struct sema *s, struct texpr *e)
{
	if (texpr_is_poison(e))
		return e;
	if (type_is_integer(e->type))
		return real_of_integer(s, e);
	if (!type_is_real(e->type))
		return NULL;
	uint32_t size = type_size(e->type);
	bool is_float = size == sizeof(float);
	if (!is_float && size != sizeof(double))
		return mistake(s, e->range, D_OP_ARITH,
			       "a value of type %s can only be printed, by printf() and print()",
			       type_text(s, e->type));
	struct texpr *bits = texpr_new(s, e->kind, e->type, e->range);
	*bits = *e;
	bits->type = intrinsic(s, is_float ? INTRINSIC_UINT : INTRINSIC_ULONG);
	bits->next = NULL;
	return is_float ? real_call(s, SUBROUTINE_real_widen, intrinsic(s, INTRINSIC_ULONG), bits,
				    NULL)
			: bits;
}

struct texpr *real_compare(struct sema *s, enum op op, struct texpr *left, struct texpr *right,
			   struct range range)
{
	const struct type *type = intrinsic(s, INTRINSIC_INT);
	struct texpr *a = real_bits(s, left), *b = real_bits(s, right);
	if (!a || !b || texpr_is_poison(a) || texpr_is_poison(b))
		return a && b ? texpr_poison(s, range) : NULL;
	/* -1, 0, 1 or, if one is no number, 2 */
	struct texpr *order = real_call(s, SUBROUTINE_real_order, type, a, b);
	struct texpr *to = texpr_integer(s, op == OP_GT, type, range);
	if (op == OP_GT)
		op = OP_EQ;
	if (op == OP_GE) { /* 0 or 1 */
		order = convert_scalar(s, order, intrinsic(s, INTRINSIC_UINT));
		to = texpr_integer(s, 2, intrinsic(s, INTRINSIC_UINT), range);
		return fold_or_new(s, OP_LT, type, false, order, to, range);
	}
	return fold_or_new(s, op, type, true, order, to, range);
}

struct texpr *real_integer(struct sema *s, struct texpr *e, struct range range)
{
	struct texpr *bits = real_bits(s, e);
	if (!bits || texpr_is_poison(bits))
		return bits;
	const struct type *type = intrinsic(s, INTRINSIC_LONG);
	return real_call(s, SUBROUTINE_real_integer, type, bits, texpr_integer(s, 1, type, range));
}

bool real_scale_fits(struct sema *s, const struct texpr *scale)
{
	if (scale->kind != TEXPR_INTEGER || (scale->integer >= 1 && scale->integer <= INT32_MAX))
		return true;
	diagnose(s->diagnostics, scale->range, D_PROTO_ARG,
		 "argument 2 of fixed() must be from 1 to %d", INT32_MAX);
	return false;
}

const char *real_advice(const struct type *type)
{
	return type_is_real(type) ? ": fixed(x, 1000) is x times 1000 as an integer" : "";
}
