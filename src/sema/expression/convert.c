/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * convert - from the type that a value has to the type that is wanted
 *
 * A 64-bit register holds each scalar, extended by its type's sign.  Most
 * conversions therefore change nothing but the type; only one to a narrower
 * type, or to an unsigned one from what may be negative, is an instruction.
 *
 * Arithmetic is that of 64 bits, whatever the types.  What an unsigned int has beyond 32 bits is
 * removed where its value becomes a wider number, is compared, or counts elements: 4294967295 is
 * equal to -1u, as in C.
 */
#include "sema/sema_internal.h"
#include "syntax/formula.h"

/* Which numbers a type holds; 64-bit types hold all that a register can. */
static bool holds(const struct type *type, int64_t low, int64_t high)
{
	uint32_t bits = type->size * 8;
	if (bits >= 64 || bits == 0)
		return true;
	if (type->is_bool)
		return low >= 0 && high <= 1;
	if (type->is_signed)
		return low >= -(INT64_C(1) << (bits - 1)) && high < INT64_C(1) << (bits - 1);
	return low >= 0 && high < INT64_C(1) << bits;
}

/* Results of arithmetic have 64 bits, whatever their type says. */
static bool texpr_is_arithmetic(const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
		return true;
	case TEXPR_ARGUMENT:
	case TEXPR_UREG:
		return true; /* raw */
	case TEXPR_BINARY:
		return e->binary.op < OP_LT;
	default:
		return false;
	}
}

