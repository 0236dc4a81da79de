/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order - operands are evaluated from left to right where the order matters
 *
 * The code of an assignment computes the value first, then the keys, the index or the address of
 * its target: so most targets need no temporary.  For `a[i++] = i++` the order matters.  Then the
 * operands of the target are evaluated first, into hidden this variables (value_once()).
 *
 * The order of two expressions matters if one of them writes a variable that the other one reads
 * or writes, or if one may fault and the other one writes: a fault ends the clause.  The order of
 * two faults is left open.
 */
#include "sema/sema_internal.h"

/* Data that are not in a variable. */
enum {
	STATE_MEMORY = 1,  /* had by a pointer */
	STATE_OBJECTS = 2, /* variables that pointers may lead into: structs and arrays */
	STATE_TOKEN = 4,   /* the string that strtok() works on */
	STATE_SPECULATIONS = 8,
};

struct access {
	const struct variable *variable;
	bool writes;
};

/* What an expression reads and writes. */
struct footprint {
	VECTOR(struct access) variables;
	unsigned reads, writes; /* STATE_ bits */
	bool may_fault;
};

static void footprint_note(void *footprint, const struct texpr *e);

/* The keys, index or address of the lvalue E. */
static void footprint_note_parts(struct footprint *f, const struct texpr *e)
{
	if (e->kind != TEXPR_FIELD) {
		texpr_each_part(e, footprint_note, f);
		return;
	}
	footprint_note_parts(f, e->field.base);
	if (e->field.index) {
		footprint_note(f, e->field.index);
		f->may_fault = true;
	}
}

/* The object that the lvalue E is, or is a part of. */
static void note_object(struct footprint *f, const struct texpr *e, bool writes)
{
	while (e->kind == TEXPR_FIELD)
		e = e->field.base;
	unsigned state = STATE_MEMORY;
	if (e->kind == TEXPR_VARIABLE || e->kind == TEXPR_ELEMENT) {
		const struct variable *v =
			e->kind == TEXPR_VARIABLE ? e->variable : e->element.variable;
		bool is_object = !type_is_scalar(v->type) && !type_is_string(v->type);
		vector_push(&f->variables, (struct access) { v, writes });
		state = is_object ? STATE_OBJECTS : 0;
	}
	f->reads |= writes ? 0 : state;
	f->writes |= writes ? state : 0;
}

static void note_call(struct footprint *f, const struct texpr *e)
{
	for (const struct texpr *a = e->call.args; a; a = a->next) {
		f->may_fault |= type_is_pointer(a->type);
		f->reads |= type_is_pointer(a->type) ? STATE_MEMORY : 0;
	}
	switch (e->call.function) {
	case SUBROUTINE_strtok:
		f->reads |= STATE_TOKEN;
		f->writes |= STATE_TOKEN;
		break;
	case SUBROUTINE_speculation:
		f->reads |= STATE_SPECULATIONS;
		f->writes |= STATE_SPECULATIONS;
		break;
	case SUBROUTINE_bcopy:
	case SUBROUTINE_copyinto:
		f->writes |= STATE_MEMORY;
		break;
	case SUBROUTINE_alloca:
	case SUBROUTINE_copyin:
	case SUBROUTINE_copyinstr:
	case SUBROUTINE_fixed:
	case SUBROUTINE_real_integer:
	case SUBROUTINE_getf:
		f->may_fault = true;
		break;
	default:
		break;
	}
}

/* E and its parts. */
static void footprint_note(void *footprint, const struct texpr *e)
{
	struct footprint *f = footprint;
	switch (e->kind) {
	case TEXPR_BUILTIN:
		f->may_fault |= e->builtin == BUILTIN_execargs;
		break;
	case TEXPR_LOAD:
	case TEXPR_STRING_AT:
		f->may_fault = true;
		f->reads |= STATE_MEMORY;
		break;
	case TEXPR_VARIABLE:
	case TEXPR_ELEMENT:
	case TEXPR_FIELD:
		footprint_note_parts(f, e);
		note_object(f, e, false);
		return;
	case TEXPR_BINARY: {
		bool divides = e->binary.op == OP_DIV || e->binary.op == OP_MOD;
		f->may_fault |= divides && e->binary.right->kind != TEXPR_INTEGER;
		break;
	}
	case TEXPR_ASSIGN: /* the target is not read */
		footprint_note_parts(f, e->assign.target);
		footprint_note(f, e->assign.value);
		note_object(f, e->assign.target, true);
		return;
	case TEXPR_UPDATE:
		note_object(f, e->update.target, true);
		break;
	case TEXPR_CALL:
		note_call(f, e);
		break;
	case TEXPR_TRANSLATED: /* its members are not known yet */
		f->may_fault = true;
		f->writes |= STATE_MEMORY | STATE_OBJECTS | STATE_TOKEN | STATE_SPECULATIONS;
		break;
	default:
		break;
	}
	texpr_each_part(e, footprint_note, f);
}

static bool is_empty(const struct footprint *f)
{
	return !f->variables.count && !f->reads && !f->writes && !f->may_fault;
}

static bool has_effect(const struct footprint *f)
{
	bool writes = f->writes != 0;
	for (size_t i = 0; i < f->variables.count; i++)
		writes |= f->variables.items[i].writes;
	return writes;
}

/* Two objects are two variables, and compared as such. */
static bool states_meet(unsigned a, unsigned b)
{
	return (a & b & ~STATE_OBJECTS) || ((a & STATE_MEMORY) && (b & STATE_OBJECTS)) ||
	       ((a & STATE_OBJECTS) && (b & STATE_MEMORY));
}

