/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * translated - the values of xlate
 *
 * `xlate <T>(e)` computes nothing.  It is a TEXPR_TRANSLATED with the translator and E; a member
 * taken from it is the translator's expression for this member, checked at this use with the
 * translator's parameter bound to E.  So an unused member costs nothing and need not even be valid
 * on the running kernel.  A translated value never leaves sema: expression_check() refuses it
 * wherever a plain value is required.
 */
#include "sema/declare/declare.h"

/* --- members --- */

/* Of two lines for one member the last holds. */
static const struct translator_member *member_find(const struct translator_node *t,
						   const char *name)
{
	const struct translator_member *found = NULL;
	for (const struct translator_member *m = t->members; m; m = m->next)
		if (string_equal(m->name, name))
			found = m;
	return found;
}

/* VALUE as member INFO of the output, or NULL.  Strings for a char array are not converted. */
static struct texpr *as_member(struct sema *s, struct texpr *value, const struct member *info)
{
	const struct type *type = type_resolve(info->type);
	if (texpr_is_poison(value) || type->kind == TYPE_POISON)
		return value;
	if (value->kind == TEXPR_TRANSLATED)
		return type_same(value->type, type) ? value : NULL;
	if (type->kind == TYPE_ARRAY && type_is_string_like(type))
		return !type_is_string_like(value->type) ? NULL
		       : value->type->kind == TYPE_ARRAY ? value
							 : convert_string(s, value);
	struct texpr *converted = convert_compatible(s, value, type);
	if (!converted || !type_is_scalar(type))
		return converted;
	converted = convert_scalar(s, converted, type);
	converted->declared = info->type;
	return converted;
}

/* M's expression, which is in C, as a member of T's output. */
static struct texpr *member_in(struct sema *s, struct context c, const struct translator *t,
			       const struct translator_member *m)
{
	struct member info;
	if (!type_member(s->types, t->output, m->name, &info))
		return mistake(s, m->range, D_XLATE_MEMB, "%s has no member %s%s",
			       type_text(s, t->output), m->name,
			       name_suggestion_member(s, t->output, m->name));
	struct texpr *value = expression_in(s, c, m->value);
	struct texpr *converted = as_member(s, value, &info);
	if (converted)
		return converted;
	return mistake(s, m->range, D_XLATE_INCOMPAT, "member %s has type %s, but its value %s",
		       m->name, type_text(s, info.type), type_text(s, value->type));
}

struct texpr *translator_value(struct sema *s, const struct translator *t,
			       const struct translator_member *m, struct texpr *input,
			       unsigned cost)
{
	const struct binding parameter = { .name = t->node->input_name,
					   .value = input,
					   .cost = cost };
	struct context c = { &parameter, s->formula, { t->declarer, t->unit } };
	return member_in(s, c, t, m);
}

/* M's expression, which a formula gives after `with`. */
static struct texpr *with_value(struct sema *s, const struct texpr *object,
				const struct translator_member *m)
{
	struct context c = { object->translated.scope,
			     object->translated.source,
			     { source_declarer(m->range.source), s->unit } };
	return member_in(s, c, object->translated.translator, m);
}

static const struct translator_member *with_find(const struct texpr *object, const char *name)
{
	const struct translator_member *m = object->translated.with;
	while (m && !string_equal(m->name, name))
		m = m->next;
	return m;
}

/* The value of member M; its operands do not count for the clause's stability. */
static struct texpr *hidden_value(struct sema *s, const struct texpr *object,
				  const struct translator_member *m, struct range range)
{
	const struct translator_member *with = with_find(object, m->name);
	s->hidden++;
	struct texpr *value =
		with ? with_value(s, object, with)
		     : translator_value(s, object->translated.translator, m,
					object->translated.input, object->translated.cost);
	s->hidden--;
	value->range = range; /* the user's code, not the translator's */
	value->is_translated = true;
	return value;
}

/* VALUE after the expressions to be evaluated before it. */
static struct texpr *member_after(struct sema *s, const struct texpr *object, struct texpr *value,
				  struct range range)
{
	struct texpr *e = value_after(s, object->translated.first, value);
	e->range = range;
	e->is_translated = true;
	return e;
}

struct texpr *translator_member(struct sema *s, const struct texpr *object, const struct node *n)
{
	const struct translator *t = object->translated.translator;
	const char *name = n->member.name;
	bool is_pointer = object->type->kind == TYPE_POINTER;
	if (is_pointer != n->member.arrow)
		return mistake(s, n->range, is_pointer ? D_OP_SOU : D_OP_PTR,
			       "the left side of %s must be a %s", n->member.arrow ? "->" : ".",
			       is_pointer ? "struct, not a pointer: use ->"
					  : "pointer, not a struct: use .");
	const struct translator_member *m = member_find(t->node, name);
	if (!m)
		m = with_find(object, name);
	if (m)
		return member_after(s, object, hidden_value(s, object, m, n->range), n->range);
	struct member info;
	if (type_member(s->types, t->output, name, &info))
		return mistake(s, n->member.name_range, D_XLATE_NOCONV,
			       "the translator from %s to %s does not define the member %s",
			       type_text(s, t->input), type_text(s, t->output), name);
	return mistake(s, n->member.name_range, D_TYPE_MEMBER, "%s has no member %s%s",
		       type_text(s, t->output), name, name_suggestion_member(s, t->output, name));
}

void translator_check_with(struct sema *s, const struct texpr *e)
{
	if (e->kind != TEXPR_TRANSLATED)
		return;
	for (const struct translator_member *m = e->translated.with; m; m = m->next)
		with_value(s, e, m);
}

