/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assign - =, op=, ++ and --
 *
 * The first assignment to a name creates the variable and fixes its type: that of the value, or
 * int64_t for an integer constant.  The right side is checked first, so it cannot read the new
 * variable.
 */
#include "sema/sema_internal.h"

/* --- targets --- */

/* Does N name a variable of the program that does not exist yet?  Its base, when N is an index. */
static const struct node *new_name(struct sema *s, const struct node *n)
{
	if (n->kind == NODE_INDEX)
		n = n->index.base;
	if (n->kind == NODE_IDENT)
		return name_find(s, n->ident.name).kind == NAME_UNKNOWN ? n : NULL;
	if (n->kind == NODE_SCOPED)
		return variable_find(s, n->ident.scope, n->ident.name) ? NULL : n;
	return NULL;
}

/* The variable NAME; NULL: it cannot be made, diagnosed. */
static struct variable *create(struct sema *s, const struct node *name, const struct type *type)
{
	const char *text = name->ident.name;
	enum scope scope = name->kind == NODE_SCOPED ? name->ident.scope : SCOPE_GLOBAL;
	bool is_type = types_declared_typedef(s->types, speaker(s), text) ||
		       types_declared_typedef(s->types, DECLARED_BY_US, text);
	if (scope != SCOPE_GLOBAL || !is_type)
		return variable_new(s, scope, text, type, name->range);
	diagnose(s->diagnostics, name->range, D_DECL_IDRED, "%s is already a type", text);
	return NULL;
}

static struct texpr *create_element(struct sema *s, const struct node *n, const struct type *type)
{
	const struct node *name = n->index.base;
	if (name->kind == NODE_SCOPED && name->ident.scope == SCOPE_THIS)
		return mistake(s, n->range, D_ARR_LOCAL,
			       "this->%s cannot be an associative array: clause-local variables "
			       "are not arrays",
			       name->ident.name);
	struct variable *v = create(s, name, type);
	if (!v)
		return texpr_poison(s, n->range);
	v->is_array = true;
	return variable_element(s, v, n->index.args, n->range);
}

/* curpsinfo and its like are built-in variables, though our libraries define them as inlines. */
static bool is_builtin(struct sema *s, const struct node *n)
{
	if (n->kind != NODE_IDENT)
		return false;
	enum name_kind kind = name_find(s, n->ident.name).kind;
	return kind == NAME_BUILTIN ||
	       (kind == NAME_INLINE && name_is_library_builtin(n->ident.name));
}

/* The left side of OP, plain = if OP_NONE; a variable of TYPE is made when it names none. */
static struct texpr *target_check(struct sema *s, const struct node *n, enum op op,
				  const struct type *type)
{
	const struct node *base = n->kind == NODE_INDEX ? n->index.base : n;
	if (is_builtin(s, base))
		return mistake(s, n->range, D_OP_WRITE,
			       "%s is a built-in variable, which cannot be written%s",
			       base->ident.name, op == OP_NONE ? " (== compares)" : "");
	const struct node *name = new_name(s, n);
	if (n->kind == NODE_CAST || n->kind == NODE_STRINGOF)
		return mistake(s, n->range, D_OP_LVAL,
			       "the result of a cast or stringof() cannot be assigned to: assign "
			       "to its operand, or through a pointer");
	if (!name) {
		struct variable *v = n->kind == NODE_SCOPED && op == OP_NONE
					     ? variable_find(s, n->ident.scope, n->ident.name)
					     : NULL;
		if (v && variable_may_retype(s, v, type))
			v->type = type;
		return expression_check(s, n);
	}
	if (n->kind == NODE_INDEX)
		return create_element(s, n, type);
	struct variable *v = create(s, name, type);
	return v ? variable_check(s, v, n->range) : texpr_poison(s, n->range);
}

/*
 * May the memory at this address be the program's? Pointers in variables may have come from
 * alloca() or copyin(), and are checked when the clause runs; memory at the kernel's or the
 * probe's pointers never is, and the characters of a string are not written one by one.
 */