static bool value_fits(const struct texpr *e, const struct type *type)
{
	if (type->size >= 8)
		return true;
	if (e->kind == TEXPR_INTEGER)
		return holds(type, e->integer, e->integer);
	if (e->kind == TEXPR_NOT || e->kind == TEXPR_LOGICAL || e->kind == TEXPR_COMPARE_STRINGS ||
	    (e->kind == TEXPR_BINARY && e->binary.op >= OP_LT))
		return true;
	if (e->kind == TEXPR_CONDITIONAL) /* its branches keep their own types */
		return value_fits(e->conditional.then, type) &&
		       value_fits(e->conditional.otherwise, type);
	if (e->kind == TEXPR_COMMA)
		return value_fits(e->binary.right, type);
	if (texpr_is_arithmetic(e) || e->type->size >= 8 || e->type->size == 0)
		return false;
	uint32_t bits = e->type->is_bool ? 1 : e->type->size * 8;
	if (e->type->is_signed)
		return holds(type, -(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1);
	return holds(type, 0, (INT64_C(1) << bits) - 1);
}

static int64_t truncated(int64_t value, const struct type *type)
{
	uint32_t bits = type->size * 8;
	if (bits >= 64 || bits == 0)
		return value;
	uint64_t shifted = (uint64_t)value << (64 - bits);
	return type->is_signed ? (int64_t)shifted >> (64 - bits)
			       : (int64_t)(shifted >> (64 - bits));
}

/* The same value under another type, where the kind does not lean on the type. */
static struct texpr *retyped(struct sema *s, const struct texpr *e, const struct type *type)
{
	struct texpr *copy = texpr_copy(s, e);
	copy->type = type;
	return copy;
}

static bool may_be_retyped(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER || e->kind == TEXPR_ARGUMENT || e->kind == TEXPR_NEGATE ||
	       e->kind == TEXPR_COMPLEMENT || (e->kind == TEXPR_BINARY && e->binary.op < OP_LT);
}

struct texpr *convert_whole(struct sema *s, struct texpr *e)
{
	const struct type *type = e->type;
	bool is_unsigned_int = type->kind == TYPE_INTEGER && type->size == 4 && !type->is_signed;
	return is_unsigned_int && !value_fits(e, type) ? convert_scalar(s, e, type) : e;
}

struct texpr *convert_scalar(struct sema *s, struct texpr *e, const struct type *wanted)
{
	const struct type *type = type_resolve(wanted);
	if (texpr_is_poison(e) || type->kind == TYPE_POISON)
		return e;
	if (type->size > 4 || type->is_bool)
		e = convert_whole(s, e);
	if (type == e->type && e->kind != TEXPR_INTEGER && value_fits(e, type))
		return e;
	if (type->is_bool && !value_fits(e, type))
		return retyped(s,
			       fold_or_new(s, OP_NE, intrinsic(s, INTRINSIC_INT), false, e,
					   texpr_integer(s, 0, e->type, e->range), e->range),
			       type);
	if (e->kind == TEXPR_INTEGER)
		return texpr_integer(s, truncated(e->integer, type), type, e->range);
	if (value_fits(e, type) && may_be_retyped(e))
		return retyped(s, e, type);
	struct texpr *converted = texpr_new(s, TEXPR_CONVERT, type, e->range);
	converted->operand = e;
	return converted;
}

/* As convert_scalar(), but leaves E alone when its value already is one of the type's. */
static struct texpr *narrowed(struct sema *s, struct texpr *e, const struct type *type)
{
	if (type->size > 4)
		e = convert_whole(s, e);
	if (!type->is_bool && e->kind != TEXPR_INTEGER && value_fits(e, type))
		return e;
	return convert_scalar(s, e, type);
}

/* --- strings --- */

/* ROOM: bytes of the array that contains the string; 0: unknown. */
static struct texpr *texpr_string_at(struct sema *s, struct texpr *address, uint32_t room,
				     bool user, struct range range)
{
	struct texpr *e = texpr_new(s, TEXPR_STRING_AT, intrinsic(s, INTRINSIC_STRING), range);
	e->load.address = address; /* the same place as `operand` */
	e->load.user = user;
	e->load.room = room;
	return e;
}

/* Of anything that stringof takes; NULL: it is not one of these. */
static struct texpr *string_of(struct sema *s, struct texpr *e)
{
	if (texpr_is_poison(e) || e->type->kind == TYPE_STRING)
		return e;
	if (texpr_is_zero(e))
		return texpr_null_string(s, e->range);
	struct texpr *text = s->text_of_struct(s, e);
	if (text)
		return text;
	if (e->kind == TEXPR_ADDRESS && is_owned_array(e->operand))
		e = e->operand; /* whose size is known */
	if (e->type->kind == TYPE_ARRAY && !type_is_string_like(e->type))
		return NULL;
	bool user = type_is_userland(e->type) ||
		    (e->kind == TEXPR_LOAD && e->load.user && e->type->kind == TYPE_ARRAY);
	uint32_t room = e->type->kind == TYPE_ARRAY ? type_size(e->type) : 0;
	struct texpr *address = is_owned_array(e) ? e : memory_decay(s, e);
	if (address->type->kind != TYPE_ARRAY && !type_is_scalar(address->type))
		return NULL;
	return texpr_string_at(s, address, room, user, e->range);
}

struct texpr *convert_string(struct sema *s, struct texpr *e)
{
	struct texpr *string = string_of(s, e);
	assert(string);
	return string;
}

/* --- casts --- */

static struct texpr *cast_to_scalar(struct sema *s, struct texpr *e, const struct type *type)
{
	if (e->type->kind == TYPE_STRING && type->kind == TYPE_POINTER) {
		struct texpr *address = memory_kept_string_address(s, e);
		return convert_scalar(s, address, type);
	}
	bool is_array = e->type->kind == TYPE_ARRAY;
	e = memory_decay(s, e);
	if (!is_array || e->kind != TEXPR_ADDRESS || type->kind != TYPE_POINTER)
		return type_is_scalar(e->type) ? convert_scalar(s, e, type) : NULL;
	/*
	 * A pointer like any other: arithmetic with it is not checked against the array's bounds.
	 */
	struct texpr *pointer = texpr_new(s, TEXPR_CONVERT, type, e->range);
	pointer->operand = e;
	return pointer;
}

static struct texpr *cast_to(struct sema *s, struct texpr *e, const struct type *type)
{
	if (type->kind == TYPE_STRING)
		return string_of(s, e);
	if (type->kind == TYPE_VOID)
		return texpr_comma(s, e, texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), e->range),
				   type, e->range);
	if (type_is_scalar(type))
		return cast_to_scalar(s, e, type);
	return type_same(e->type, type) && type_is_struct(type) ? e : NULL;
}

