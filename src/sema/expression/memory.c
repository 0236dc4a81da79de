/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory - members, dereferences, addresses
 *
 * An object of the kernel or of a process is TEXPR_LOAD of its address; its parts are loads of
 * greater addresses.  An object of D has no address known at compile time; its parts are
 * TEXPR_FIELD.
 *
 * Objects found through a pointer of a process are the process's too: pointers read there become
 * userland pointers.
 */
#include "sema/sema_internal.h"

/* --- addresses --- */

static struct texpr *address_plus(struct sema *s, struct texpr *address, int64_t offset,
				  const struct type *type, struct range range)
{
	/* p + 8 + 16 is p + 24 */
	if (address->kind == TEXPR_BINARY && address->binary.op == OP_ADD &&
	    address->binary.right->kind == TEXPR_INTEGER) {
		offset += address->binary.right->integer;
		address = address->binary.left;
	}
	if (offset == 0)
		return address;
	return fold_or_new(s, OP_ADD, type, false, address,
			   texpr_integer(s, offset, intrinsic(s, INTRINSIC_LONG), range), range);
}

struct texpr *memory_scaled(struct sema *s, struct texpr *count, uint32_t size)
{
	count = convert_whole(s, count);
	if (size == 1)
		return count;
	return fold_or_new(s, OP_MUL, intrinsic(s, INTRINSIC_LONG), true, count,
			   texpr_integer(s, size, intrinsic(s, INTRINSIC_LONG), count->range),
			   count->range);
}

static const struct type *user_type(struct sema *s, const struct type *type)
{
	const struct type *resolved = type_resolve(type);
	if (resolved->kind != TYPE_POINTER || type_is_userland(resolved))
		return type;
	return types_pointer(s->types, types_qualified(s->types, resolved->target, TYPE_USERLAND));
}

static const struct type *pointer_to(struct sema *s, const struct type *target, bool user)
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