void translator_check_members(struct sema *s, const struct texpr *e)
{
	if (e->kind != TEXPR_TRANSLATED)
		return;
	const struct translator *t = e->translated.translator;
	for (const struct translator_member *m = t->node->members; m; m = m->next)
		translator_value(s, t, m, e->translated.input, e->translated.cost);
}

/* `*p` of a translated pointer. */
struct texpr *translator_dereference(struct sema *s, const struct texpr *e, struct range range)
{
	struct texpr *value = texpr_new(s, TEXPR_TRANSLATED, e->type->target, range);
	value->translated = e->translated;
	return value;
}

/* --- a translated value becomes a real one --- */

static struct texpr *then(struct sema *s, struct texpr *first, struct texpr *second)
{
	return texpr_comma(s, first, second, intrinsic(s, INTRINSIC_VOID), first->range);
}

/* A nested translation is also copied member by member. */
static struct texpr *copy_member(struct sema *s, struct texpr *so_far, struct texpr *target,
				 struct texpr *value)
{
	if (value->kind == TEXPR_TRANSLATED)
		return value->type->kind == TYPE_POINTER
			       ? so_far
			       : then(s, so_far, translator_copy(s, target, value));
	if (texpr_is_poison(value))
		return value;
	if (memory_text_place(s, target))
		target = memory_text_place(s, target);
	bool is_text = type_is_string_like(target->type) && value->type->kind == TYPE_STRING &&
		       type_size(target->type) <= s->env->string_size;
	if (target->type->kind == TYPE_ARRAY && !is_text && !texpr_is_zero(value) &&
	    !type_same(target->type, value->type))
		return mistake(s, value->range, D_OP_ARRFUN,
			       "a translated value whose %s comes from a %s cannot be assigned "
			       "whole: assign the members that you need",
			       type_text(s, target->type), type_text(s, value->type));
	return then(s, so_far, texpr_assign(s, target, value, value->range));
}

/* SO_FAR, then VALUE's member M is copied to TARGET. */
static struct texpr *copy_named(struct sema *s, struct texpr *so_far, struct texpr *target,
				const struct texpr *value, const struct translator_member *m)
{
	struct member info;
	if (texpr_is_poison(so_far))
		return so_far;
	if (!type_member(s->types, value->translated.translator->output, m->name, &info))
		return texpr_poison(s, value->range); /* reported at the definition */
	struct texpr *part = hidden_value(s, value, m, value->range);
	return copy_member(s, so_far, memory_member_of(s, target, &info, value->range), part);
}

struct texpr *translator_copy(struct sema *s, struct texpr *target, const struct texpr *value)
{
	const struct translator_node *t = value->translated.translator->node;
	struct range range = value->range;
	struct texpr *e = texpr_assign(
		s, target, texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), range), range);
	if (value->translated.first)
		e = then(s, value->translated.first, e);
	for (const struct translator_member *m = t->members; m; m = m->next)
		if (member_find(t, m->name) == m)
			e = copy_named(s, e, target, value, m);
	for (const struct translator_member *m = value->translated.with; m; m = m->next)
		if (!member_find(t, m->name))
			e = copy_named(s, e, target, value, m);
	return e;
}

static bool has_value(const struct texpr *object, const char *name)
{
	return member_find(object->translated.translator->node, name) || with_find(object, name);
}

/*
 * The type of OBJECT, translated, with the members that have no value marked as absent.  A type
 * whose members C would place otherwise (packed) stays as it is: these members are zero.
 */
static const struct type *shown_type(struct sema *s, const struct texpr *object)
{
	const struct type *output = type_resolve(object->translated.translator->output);
	unsigned count = type_member_count(s->types, output), missing = 0;
	auto_free struct member *members = mem_zalloc((count + 1) * sizeof(*members));
	for (unsigned i = 0; i < count; i++) {
		members[i] = *type_member_at(s->types, output, i);
		if (members[i].name && !has_value(object, members[i].name))
			members[i].absent = "has no translation";
		missing += members[i].absent != NULL;
	}
	if (!missing)
		return output;
	struct type *shown = types_declare_tag(s->types, output->kind, NULL);
	types_complete_struct(s->types, shown, members, count, 0);
	bool is_alike = shown->size == output->size;
	for (unsigned i = 0; i < count; i++)
		is_alike &= type_member_at(s->types, shown, i)->bit_offset ==
			    type_member_at(s->types, output, i)->bit_offset;
	shown->name = output->name;
	return is_alike ? shown : output;
}

struct texpr *translator_whole(struct sema *s, const struct texpr *e, const struct type **shown)
{
	const struct type *output = type_resolve(e->translated.translator->output);
	struct texpr *object = variable_hidden(s, output, e->range);
	if (texpr_is_poison(object))
		return object;
	*shown = shown_type(s, e);
	s->effects++;
	return value_after(s, translator_copy(s, object, e), object);
}

/*
 * A pointer to a struct T of which the library keeps an array T_objects is a real one, too: curcpu
 * may be compared, kept and cast.  Its members are written there when the address is taken.
 */
struct texpr *translator_object(struct sema *s, const struct texpr *e)
{
	const struct type *output = type_resolve(e->translated.translator->output);
	if (e->type->kind != TYPE_POINTER || !output->name)
		return NULL;
	const char *name = arena_printf(s->arena, "%s_objects", output->name);
	library_want_value(s, DECLARED_BY_LIBRARY, name);
	struct variable *v = variable_declared(s, DECLARED_BY_LIBRARY, SCOPE_GLOBAL, name);
	if (!v)
		return NULL;
	struct texpr *object =
		index_element(s, variable_check(s, v, e->range), e->translated.input, e->range);
	struct texpr *address = memory_address_of(s, object, e->range);
	if (texpr_is_poison(address))
		return address;
	s->effects++;
	return texpr_comma(s, translator_copy(s, object, e), address, address->type, e->range);
}