static bool may_be_owned(const struct texpr *address)
{
	for (;;) {
		switch (address->kind) {
		case TEXPR_VARIABLE:
		case TEXPR_ELEMENT:
		case TEXPR_FIELD:
		case TEXPR_CALL:
		case TEXPR_CONDITIONAL:
		case TEXPR_ASSIGN:
		case TEXPR_UPDATE:
			return address->type->kind != TYPE_STRING;
		case TEXPR_LOAD:
			address = address->load.address;
			break;
		case TEXPR_BINARY:
			address = address->binary.left;
			break;
		case TEXPR_COMMA:
			address = address->binary.right;
			break;
		case TEXPR_CONVERT:
			address = address->operand;
			break;
		case TEXPR_ADDRESS:
			return texpr_is_lvalue(address->operand);
		default:
			return false;
		}
	}
}

static bool is_read_only(const struct texpr *e)
{
	if (e->is_translated)
		return true;
	if (e->kind == TEXPR_CONVERT || e->kind == TEXPR_STRING_AT)
		e = e->operand;
	return e->kind == TEXPR_BUILTIN || e->kind == TEXPR_ARGUMENT || e->kind == TEXPR_UREG ||
	       (e->kind == TEXPR_LOAD && !may_be_owned(e->load.address));
}

/*
 * A part of an element of an associative array, written by its address: such memory is at no fixed
 * place.
 */
static bool is_element_by_address(const struct texpr *e)
{
	if (e->kind != TEXPR_LOAD)
		return false;
	const struct texpr *part = e->load.address;
	while (part->kind == TEXPR_CONVERT || part->kind == TEXPR_BINARY)
		part = part->kind == TEXPR_BINARY ? part->binary.left : part->operand;
	if (part->kind != TEXPR_ADDRESS)
		return false;
	for (part = part->operand; part->kind == TEXPR_FIELD;)
		part = part->field.base;
	return part->kind == TEXPR_ELEMENT;
}

/* Is TARGET a self variable, or a part of one? */
static bool is_self_part(const struct texpr *target)
{
	while (target->kind == TEXPR_FIELD)
		target = target->field.base;
	return (target->kind == TEXPR_VARIABLE && target->variable->scope == SCOPE_SELF) ||
	       (target->kind == TEXPR_ELEMENT && target->element.variable->scope == SCOPE_SELF);
}

static bool target_is_writable(struct sema *s, struct texpr *target, const char *op)
{
	if (memory_text_place(s, target))
		target = memory_text_place(s, target);
	if (is_read_only(target)) {
		diagnose(s->diagnostics, target->range, D_OP_WRITE,
			 "the left side of %s cannot be written: only variables of D can", op);
		return false;
	}
	if (s->walked_task && is_self_part(target)) {
		diagnose(s->diagnostics, target->range, D_OP_WRITE,
			 "the left side of %s cannot be written: in foreach (self->x), self-> is "
			 "another thread's, and can only be read",
			 op);
		return false;
	}
	if (is_element_by_address(target)) {
		diagnose(s->diagnostics, target->range, D_OP_WRITE,
			 "the left side of %s cannot be written: elements of associative arrays "
			 "are written by name, not through addresses",
			 op);
		return false;
	}
	if (!texpr_is_lvalue(target)) {
		diagnose(s->diagnostics, target->range, D_OP_LVAL,
			 "the left side of %s must be a variable", op);
		return false;
	}
	return true;
}

/* --- plain assignment --- */

/*
 * 0, -1, 1 << 3, 'a', an enumerator, $1: counters and time stamps begin so, and the variable must
 * hold what is assigned later.
 */
static bool is_small_constant(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER && !texpr_is_poison(e) && type_is_integer(e->type) &&
	       type_size(e->type) <= 4;
}

/* The type of a variable that E would create, or poison and a mistake. */
static const struct type *created_type(struct sema *s, const struct texpr *e)
{
	switch (e->type->kind) {
	case TYPE_VOID:
		diagnose(s->diagnostics, e->range, D_OP_VFPTR, "a void value cannot be assigned");
		break;
	case TYPE_ARRAY:
	case TYPE_FUNCTION:
		diagnose(s->diagnostics, e->range, D_OP_ARRFUN, "%s cannot be assigned%s",
			 e->type->kind == TYPE_ARRAY ? "an array" : "a function",
			 type_is_string_like(e->type) ? ": use stringof()" : "");
		break;
	case TYPE_FLOAT:
		diagnose(s->diagnostics, e->range, D_OP_INCOMPAT,
			 "a floating-point value cannot be assigned");
		break;
	default:
		if (is_small_constant(e))
			return intrinsic(s, INTRINSIC_LONG);
		if (!type_is_struct(e->type) || type_size(e->type))
			return e->type;
		diagnose(s->diagnostics, e->range, D_OP_VFPTR,
			 "a value of type %s has no size: it cannot be assigned",
			 type_text(s, e->type));
	}
	return intrinsic(s, INTRINSIC_POISON);
}