/* Does one of A and B write a variable that the other one reads or writes? */
static bool accesses_meet(const struct footprint *a, const struct footprint *b)
{
	for (size_t i = 0; i < a->variables.count; i++)
		for (size_t j = 0; j < b->variables.count; j++) {
			struct access x = a->variables.items[i], y = b->variables.items[j];
			if (x.variable == y.variable && (x.writes || y.writes))
				return true;
		}
	return states_meet(a->writes, b->reads | b->writes) || states_meet(a->reads, b->writes);
}

static bool footprints_meet(const struct footprint *a, const struct footprint *b)
{
	return accesses_meet(a, b) || (a->may_fault && has_effect(b)) ||
	       (b->may_fault && has_effect(a));
}

bool order_is_seen(const struct texpr *first, const struct texpr *second)
{
	struct footprint a = { 0 }, b = { 0 };
	footprint_note(&a, first);
	footprint_note(&b, second);
	bool ret = footprints_meet(&a, &b);
	vector_free(&a.variables);
	vector_free(&b.variables);
	return ret;
}

bool order_is_written(const struct texpr *target, const struct texpr *value)
{
	struct footprint a = { 0 }, b = { 0 };
	note_object(&a, target, false);
	footprint_note(&b, value);
	bool ret = accesses_meet(&a, &b);
	vector_free(&a.variables);
	vector_free(&b.variables);
	return ret;
}

/* --- evaluated first ------------------------------------------------------------------------- */

bool value_can_be_kept(const struct texpr *e)
{
	return e->kind != TEXPR_INTEGER && e->kind != TEXPR_TRANSLATED &&
	       (type_is_scalar(e->type) || e->type->kind == TYPE_STRING || type_is_struct(e->type));
}

void effect_append(struct sema *s, struct texpr **first, struct texpr *effect)
{
	const struct type *nothing = intrinsic(s, INTRINSIC_VOID);
	*first = *first ? texpr_comma(s, *first, effect, nothing, effect->range) : effect;
}

struct texpr *value_once(struct sema *s, struct texpr *e, struct texpr **first)
{
	if (!value_can_be_kept(e))
		return e;
	struct texpr *kept = variable_hidden(s, e->type, e->range);
	if (texpr_is_poison(kept))
		return kept;
	memory_note_alloca(kept, e);
	effect_append(s, first, texpr_assign(s, kept, e, e->range));
	return kept;
}

struct texpr *value_after(struct sema *s, struct texpr *first, struct texpr *value)
{
	if (!first || texpr_is_poison(value))
		return value;
	if (value->kind == TEXPR_TRANSLATED) {
		struct texpr *copy = texpr_new(s, TEXPR_TRANSLATED, value->type, value->range);
		copy->translated = value->translated;
		if (copy->translated.first)
			first = texpr_comma(s, first, copy->translated.first,
					    intrinsic(s, INTRINSIC_VOID), value->range);
		copy->translated.first = first;
		return copy;
	}
	if (value->type->kind == TYPE_ARRAY)
		value = type_is_string_like(value->type) ? convert_string(s, value)
							 : memory_decay(s, value);
	return object_value(s, texpr_comma(s, first, value, value->type, value->range));
}

/* E, in a variable unless it is the same at any time. */
static struct texpr *settled(struct sema *s, const struct texpr *e, struct texpr **first)
{
	struct footprint f = { 0 };
	footprint_note(&f, e);
	bool is_constant = is_empty(&f);
	vector_free(&f.variables);
	struct texpr *copy = texpr_copy(s, e);
	if (is_constant)
		return copy;
	if (e->kind != TEXPR_SYMBOL)
		return value_once(s, copy, first);
	copy->symbol.address = value_once(s, copy->symbol.address, first);
	return copy;
}

static struct texpr *settled_list(struct sema *s, const struct texpr *list, struct texpr **first)
{
	struct texpr *ret = NULL, **end = &ret;
	for (; list; list = list->next) {
		*end = settled(s, list, first);
		end = &(*end)->next;
	}
	return ret;
}

struct texpr *order_settle(struct sema *s, const struct texpr *target, struct texpr **first)
{
	struct texpr *copy = texpr_copy(s, target);
	if (target->kind == TEXPR_ELEMENT) {
		copy->element.keys = settled_list(s, target->element.keys, first);
	} else if (target->kind == TEXPR_LOAD) {
		copy->load.address = settled(s, target->load.address, first);
	} else if (target->kind == TEXPR_FIELD) {
		copy->field.base = order_settle(s, target->field.base, first);
		if (target->field.index)
			copy->field.index = settled(s, target->field.index, first);
	}
	return copy;
}

struct texpr *order_target(struct sema *s, struct texpr *target, const struct texpr *value,
			   struct texpr **first)
{
	struct footprint a = { 0 }, b = { 0 };
	footprint_note_parts(&a, target);
	footprint_note(&b, value);
	bool is_seen = footprints_meet(&a, &b);
	vector_free(&a.variables);
	vector_free(&b.variables);
	return is_seen ? order_settle(s, target, first) : target;
}

struct texpr *order_keys(struct sema *s, struct texpr *keys, const struct texpr *value,
			 struct texpr **first)
{
	for (const struct texpr *key = keys; key; key = key->next)
		if (order_is_seen(key, value))
			return settled_list(s, keys, first);
	return keys;
}
