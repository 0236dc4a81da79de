/* SPDX-License-Identifier: BSD-2-Clause */
/* expression - one function for each kind of node, and the forms that callers need */
#include "sema/declare/declare.h"
#include "sema/sema_internal.h"

unsigned node_count(const struct node *list)
{
	unsigned count = 0;
	for (; list; list = list->next)
		count++;
	return count;
}

/* --- constants --- */

/* Only a macro argument may be negative; C's constants have no sign. */
static const struct type *negative_type(struct sema *s, uint64_t absolute)
{
	return intrinsic(s, absolute <= (uint64_t)INT32_MAX + 1 ? INTRINSIC_INT : INTRINSIC_LONG);
}

/* C's choice: the first type of the list that holds the value. */
static const struct type *constant_type(struct sema *s, const struct node *n)
{
	uint64_t value = n->integer.value;
	enum integer_suffix suffix = n->integer.suffix;
	if (n->integer.character)
		return intrinsic(s, suffix == SUFFIX_L ? INTRINSIC_LONG : INTRINSIC_INT);
	if (n->integer.negative)
		return negative_type(s, value);
	bool is_unsigned = suffix == SUFFIX_U || suffix == SUFFIX_UL || suffix == SUFFIX_ULL;
	bool is_long = suffix != SUFFIX_NONE && suffix != SUFFIX_U;
	bool is_long_long = suffix == SUFFIX_LL || suffix == SUFFIX_ULL;
	bool may_be_unsigned = is_unsigned || !n->integer.decimal;

	if (!is_long && !is_unsigned && value <= INT32_MAX)
		return intrinsic(s, INTRINSIC_INT);
	if (!is_long && may_be_unsigned && value <= UINT32_MAX)
		return intrinsic(s, INTRINSIC_UINT);
	if (!is_unsigned && value <= INT64_MAX)
		return intrinsic(s, is_long_long ? INTRINSIC_LONG_LONG : INTRINSIC_LONG);
	return intrinsic(s, is_long_long ? INTRINSIC_ULONG_LONG : INTRINSIC_ULONG);
}

static struct texpr *integer_constant(struct sema *s, const struct node *n)
{
	uint64_t value = n->integer.negative ? 0 - n->integer.value : n->integer.value;
	return texpr_integer(s, (int64_t)value, constant_type(s, n), n->range);
}

static struct texpr *string_constant(struct sema *s, const struct node *n)
{
	struct texpr *e = texpr_new(s, TEXPR_STRING, intrinsic(s, INTRINSIC_STRING), n->range);
	e->string.text = n->string.text;
	e->string.len = n->string.len;
	e->string.is_argument = n->string.is_argument;
	return e;
}

/* --- names --- */

static struct texpr *scoped(struct sema *s, const struct node *n)
{
	if (s->formula && n->ident.scope == SCOPE_SELF)
		return s->formula_names->self(s, n->ident.name, n->range);
	struct variable *v = variable_read(s, n->ident.scope, n->ident.name);
	if (v)
		return variable_check(s, v, n->range);
	return mistake(s, n->range, D_VAR_UNDEF, "%s has not been assigned to or declared%s",
		       variable_text(s, n->ident.scope, n->ident.name),
		       name_suggestion_variable(s, n->ident.scope, n->ident.name));
}

/* --- types as operands --- */

static struct texpr *sizeof_new(struct sema *s, const struct type *type, struct range range)
{
	const struct type *resolved = type_resolve(type);
	if (resolved->kind == TYPE_POISON)
		return texpr_poison(s, range);
	bool is_empty = type_is_struct(type); /* struct {} */
	if (resolved->kind == TYPE_FUNCTION || (type_size(type) == 0 && !is_empty))
		return mistake(s, range, D_SIZEOF_TYPE, "the size of %s is unknown%s",
			       type_text(s, type),
			       resolved->kind == TYPE_FORWARD ? forward_advice(s) : "");
	return texpr_integer(s, type_size(type), intrinsic(s, INTRINSIC_ULONG), range);
}

static struct texpr *alignof_new(struct sema *s, const struct type *type, struct range range)
{
	struct texpr *size = sizeof_new(s, type, range);
	if (!texpr_is_poison(size))
		size->integer = type_align(type);
	return size;
}

static bool node_is_symbol(struct sema *s, const struct node *n)
{
	return n->kind == NODE_IDENT && name_find(s, n->ident.name).kind == NAME_EXTERN;
}