static struct texpr *sides_incompatible(struct sema *s, const char *op, const struct texpr *target,
					const struct texpr *value, struct range range)
{
	return mistake(s, range, D_OP_INCOMPAT, "operands of %s have incompatible types: %s and %s",
		       op, type_text(s, target->type), type_text(s, value->type));
}

static struct texpr *stored_value(struct sema *s, struct texpr *value, const struct type *type)
{
	/* `self->x = 0` frees a struct */
	if ((type_is_struct(type) || type_is_kept_stack(type)) && texpr_is_zero(value))
		return value;
	return convert_compatible(s, time_check(s, value, type), type);
}

/* TARGET = STORED; HAS_EFFECTS: one of them does more than to give a value. */
static struct texpr *assigned(struct sema *s, struct texpr *target, struct texpr *stored,
			      bool has_effects, struct range range)
{
	struct texpr *place = memory_text_place(s, target), *first = NULL;
	s->effects++;
	memory_note_alloca(target, stored);
	if (place)
		target = place;
	if (stored->kind == TEXPR_TRANSLATED) { /* each member is assigned */
		target = has_effects ? order_settle(s, target, &first) : target;
		return value_after(s, first, translator_copy(s, target, stored));
	}
	if (has_effects)
		target = order_target(s, target, stored, &first);
	return value_after(s, first, texpr_assign(s, target, stored, range));
}

static struct texpr *assign_plain(struct sema *s, const struct node *n)
{
	unsigned effects = s->effects;
	struct texpr *value = stack_read(s, expression_any(s, n->assign.right));
	if (value->type->kind == TYPE_POINTER)
		value = expression_plain(s, value, D_OP_DYN);
	value = memory_typed(s, value);
	if (value->type->kind == TYPE_STACK)
		value = stack_kept(s, value, NULL);
	if (type_is_action_result(value->type) && !type_is_kept_stack(value->type))
		value = mistake(s, value->range, D_OP_ACT,
				"the result of this action cannot be assigned");
	const struct type *type = value->type;
	if (new_name(s, n->assign.left))
		type = created_type(s, value);
	struct texpr *target = target_check(s, n->assign.left, OP_NONE, type);
	if (texpr_is_poison(target) || texpr_is_poison(value) || type->kind == TYPE_POISON)
		return texpr_poison(s, n->range);
	if (!target_is_writable(s, target, "="))
		return texpr_poison(s, n->range);
	if (target->type->kind == TYPE_ARRAY || target->type->kind == TYPE_FUNCTION)
		return mistake(s, n->range, D_OP_ARRFUN, "an array cannot be assigned to");

	struct texpr *stored = stored_value(s, value, target->type);
	if (!stored)
		return sides_incompatible(s, "=", target, value, n->range);
	if (texpr_is_poison(stored))
		return stored;
	return assigned(s, target, stored, s->effects != effects, n->range);
}

/* --- op=, ++, -- --- */

static struct texpr *update_after_read(struct sema *s, struct texpr *target, enum op op,
				       struct texpr *value, const char *text, struct range range);

/* The _Bool TARGET, changed by an unsigned int: != 0 is about the 32 bits of the result. */
static bool is_bool_of_unsigned(const struct texpr *target, const struct texpr *result)
{
	return target->type->is_bool && type_size(result->type) == 4 &&
	       !type_is_signed(result->type);
}

static struct texpr *update_new(struct sema *s, struct texpr *target, enum op op,
				struct texpr *value, bool old, const char *text, struct range range)
{
	if (texpr_is_poison(target) || texpr_is_poison(value))
		return texpr_poison(s, range);
	if (!target_is_writable(s, target, text))
		return texpr_poison(s, range);
	if (target->type->kind == TYPE_ARRAY)
		return mistake(s, range, D_OP_ARRFUN, "the left side of %s cannot be an array",
			       text);
	struct texpr *result = operator_arithmetic(s, op, target, value, range);
	if (texpr_is_poison(result))
		return result;
	if (!type_is_scalar(target->type) ||
	    type_is_pointer(target->type) != type_is_pointer(result->type))
		return sides_incompatible(s, text, target, value, range);
	if (is_bool_of_unsigned(target, result))
		return update_after_read(s, target, op, value, text, range);

