/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index - what [] names: elements of associative arrays, of args[] and uregs[], inlines that take
 * keys, and elements of C arrays, which a sum of pointer and number may name, too
 *
 * An array that D owns has bounds, which are those of its type; through a pointer they are checked
 * where it is known which array that points into.
 */
#include "sema/sema_internal.h"

/* Arrays of the kernel with one element or none are often longer; those of D never are. */
static bool index_in_bounds(struct sema *s, const struct type *array, const struct texpr *index,
			    bool owned)
{
	if (array->count <= 1 && !owned)
		return true;
	if (index->kind != TEXPR_INTEGER && array->count)
		return true;
	if (index->kind != TEXPR_INTEGER) {
		diagnose(s->diagnostics, index->range, D_ARR_BOUNDS,
			 "an array without elements cannot be indexed");
		return false;
	}
	if ((uint64_t)index->integer < array->count)
		return true;
	diagnose(s->diagnostics, index->range, D_ARR_BOUNDS,
		 "index %lld is outside of an array of %u element%s", (long long)index->integer,
		 array->count, array->count == 1 ? "" : "s");
	return false;
}

struct texpr *index_element(struct sema *s, struct texpr *base, struct texpr *index,
			    struct range range)
{
	const struct type *element = base->type->target;
	uint32_t size = type_size(element);
	if (index->kind == TEXPR_INTEGER)
		return memory_field(s, base, (uint32_t)(index->integer * size), element, range);
	struct texpr *e = memory_field(s, base, 0, element, range);
	struct texpr *text = memory_text_place(s, e), *place = text ? text : e;
	place->field.index = index;
	place->field.count = base->type->count;
	place->field.stride = size;
	return e;
}

/* BYTES as a number of objects of SIZE bytes, or NULL. */
static struct texpr *unscaled(struct sema *s, struct texpr *bytes, uint32_t size)
{
	if (size == 1)
		return bytes;
	if (bytes->kind == TEXPR_INTEGER)
		return bytes->integer % size
			       ? NULL
			       : texpr_integer(s, bytes->integer / size, bytes->type, bytes->range);
	bool is_scaled = bytes->kind == TEXPR_BINARY && bytes->binary.op == OP_MUL &&
			 bytes->binary.right->kind == TEXPR_INTEGER &&
			 bytes->binary.right->integer == size;
	return is_scaled ? bytes->binary.left : NULL;
}

/*
 * *(c + i) is c[i] when D owns c: checked against its bounds, and written.  The array that P
 * points into, and in INDEX which element; or NULL, and P is an address like any other.
 */
static struct texpr *array_behind(struct sema *s, struct texpr *p, struct texpr **index)
{
	const struct type *number = intrinsic(s, INTRINSIC_LONG);
	if (p->kind == TEXPR_ADDRESS && is_owned_array(p->operand) &&
	    type_same(p->operand->type->target, p->type->target)) {
		*index = texpr_integer(s, 0, number, p->range);
		return p->operand;
	}
	if (p->kind != TEXPR_BINARY || (p->binary.op != OP_ADD && p->binary.op != OP_SUB))
		return NULL;
	struct texpr *array = array_behind(s, p->binary.left, index);
	if (!array || !type_same(array->type->target, p->type->target))
		return NULL;
	struct texpr *count = unscaled(s, p->binary.right, type_size(array->type->target));
	if (!count)
		return NULL;
	bool first = p->binary.op == OP_ADD && texpr_is_zero(*index);
	*index =
		first ? count : fold_or_new(s, p->binary.op, number, true, *index, count, p->range);
	return array;
}

struct texpr *index_owned(struct sema *s, struct texpr *p, struct range range)
{
	struct texpr *index, *array = array_behind(s, p, &index);
	if (array)
		return index_in_bounds(s, array->type, index, true)
			       ? index_element(s, array, index, range)
			       : texpr_poison(s, range);
	bool same = p->kind == TEXPR_ADDRESS && texpr_is_lvalue(p->operand) &&
		    type_same(p->operand->type, p->type->target);
	return same ? p->operand : NULL;
}

static bool is_indexable(const struct type *type)
{
	return type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY || type->kind == TYPE_STRING;
}

/* BASE[INDEX], as C knows it. */
static struct texpr *element_as_in_c(struct sema *s, struct texpr *base, struct texpr *index,
				     const struct node *n)
{
	if (!is_indexable(base->type) || n->index.args->next)
		return mistake(s, n->range,
			       base->kind == TEXPR_VARIABLE && !is_indexable(base->type)
				       ? D_IDENT_BADREF
				       : D_ARR_BADREF,
			       "a value of type %s cannot be indexed as an associative array",
			       type_text(s, base->type));
	if (!type_is_integer(index->type))
		return mistake(s, index->range, D_OP_INCOMPAT,
			       "an index must be an integer, not %s", type_text(s, index->type));
	index = convert_whole(s, index);
	if (base->type->kind == TYPE_ARRAY) {
		if (!index_in_bounds(s, base->type, index, base->kind != TEXPR_LOAD))
			return texpr_poison(s, n->range);
		if (base->kind != TEXPR_LOAD)
			return index_element(s, base, index, n->range);
	}
	base = base->type->kind == TYPE_STRING ? memory_string_address(s, base)
					       : memory_decay(s, base);
	struct texpr *address = operator_arithmetic(s, OP_ADD, base, index, n->range);
	return memory_dereference(s, address, n->range);
}

static struct texpr *element_check(struct sema *s, struct texpr *base, const struct node *n)
{
	struct texpr *index = expression_value(s, n->index.args), *first = NULL;
	base = memory_typed(s, expression_plain(s, base, D_OP_DYN));
	if (texpr_is_poison(base) || texpr_is_poison(index))
		return texpr_poison(s, n->range);
	bool is_associative = base->kind == TEXPR_VARIABLE && index->type->kind == TYPE_STRING;
	if (!type_is_integer(base->type) || !is_indexable(index->type) || is_associative)
		return element_as_in_c(s, base, index, n);
	if (order_is_seen(base, index)) /* 3[p]: the index comes first */
		base = value_once(s, base, &first);
	return value_after(s, first, element_as_in_c(s, index, base, n));
}

/* --- what [] names --- */

static struct texpr *index_by_name(struct sema *s, const struct node *n)
{
	const struct node *base = n->index.base;
	struct name name = name_read(s, base->ident.name);
	switch (name.kind) {
	case NAME_VARIABLE:
		if (name.variable->is_array)
			return variable_element(s, name.variable, n->index.args, n->range);
		break;
	case NAME_INLINE:
		if (name.inlined->is_array)
			return inline_expand(s, base->ident.name, name.inlined, n->index.args, true,
					     n->range);
		break;
	case NAME_ARGS:
		return args_check(s, n);
	case NAME_BUILTIN:
		if (name.builtin == BUILTIN_uregs || name.builtin == BUILTIN_regs)
			return variable_uregs(s, n);
		break;
	default:
		break;
	}
	return element_check(s, name_check(s, base), n);
}

struct texpr *index_check(struct sema *s, const struct node *n)
{
	const struct node *base = n->index.base;
	if (base->kind == NODE_IDENT)
		return index_by_name(s, n);
	if (base->kind == NODE_SCOPED) {
		struct variable *v = variable_read(s, base->ident.scope, base->ident.name);
		if (v && v->is_array)
			return variable_element(s, v, n->index.args, n->range);
	}
	return element_check(s, expression_check(s, base), n);
}