/* For a symbol of the kernel whose type has no size, the size of the symbol. */
static struct texpr *sizeof_expression(struct sema *s, const struct node *n)
{
	const struct node *operand = n->unary.operand;
	if (operand->kind == NODE_STRING)
		return texpr_integer(s, (int64_t)operand->string.len + 1,
				     intrinsic(s, INTRINSIC_ULONG), n->range);
	/* The parser does not search typedefs in modules that were not named yet. */
	const struct type *type =
		operand->kind == NODE_IDENT &&
				name_find(s, operand->ident.name).kind == NAME_UNKNOWN
			? types_find(s->types, operand->ident.name)
			: NULL;
	if (type)
		return sizeof_new(s, type, n->range);
	struct texpr *e = expression_any(s, operand);
	if (e->kind == TEXPR_TRANSLATED)
		return expression_plain(s, e, D_SIZEOF_TYPE);
	if (texpr_is_bit_field(e))
		return mistake(s, n->range, D_SIZEOF_BITFIELD, "a bit-field has no size in bytes");
	if (type_is_action_result(e->type))
		return expression_operand(s, e);
	bool untyped = e->type->kind == TYPE_FUNCTION || e->type->kind == TYPE_VOID;
	uint64_t size = untyped && node_is_symbol(s, operand) ? symbol_size(s, operand) : 0;
	if (size)
		return texpr_integer(s, (int64_t)size, intrinsic(s, INTRINSIC_ULONG), n->range);
	return sizeof_new(s, e->type, n->range);
}

static struct texpr *offsetof_new(struct sema *s, const struct node *n)
{
	const struct type *type = type_name_check(s, n->offset_of.type);
	if (type_resolve(type)->kind == TYPE_POISON)
		return texpr_poison(s, n->range);
	if (!type_is_struct(type))
		return mistake(s, n->range, D_OFFSETOF_TYPE,
			       "offsetof needs a struct or union, not %s", type_text(s, type));
	struct member m;
	if (!type_member(s->types, type, n->offset_of.member, &m))
		return mistake(s, n->range, D_TYPE_MEMBER, "%s has no member %s%s",
			       type_text(s, type), n->offset_of.member,
			       name_suggestion_member(s, type, n->offset_of.member));
	if (m.bit_size)
		return mistake(s, n->range, D_OFFSETOF_BITFIELD,
			       "offsetof cannot give the offset of bit-field %s", m.name);
	return texpr_integer(s, m.bit_offset / 8, intrinsic(s, INTRINSIC_INT), n->range);
}

/* Is there an enumerator NAME that the speaker sees, or one of the kernel? */
static bool has_enumerator(struct sema *s, const char *name)
{
	int64_t value;
	for (enum declarer who = speaker(s); who <= DECLARED_BY_LIBRARY; who++)
		if (types_declared_enumerator(s->types, who, name, &value))
			return true;
	return types_kernel_enum_of(s->types, name, &value);
}

/*
 * Does this kernel have the type, and such a path of members, pointers followed; or the
 * enumerator, or the function?  No mistake.
 */
static struct texpr *expression_has(struct sema *s, const struct node *n)
{
	const struct type *type = n->has.type ? type_if_known(s, n->has.type) : NULL;
	for (const struct member_name *name = n->has.members; type && name; name = name->next) {
		struct member m;
		if (type_is_pointer(type))
			type = type_resolve(type)->target;
		type = type_member(s->types, type, name->name, &m) ? m.type : NULL;
	}
	bool there = type && (n->has.members || type_is_complete(type));
	if (n->has.name && !n->has.members)
		there = strchr(n->has.name, '`') ? symbol_is_listed(s, n->has.name)
						 : has_enumerator(s, n->has.name) ||
							   symbol_is_function(s, n->has.name);
	return texpr_integer(s, there, intrinsic(s, INTRINSIC_INT), n->range);
}

static struct texpr *cast(struct sema *s, const struct node *n)
{
	const struct type *type = type_name_check(s, n->cast.type);
	struct texpr *e = expression_check(s, n->cast.operand);
	return convert_cast(s, memory_typed(s, e), type, n->range);
}

struct texpr *text_or_object(struct sema *s, struct texpr *e)
{
	bool may_stand = type_is_struct(e->type) || type_is_user_pointer(e->type);
	struct texpr *text = may_stand ? s->text_of_struct(s, e) : NULL;
	return text ? text : e;
}

/* The string at the address E; NUMBER if that is NULL. */
static struct texpr *string_or_number(struct sema *s, struct texpr *e, struct texpr *number)
{
	const struct type *string = intrinsic(s, INTRINSIC_STRING);
	struct texpr *ret = texpr_new(s, TEXPR_CONDITIONAL, string, e->range);
	ret->conditional.condition =
		convert_cast(s, texpr_copy(s, e), intrinsic(s, INTRINSIC_LONG), e->range);
	ret->conditional.then = convert_cast(s, texpr_copy(s, e), string, e->range);
	ret->conditional.otherwise = number;
	return ret;
}