	s->effects++;
	memory_note_alloca(target, result);
	struct texpr *e = texpr_new(s, TEXPR_UPDATE, target->type, range);
	e->update.target = target;
	e->update.op = op;
	e->update.old = old;
	e->update.is_signed = type_is_signed(op == OP_SHR ? target->type : result->type);
	e->update.value = type_size(target->type) > 4 ? convert_whole(s, value) : value;
	if (type_is_pointer(target->type))
		e->update.value = memory_scaled(s, value, type_size(target->type->target));
	return e;
}

/* The right side assigns TARGET, too: what TARGET held before is evaluated first. */
static struct texpr *update_after_read(struct sema *s, struct texpr *target, enum op op,
				       struct texpr *value, const char *text, struct range range)
{
	struct texpr *first = NULL;
	target = order_settle(s, target, &first);
	struct texpr *before = value_once(s, target, &first);
	struct texpr *result = operator_arithmetic(s, op, before, value, range);
	if (texpr_is_poison(result))
		return result;
	struct texpr *stored = stored_value(s, result, target->type);
	if (!stored)
		return sides_incompatible(s, text, target, value, range);
	memory_note_alloca(target, stored);
	return value_after(s, first, texpr_assign(s, target, stored, range));
}

/* One of the sides has effects; op= stays one change where the other side does not see them. */
static struct texpr *update_in_order(struct sema *s, struct texpr *target, enum op op,
				     struct texpr *value, const char *text, struct range range)
{
	if (!target_is_writable(s, target, text))
		return texpr_poison(s, range);
	if (type_is_scalar(target->type) && order_is_written(target, value))
		return update_after_read(s, target, op, value, text, range);
	struct texpr *first = NULL;
	target = order_target(s, target, value, &first);
	return value_after(s, first, update_new(s, target, op, value, false, text, range));
}

/* May this text assign? A formula only reads; an inline of a library may keep what it computes. */
static bool may_assign(struct sema *s, struct range range)
{
	if (!s->formula || !range.source->is_formulas)
		return unit_may(s, range, "assignments");
	diagnose(s->diagnostics, range, D_SYNTAX, "an expression of a formula has no assignments");
	return false;
}

struct texpr *assign_check(struct sema *s, const struct node *n)
{
	if (!may_assign(s, n->range))
		return texpr_poison(s, n->range);
	if (n->assign.left->kind == NODE_AGGREGATION)
		return mistake(s, n->range, D_CG_EXPR,
			       "an aggregation can only be assigned to by a whole statement");
	if (n->assign.op == OP_NONE)
		return assign_plain(s, n);
	unsigned effects = s->effects;
	struct texpr *value = expression_value(s, n->assign.right);
	struct texpr *target =
		target_check(s, n->assign.left, n->assign.op, intrinsic(s, INTRINSIC_LONG));
	const char *text = arena_printf(s->arena, "%s=", op_text(n->assign.op));
	bool is_poison = texpr_is_poison(target) || texpr_is_poison(value);
	if (!is_poison && s->effects != effects)
		return update_in_order(s, target, n->assign.op, value, text, n->range);
	return update_new(s, target, n->assign.op, value, false, text, n->range);
}

struct texpr *assign_increment(struct sema *s, const struct node *n)
{
	if (!may_assign(s, n->range))
		return texpr_poison(s, n->range);
	enum op op = n->unary.op;
	struct texpr *one = texpr_integer(s, 1, intrinsic(s, INTRINSIC_INT), n->range);
	struct texpr *target = target_check(s, n->unary.operand, op, intrinsic(s, INTRINSIC_LONG));
	bool adds = op == OP_PREINC || op == OP_POSTINC;
	if (!texpr_is_poison(target) && !type_is_scalar(target->type))
		return mistake(s, n->range, D_OP_SCALAR,
			       "the operand of %s must be a number or pointer, not %s",
			       adds ? "++" : "--", type_text(s, target->type));
	return update_new(s, target, adds ? OP_ADD : OP_SUB, one,
			  op == OP_POSTINC || op == OP_POSTDEC, adds ? "++" : "--", n->range);
}
