/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load - objects in memory and their addresses, of typed expressions alone
 *
 * memory.c has the same as it is written: members, dereferences, &.
 */
#include "sema/sema_internal.h"

struct texpr *memory_scaled(struct sema *s, struct texpr *count, uint32_t size)
{
	count = convert_whole(s, count);
	if (size == 1)
		return count;
	return fold_or_new(s, OP_MUL, intrinsic(s, INTRINSIC_LONG), true, count,
			   texpr_integer(s, size, intrinsic(s, INTRINSIC_LONG), count->range),
			   count->range);
}

const struct type *user_type(struct sema *s, const struct type *type)
{
	const struct type *resolved = type_resolve(type);
	if (resolved->kind != TYPE_POINTER || type_is_userland(resolved))
		return type;
	return types_pointer(s->types, types_qualified(s->types, resolved->target, TYPE_USERLAND));
}

const struct type *pointer_to(struct sema *s, const struct type *target, bool user)
{
	if (user)
		target = types_qualified(s->types, target, TYPE_USERLAND);
	return types_pointer(s->types, target);
}

/*
 * A string with an address is an array of strsize characters, laid out as in C; it is never NULL.
 */
static const struct type *text_type(struct sema *s, const struct type *string)
{
	return types_array(s->types, intrinsic(s, INTRINSIC_CHAR), type_size(string));
}

/* The string of TYPE at ADDRESS, or the one that is the owned array there. */
static struct texpr *text_object(struct sema *s, struct texpr *address, const struct type *type,
				 bool user, struct range range)
{
	struct texpr *e = texpr_new(s, TEXPR_STRING_AT, type_resolve(type), range);
	e->load.address = address;
	e->load.user = user;
	e->load.is_object = true;
	e->load.room = type_size(type);
	return e;
}

struct texpr *memory_load(struct sema *s, struct texpr *address, const struct type *type, bool user,
			  struct range range)
{
	if (type_is_string(type))
		return text_object(s, address, type, user, range);
	if (user)
		type = user_type(s, type);
	struct texpr *e = texpr_new(s, TEXPR_LOAD, type, range);
	e->load.address = address;
	e->load.user = user;
	e->load.is_quiet = s->formula && !user;
	return e;
}

bool texpr_is_bit_field(const struct texpr *e)
{
	return (e->kind == TEXPR_LOAD && e->load.bit_size) ||
	       (e->kind == TEXPR_FIELD && e->field.bit_size);
}

bool texpr_is_alloca(const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_CALL:
		return e->call.function == SUBROUTINE_alloca ||
		       e->call.function == SUBROUTINE_copyin;
	case TEXPR_VARIABLE:
		return e->variable->from_alloca;
	case TEXPR_ELEMENT:
		return e->element.variable->from_alloca;
	case TEXPR_FIELD:
		return texpr_is_alloca(e->field.base);
	case TEXPR_CONVERT:
		return texpr_is_alloca(e->operand);
	case TEXPR_BINARY: /* the difference of two addresses is not an address */
		return e->binary.op == OP_SUB ? texpr_is_alloca(e->binary.left) &&
							!texpr_is_alloca(e->binary.right)
					      : texpr_is_alloca(e->binary.left) ||
							texpr_is_alloca(e->binary.right);
	case TEXPR_COMMA:
		return texpr_is_alloca(e->binary.right);
	case TEXPR_CONDITIONAL:
		return texpr_is_alloca(e->conditional.then) ||
		       texpr_is_alloca(e->conditional.otherwise);
	case TEXPR_ASSIGN:
		return texpr_is_alloca(e->assign.value);
	case TEXPR_UPDATE: /* the value, too: it was noted */
		return texpr_is_alloca(e->update.target);
	default:
		return false;
	}
}

/* An address is as long as a number can be; of a struct, any part may be one. */
void memory_note_alloca(const struct texpr *target, const struct texpr *value)
{
	if (type_size(target->type) != 8 || !texpr_is_alloca(value))
		return;
	while (target->kind == TEXPR_FIELD)
		target = target->field.base;
	if (target->kind == TEXPR_VARIABLE)
		target->variable->from_alloca = true;
	else if (target->kind == TEXPR_ELEMENT)
		target->element.variable->from_alloca = true;
}

struct texpr *owned_address(struct sema *s, struct texpr *e, const struct type *target,
			    struct range range)
{
	struct texpr *address = texpr_new(s, TEXPR_ADDRESS, pointer_to(s, target, false), range);
	address->operand = e;
	return address;
}

bool is_owned_array(const struct texpr *e)
{
	return e->type->kind == TYPE_ARRAY && e->kind != TEXPR_LOAD && texpr_is_lvalue(e);
}

