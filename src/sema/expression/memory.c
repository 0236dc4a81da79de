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

/* If the kernel's types cannot be read, the user must fix this first. */
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
	struct inline_definition *def = compatible_member(s, object, name);
	if (def)
		return inline_of(s, def, memory_address_of(s, object, n->range), side_effects,
				 n->range);
	return mistake(s, n->member.name_range, D_TYPE_MEMBER, "%s has no member %s%s",
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