/*
 * In the text rules of our library: E as text, if it is a number or an address, as elements of
 * containers may be.  NULL: E is something else.
 */
static struct texpr *element_text(struct sema *s, struct texpr *e)
{
	const struct type *type = type_resolve(e->type);
	bool is_address = type_is_pointer(type);
	if (!s->shown || speaker(s) != DECLARED_BY_LIBRARY ||
	    !(is_address || type_is_integer(type) || type->kind == TYPE_ENUM))
		return NULL;
	bool is_large = type->size == 8 && !type->is_signed;
	int64_t base = is_address ? 16 : is_large ? LLTOSTR_UNSIGNED : 10;
	struct texpr *number = convert_cast(s, e, intrinsic(s, INTRINSIC_LONG), e->range);
	number->next = texpr_integer(s, base, intrinsic(s, INTRINSIC_INT), e->range);
	number = subroutine_of(s, SUBROUTINE_lltostr, number, e->range);
	return is_address && type_is_string_like(type) ? string_or_number(s, e, number) : number;
}

static struct texpr *stringof_new(struct sema *s, const struct node *n)
{
	struct texpr *e = memory_typed(s, expression_check(s, n->unary.operand));
	if (texpr_is_poison(e))
		return e;
	struct texpr *text = type_is_struct(e->type) ? s->text_of_struct(s, e) : element_text(s, e);
	if (text)
		return text;
	bool is_enum = type_resolve(e->type)->kind == TYPE_ENUM;
	if (is_enum || (!type_is_scalar(e->type) && !type_is_string_like(e->type)))
		return mistake(s, n->range, D_STRINGOF_TYPE,
			       "stringof cannot make a string of a value of type %s%s",
			       type_text(s, e->type), is_enum ? ": %s prints its name" : "");
	return convert_cast(s, e, intrinsic(s, INTRINSIC_STRING), n->range);
}

/* Is N @a[k1, k2] with all names of the foreach over @a that bound B, as that bound them? */
static bool is_value_of_pass(struct sema *s, const struct binding *b, const struct node *n)
{
	const struct aggregation *a = hash_get_string(s->aggregation_names, n->aggregation.name);
	unsigned count = node_count(n->aggregation.keys);
	if (!a || count != a->key_count)
		return false;
	for (const struct node *key = n->aggregation.keys; key; key = key->next, count--) {
		const struct binding *name = b;
		for (unsigned i = 0; name && i < count; i++)
			name = name->next;
		struct name means = { NAME_UNKNOWN };
		if (key->kind == NODE_IDENT)
			means = name_find(s, key->ident.name);
		if (means.kind != NAME_BINDING || means.binding != name)
			return false;
	}
	return true;
}

/* The value of an aggregation is known in the foreach that walks it, of the element of the pass. */
static struct texpr *aggregation_read(struct sema *s, const struct node *n, enum diagnostic_tag tag)
{
	struct name name = name_find(s, arena_printf(s->arena, "@%s", n->aggregation.name));
	if (name.kind == NAME_BINDING && is_value_of_pass(s, name.binding, n))
		return texpr_copy(s, name.binding->make(s, name.binding));
	if (name.kind == NAME_BINDING)
		return mistake(s, n->range, tag,
			       "in foreach, a value of @%s is that of the pass: its keys are the "
			       "names in foreach",
			       n->aggregation.name);
	return mistake(s, n->range, tag,
		       "the value of aggregation @%s cannot be read by D code: printa() shows it; "
		       "a variable is written without @",
		       n->aggregation.name);
}

static struct texpr *expression_by_kind(struct sema *s, const struct node *n)
{
	switch (n->kind) {
	case NODE_INTEGER:
		return integer_constant(s, n);
	case NODE_STRING:
		return string_constant(s, n);
	case NODE_IDENT:
		return name_check(s, n);
	case NODE_SCOPED:
		return scoped(s, n);
	case NODE_AGGREGATION:
		return aggregation_read(s, n, D_OP_DYN);
	case NODE_UNARY:
		return operator_unary(s, n);
	case NODE_BINARY:
		return operator_binary(s, n);
	case NODE_CONDITIONAL:
		return conditional_check(s, n);
	case NODE_ASSIGN:
		return object_value(s, assign_check(s, n));
	case NODE_CALL:
		return subroutine_call(s, n);
	case NODE_INDEX:
		return index_check(s, n);
	case NODE_MEMBER:
		return memory_member(s, n);
	case NODE_CAST:
		return cast(s, n);
	case NODE_SIZEOF_TYPE:
		return sizeof_new(s, type_name_check(s, n->type), n->range);
	case NODE_ALIGNOF:
		return alignof_new(s, type_name_check(s, n->type), n->range);
	case NODE_SIZEOF:
		return sizeof_expression(s, n);
	case NODE_STRINGOF:
		return stringof_new(s, n);
	case NODE_OFFSETOF:
		return offsetof_new(s, n);
	case NODE_XLATE:
		return translator_check(s, n);
	case NODE_HAS:
		return expression_has(s, n);
	default:
		assert(!"an expression");
		return texpr_poison(s, n->range);
	}
}