/*
 * Results of alloca() and copyin() point to our memory, even if cast to a type of a process: TYPE,
 * or TYPE without the qualifier.
 */
static const struct type *owned_pointer(struct sema *s, const struct type *type)
{
	const struct type *pointer = type_resolve(type), *target = pointer->target;
	if (pointer->kind != TYPE_POINTER || target->kind != TYPE_QUALIFIED)
		return type;
	unsigned others = target->qualifiers & ~(unsigned)TYPE_USERLAND;
	return others == target->qualifiers
		       ? type
		       : types_pointer(s->types, types_qualified(s->types, target->target, others));
}

bool type_is_complete(const struct type *type)
{
	type = type_resolve(type);
	if (type->kind == TYPE_ARRAY)
		return type_is_complete(type->target);
	return type->kind != TYPE_FORWARD;
}

bool type_is_user_pointer(const struct type *type)
{
	const struct type *pointer = type_resolve(type);
	return pointer->kind == TYPE_POINTER && pointer->target->kind == TYPE_QUALIFIED &&
	       (pointer->target->qualifiers & TYPE_USERLAND);
}

/* In a formula of a process, addresses in the process stay so: (int *)m, where m is one. */
static bool is_address_in_process(const struct sema *s, const struct texpr *e)
{
	if (!s->formula || !s->formula->provider->per_process)
		return false;
	return type_is_integer(e->type) || type_is_user_pointer(e->type);
}

struct texpr *convert_cast(struct sema *s, struct texpr *e, const struct type *type,
			   struct range range)
{
	if (is_address_in_process(s, e))
		type = user_type(s, type);
	if (texpr_is_alloca(e))
		type = owned_pointer(s, type);
	const struct type *resolved = type_resolve(type);
	if (texpr_is_poison(e) || resolved->kind == TYPE_POISON)
		return texpr_poison(s, range);
	if (type_is_real(e->type) && type_is_integer(resolved))
		e = real_integer(s, e, range);
	struct texpr *cast = cast_to(s, e, resolved);
	if (!cast)
		return mistake(s, range, D_CAST_INVAL, "a value of type %s cannot be cast to %s",
			       type_text(s, e->type), type_text(s, type));
	cast->declared = type;
	return cast;
}

/* --- compatible types --- */

bool type_is_action_result(const struct type *type)
{
	return type->kind == TYPE_STACK || type->kind == TYPE_SYMADDR ||
	       type->kind == TYPE_USYMADDR;
}

static struct texpr *compatible_pointer(struct sema *s, struct texpr *e, const struct type *type)
{
	if (texpr_is_zero(e) && type_is_integer(e->type))
		return texpr_integer(s, 0, type, e->range);
	if (e->type->kind == TYPE_STRING && type_is_string_like(type))
		return memory_kept_string_address(s, e);
	e = memory_decay(s, e);
	return type_pointers_compatible(e->type, type) && e->type->kind == TYPE_POINTER ? e : NULL;
}

struct texpr *convert_compatible(struct sema *s, struct texpr *e, const struct type *wanted)
{
	const struct type *type = type_resolve(wanted);
	if (texpr_is_poison(e) || type->kind == TYPE_POISON)
		return e;
	if (type->kind == TYPE_STRING)
		return type_is_string_like(e->type) ||
				       (texpr_is_zero(e) && type_is_integer(e->type))
			       ? string_of(s, e)
			       : s->text_of_struct(s, e);
	if (type_is_integer(type))
		return type_is_integer(e->type) ? narrowed(s, e, type) : NULL;
	if (type->kind == TYPE_POINTER)
		return compatible_pointer(s, e, type);
	if (type_is_kept_stack(type) && e->type->kind == TYPE_STACK)
		e = stack_kept(s, e, type);
	if (type_is_struct(type) || type_is_action_result(type) || type->kind == TYPE_FLOAT)
		return type_same(e->type, type) ? e : NULL;
	return NULL;
}

struct texpr *convert_typed(struct sema *s, struct texpr *e, const struct type *type)
{
	struct texpr *converted = convert_compatible(s, e, type);
	return converted && type_is_scalar(type) ? convert_scalar(s, converted, type) : converted;
}