bool texpr_is_lvalue(const struct texpr *e)
{
	return e->kind == TEXPR_VARIABLE || e->kind == TEXPR_ELEMENT || e->kind == TEXPR_FIELD ||
	       e->kind == TEXPR_LOAD;
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

/* The address of the part E of a variable, as a pointer to TARGET. */
static struct texpr *owned_address(struct sema *s, struct texpr *e, const struct type *target,
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

/* The unsigned integer of SIZE bytes; NULL: there is none. */
static const struct type *number_of_size(struct sema *s, uint32_t size)
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
	const struct type *type = number_of_size(s, e->load.room);
	struct texpr *address = convert_scalar(s, e->load.address, pointer_to(s, type, false));
	return memory_load(s, address, type, false, e->range);
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
	if (type->kind == TYPE_VOID && number_of_size(s, e->load.room))
		return untyped_symbol(s, e);
	if (type->kind == TYPE_VOID)
		return mistake(s, e->range, D_SYM_NOTYPES,
			       "%s for this symbol: declare it (extern int x;), or take its "
			       "address with & and cast that",
			       e->load.user ? "there is no debug information with a type"
					    : "the kernel has no type");
	return e;
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
	const struct type *type = pointer_to(s, intrinsic(s, INTRINSIC_CHAR), false);
	struct texpr *address = texpr_new(s, TEXPR_ADDRESS, type, string->range);
	address->operand = kept;
	return texpr_comma(s, texpr_assign(s, kept, string, string->range), address, type,
			   string->range);
}

/* &E of a string object. */
static struct texpr *text_address(struct sema *s, struct texpr *e, struct range range)
{
	struct texpr *at = e->load.address;
	return at->type->kind == TYPE_ARRAY
		       ? owned_address(s, at, e->type, range)
		       : convert_scalar(s, at, pointer_to(s, e->type, e->load.user));
}

struct texpr *memory_address_of(struct sema *s, struct texpr *e, struct range range)
{
	if (texpr_is_poison(e))
		return e;
	if (e->is_translated)
		return mistake(s, range, D_ADDROF_LVAL,
			       "a translated member has no address: its value is computed");
	if (texpr_is_bit_field(e))
		return mistake(s, range, D_ADDROF_BITFIELD, "a bit-field has no address");
	if (e->kind == TEXPR_LOAD && !object_is_assigned(e))
		return convert_scalar(s, e->load.address, pointer_to(s, e->type, e->load.user));
	if (e->kind == TEXPR_FIELD)
		return owned_address(s, e, e->type, range);
	if (memory_text_place(s, e))
		return text_address(s, e, range);
	bool is_variable = texpr_is_lvalue(e) && e->kind != TEXPR_LOAD;
	if (is_variable || e->kind == TEXPR_BUILTIN || e->kind == TEXPR_ARGUMENT)
		return mistake(s, range, D_ADDROF_VAR,
			       "the address of a D variable cannot be taken, only that of a member "
			       "or an element of a C array");
	return mistake(s, range, D_ADDROF_LVAL, "the operand of & must be an object in memory");
}

/* --- parts of D's objects --- */

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

/* --- dereferencing --- */

struct texpr *memory_dereference(struct sema *s, struct texpr *p, struct range range)
{
	p = memory_typed(s, p);
	if (texpr_is_poison(p))
		return p;
	if (p->type->kind == TYPE_STRING)
		p = memory_string_address(s, p);
	if (p->type->kind != TYPE_POINTER)
		return mistake(s, range, D_DEREF_NONPTR, "a value of type %s is not a pointer",
			       type_text(s, p->type));
	const struct type *target = type_resolve(p->type->target);
	if (target->kind == TYPE_VOID)
		return mistake(s, range, D_DEREF_VOID,
			       "a void * cannot be dereferenced: cast it first");
	if (target->kind == TYPE_FUNCTION)
		return mistake(s, range, D_DEREF_FUNC, "a function cannot be dereferenced");
	struct texpr *owned = index_owned(s, p, range);
	return owned ? owned : memory_load(s, p, p->type->target, type_is_userland(p->type), range);
}

/* --- members --- */

/* A bit-field's unit, aligned as its type is, or its first byte when it crosses units. */
static uint32_t bit_field_place(const struct member *m, uint8_t *bit_offset)
{
	uint32_t unit = type_size(m->type) * 8;
	if (unit == 0 || m->bit_offset % unit + m->bit_size > unit)
		unit = 8;
	*bit_offset = (uint8_t)(m->bit_offset % unit);
	return m->bit_offset / unit * (unit / 8);
}

struct texpr *memory_text_place(struct sema *s, struct texpr *e)
{
	if (e->kind != TEXPR_STRING_AT || !e->load.is_object)
		return NULL;
	if (e->load.address->type->kind == TYPE_ARRAY)
		return e->load.address;
	return memory_load(s, e->load.address, text_type(s, e->type), e->load.user, e->range);
}

struct texpr *memory_member_of(struct sema *s, struct texpr *object, const struct member *m,
			       struct range range)
{
	uint8_t bit_offset = 0;
	uint32_t offset = m->bit_size ? bit_field_place(m, &bit_offset) : m->bit_offset / 8;
	if (bit_offset + m->bit_size > 64) /* in packed structs */
		return mistake(s, range, D_VAR_UNSUP, "bit-field %s spans more than 8 bytes",
			       m->name);
	struct texpr *e;
	if (object->kind == TEXPR_LOAD) {
		const struct type *type = pointer_to(s, m->type, object->load.user);
		e = memory_load(s, address_plus(s, object->load.address, offset, type, range),
				m->type, object->load.user, range);
		e->load.bit_offset = bit_offset;
		e->load.bit_size = (uint8_t)m->bit_size;
	} else {
		e = memory_field(s, object, offset, m->type, range);
	}
	if (e->kind == TEXPR_FIELD) {
		e->field.bit_offset = bit_offset;
		e->field.bit_size = (uint8_t)m->bit_size;
	}
	return e;
}

/* The struct to the left of . or ->, or poison; BASE is the expression there. */
static struct texpr *member_base(struct sema *s, const struct node *n, struct texpr *base)
{
	if (!n->member.arrow)
		return base;
	struct texpr *p = expression_operand(s, base);
	if (texpr_is_poison(p))
		return p;
	if (p->type->kind != TYPE_POINTER)
		return mistake(s, n->range, D_OP_PTR,
			       "the left side of -> must be a pointer to a struct or union, not %s",
			       type_text(s, p->type));
	struct texpr *owned = index_owned(s, p, n->range);
	return owned ? owned
		     : memory_load(s, p, p->type->target, type_is_userland(p->type), n->range);
}

/* Maybe only the kernel's types cannot be read: then that is what to mend. */
const char *forward_advice(struct sema *s)
{
	const char *problem = types_kernel_problem(s->types);
	return problem ? arena_printf(s->arena, " (the kernel's types cannot be read: %s)", problem)
		       : " (declare it, or include its header with -C)";
}

/* The type may be one of the program that is traced, written as in C. */
static const char *target_type_advice(struct sema *s, const struct type *type)
{
	const char *text = type_text(s, type), *tag = strchr(text, ' ');
	if (!s->env->target || !tag)
		return "";
	const char *there =
		arena_printf(s->arena, "%.*s pid`a.out`%s", (int)(tag - text), text, tag + 1);
	return types_find(s->types, there) ? arena_printf(s->arena, ": the target's is %s", there)
					   : "";
}

static struct texpr *incomplete(struct sema *s, const struct node *n, const struct type *type)
{
	const char *advice = target_type_advice(s, type);
	return mistake(s, n->range, D_OP_INCOMPLETE, "%s is incomplete: its members are unknown%s",
		       type_text(s, type), *advice ? advice : forward_advice(s));
}

/* A module may have the body of a struct that the kernel itself only points to. */
static const struct type *module_body(struct sema *s, const struct type *type)
{
	if (type_is_of_process(type))
		return type;
	static const enum type_kind kinds[] = { TYPE_STRUCT, TYPE_UNION };
	for (size_t i = 0; type->name && i < ARRAY_SIZE(kinds); i++) {
		const struct type *body = types_find_tag(s->types, kinds[i], type->name);
		if (body && type_is_struct(body))
			return type_resolve(body);
	}
	return type;
}

/* N's member is not one of OBJECT; OBJECT's address has SIDE_EFFECTS, maybe. */
static struct texpr *member_missing(struct sema *s, struct texpr *object, const struct node *n,
				    bool side_effects)
{
	const char *name = n->member.name;
	struct texpr *e = compatible_member(s, object, name, side_effects, n->range);
	return e ? e
		 : mistake(s, n->member.name_range, D_TYPE_MEMBER, "%s has no member %s%s",
			   type_text(s, object->type), name,
			   name_suggestion_member(s, object->type, name));
}

struct texpr *memory_member(struct sema *s, const struct node *n)
{
	if (!n->member.arrow && args_is_name(s, n->member.base))
		return args_named(s, n);
	unsigned effects = s->effects;
	struct texpr *base = expression_any(s, n->member.base);
	if (base->kind == TEXPR_TRANSLATED)
		return translator_member(s, base, n);
	struct texpr *object = member_base(s, n, memory_typed(s, base));
	if (texpr_is_poison(object))
		return object;
	if (object->type->kind == TYPE_FORWARD)
		object->type = module_body(s, object->type);
	const char *op = n->member.arrow ? "->" : ".";
	if (object->type->kind == TYPE_FORWARD)
		return incomplete(s, n, object->type);
	if (!type_is_struct(object->type))
		return mistake(s, n->range, D_OP_SOU,
			       "the left side of %s must be a struct or union%s, not %s", op,
			       n->member.arrow ? "'s pointer" : "", type_text(s, object->type));
	struct member m;
	if (!type_member(s->types, object->type, n->member.name, &m))
		return member_missing(s, object, n, s->effects != effects);
	stability_use_type(s, object->type, n->range);
	struct texpr *e = memory_member_of(s, object, &m, n->range);
	e->is_translated = !n->member.arrow && base->is_translated;
	return e;
}