/* --- forms of the result --- */

struct texpr *expression_any(struct sema *s, const struct node *n)
{
	if (s->depth >= EXPRESSION_DEPTH || s->budget == 0) {
		if (!s->out_of_budget)
			diagnose(s->diagnostics, n->range, D_NOREG,
				 s->budget ? "this is nested too deeply when its inlines are "
					     "expanded: assign its parts to variables"
					   : "this clause is too large, its inlines expanded: "
					     "make several clauses of it");
		s->out_of_budget = true;
		return texpr_poison(s, n->range);
	}
	s->depth++;
	struct texpr *e = expression_by_kind(s, n);
	s->depth--;
	return e;
}

struct texpr *expression_plain(struct sema *s, struct texpr *e, enum diagnostic_tag tag)
{
	if (e->kind != TEXPR_TRANSLATED)
		return e;
	struct texpr *object = translator_object(s, e);
	if (object)
		return object;
	return mistake(s, e->range, tag,
		       "a translated %s has no value of its own: take a member of it",
		       type_text(s, e->type));
}

struct texpr *expression_argument(struct sema *s, const struct node *n, enum diagnostic_tag tag)
{
	if (action_is_void(n))
		return mistake(s, n->range, tag,
			       "%s() is an action: it has no value, and must be a whole statement",
			       n->call.callee->ident.name);
	return n->kind == NODE_AGGREGATION ? aggregation_read(s, n, tag)
					   : stack_read(s, expression_any(s, n));
}

struct texpr *expression_number(struct sema *s, const struct node *n)
{
	struct texpr *e = expression_plain(s, expression_argument(s, n, D_PROTO_ARG), D_OP_DYN);
	return type_is_action_result(e->type) ? e : expression_operand(s, e);
}

struct texpr *expression_check(struct sema *s, const struct node *n)
{
	return expression_plain(s, expression_any(s, n), D_OP_DYN);
}

struct texpr *expression_value(struct sema *s, const struct node *n)
{
	return expression_operand(s, expression_check(s, n));
}

struct texpr *expression_operand(struct sema *s, struct texpr *e)
{
	e = memory_decay(s, e);
	if (type_is_action_result(e->type))
		return mistake(s, e->range, D_OP_ACT,
			       "the result of this action cannot be an operand: it may be a "
			       "statement, a key or an argument of printf");
	return e;
}

struct texpr *expression_statement_value(struct sema *s, struct texpr *e)
{
	return e->kind == TEXPR_ASSIGN && type_is_kept_stack(e->type) ? e
								      : expression_operand(s, e);
}

const char *text_condition_advice(const struct type *type)
{
	if (type_is_string_like(type))
		return ": compare the text (== \"...\", != NULL)";
	if (type_is_real(type))
		return ": compare it with 0";
	return type->kind == TYPE_ARRAY ? ": an array is always there" : "";
}

/* An array is not a condition: it would always be true. */
struct texpr *expression_truth(struct sema *s, const struct node *n)
{
	struct texpr *e = expression_check(s, n);
	return e->type->kind == TYPE_ARRAY ? e : convert_whole(s, expression_operand(s, e));
}

struct texpr *expression_condition(struct sema *s, const struct node *n, enum diagnostic_tag tag)
{
	struct texpr *e = expression_truth(s, n);
	if (type_is_scalar(e->type))
		return e;
	return mistake(s, n->range, tag, "a %s must be scalar, not %s%s",
		       tag == D_PRED_SCALAR ? "predicate" : "condition", type_text(s, e->type),
		       text_condition_advice(e->type));
}

bool expression_constant(struct sema *s, const struct node *n, int64_t *ret, bool *poison)
{
	struct texpr *e = expression_value(s, n);
	*poison = texpr_is_poison(e);
	if (*poison || e->kind != TEXPR_INTEGER || !type_is_integer(e->type))
		return false;
	*ret = e->integer;
	return true;
}