const struct type *unsigned_of_size(struct sema *s, uint32_t size)
{
	switch (size) {
	case 1:
		return intrinsic(s, INTRINSIC_UCHAR);
	case 2:
		return intrinsic(s, INTRINSIC_USHORT);
	case 4:
		return intrinsic(s, INTRINSIC_UINT);
	case 8:
		return intrinsic(s, INTRINSIC_ULONG);
	default:
		return NULL;
	}
}

/* The value of a symbol of the kernel that has no type, but the size of a number. */
static struct texpr *untyped_symbol(struct sema *s, const struct texpr *e)
{
	const struct type *type = unsigned_of_size(s, e->load.room);
	struct texpr *address = convert_scalar(s, e->load.address, pointer_to(s, type, false));
	return memory_load(s, address, type, false, e->range);
}

static struct texpr *load_refuse_untyped(struct sema *s, const struct texpr *e)
{
	const char *why = "the kernel has no type for this symbol";
	if (e->load.user)
		why = "there is no debug information with a type for this symbol";
	if (e->load.missing)
		why = arena_printf(s->arena, "%s, and %s is not there (-gsplit-dwarf)", why,
				   e->load.missing);
	return mistake(s, e->range, D_SYM_NOTYPES,
		       "%s: declare it (extern int x;), or take its address with & and cast that",
		       why);
}

struct texpr *memory_decay(struct sema *s, struct texpr *e)
{
	if (e->type->kind == TYPE_INTEGER && e->type->size > 8)
		return mistake(s, e->range, D_OP_ARITH,
			       "D has no numbers of 128 bits: take the halves of this one with "
			       "((%suint64_t *)&x)[0] and [1]",
			       e->kind == TEXPR_LOAD && e->load.user ? "userland " : "");
	if (is_owned_array(e))
		return owned_address(s, e, e->type->target, e->range);
	if (e->kind != TEXPR_LOAD)
		return e;
	const struct type *type = e->type;
	struct texpr *address = e->load.address;
	if (type->kind == TYPE_ARRAY)
		return convert_scalar(s, address, pointer_to(s, type->target, e->load.user));
	if (type->kind == TYPE_FUNCTION)
		return convert_scalar(s, address, pointer_to(s, type, false));
	if (type->kind == TYPE_VOID && unsigned_of_size(s, e->load.room))
		return untyped_symbol(s, e);
	return type->kind == TYPE_VOID ? load_refuse_untyped(s, e) : e;
}

struct texpr *memory_typed(struct sema *s, struct texpr *e)
{
	return e->kind == TEXPR_LOAD && e->type->kind == TYPE_VOID ? memory_decay(s, e) : e;
}

/* Where a string's bytes are, as a char *. */
struct texpr *memory_string_address(struct sema *s, struct texpr *string)
{
	const struct type *type = pointer_to(s, intrinsic(s, INTRINSIC_CHAR),
					     string->kind == TEXPR_STRING_AT && string->load.user);
	if (string->kind == TEXPR_STRING && !string->string.text)
		return texpr_integer(s, 0, type, string->range);
	if (string->kind == TEXPR_STRING_AT)
		return convert_scalar(s, memory_decay(s, string->load.address), type);
	struct texpr *e = texpr_new(s, TEXPR_CONVERT, type, string->range);
	e->operand = string;
	return e;
}

struct texpr *memory_kept_string_address(struct sema *s, struct texpr *string)
{
	if (string->kind == TEXPR_STRING || string->kind == TEXPR_STRING_AT ||
	    texpr_is_poison(string))
		return memory_string_address(s, string);
	struct texpr *kept = variable_hidden(s, string->type, string->range);
	if (texpr_is_poison(kept))
		return kept;
	struct texpr *address = owned_address(s, kept, intrinsic(s, INTRINSIC_CHAR), string->range);
	return texpr_comma(s, texpr_assign(s, kept, string, string->range), address, address->type,
			   string->range);
}

struct texpr *memory_text_place(struct sema *s, struct texpr *e)
{
	if (e->kind != TEXPR_STRING_AT || !e->load.is_object)
		return NULL;
	if (e->load.address->type->kind == TYPE_ARRAY)
		return e->load.address;
	return memory_load(s, e->load.address, text_type(s, e->type), e->load.user, e->range);
}

struct texpr *memory_field(struct sema *s, struct texpr *base, uint32_t offset,
			   const struct type *type, struct range range)
{
	/* a.b.c is one field of a */
	if (base->kind == TEXPR_FIELD && !base->field.index) {
		offset += base->field.offset;
		base = base->field.base;
	}
	bool is_text = type_is_string(type);
	struct texpr *e = texpr_new(s, TEXPR_FIELD, is_text ? text_type(s, type) : type, range);
	e->field.base = base;
	e->field.offset = offset;
	return is_text ? text_object(s, e, type, false, range) : e;
}
