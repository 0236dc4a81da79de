/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula_self - values that formulas keep for a thread
 *
 * They are self variables, which no program can name.  `self.x = value` makes one; so does a
 * function's entry for each parameter that is used at its return (formula_kept.c).
 */
#include "sema/formula/formula.h"

/* The variable NAME of the provider; the next two are for a new one. */
static struct variable *self_variable(struct sema *s, const char *name, const struct type *type,
				      bool is_array, struct range range)
{
	const char *text = arena_printf(s->arena, "[%s %s]", s->formula->provider->name, name);
	struct variable *v = variable_declared(s, DECLARED_BY_LIBRARY, SCOPE_SELF, text);
	if (v)
		return v;
	enum declarer before = types_speak_for(s->types, DECLARED_BY_LIBRARY);
	v = variable_new(s, SCOPE_SELF, text, type, range);
	types_speak_for(s->types, before);
	if (v)
		v->declared = v->used = true;
	if (v && is_array)
		formula_make_array(s, v);
	return v;
}

struct texpr *formula_self_value(struct sema *s, const char *name, const struct type *type,
				 struct range range)
{
	struct variable *v = self_variable(s, name, type, false, range);
	if (!v)
		return texpr_poison(s, range);
	struct texpr *e = texpr_new(s, TEXPR_VARIABLE, v->type, range);
	e->variable = v;
	return e;
}

struct texpr *formula_self_element(struct sema *s, const char *name, const struct type *type,
				   struct texpr *key, struct range range)
{
	struct variable *v = self_variable(s, name, type, true, range);
	return v ? formula_element(s, v, key, range) : texpr_poison(s, range);
}

static struct texpr *self_assign(struct sema *s, struct texpr *to, struct texpr *value,
				 struct range range)
{
	if (texpr_is_poison(to) || texpr_is_poison(value))
		return texpr_poison(s, range);
	if (!type_is_scalar(value->type) || !type_is_scalar(to->type))
		return mistake(s, range, D_OP_INCOMPAT,
			       "a value that is kept is a number or a pointer, not %s",
			       type_text(s, value->type));
	return texpr_assign(s, to, convert_scalar(s, value, to->type), range);
}

/* --- self.x ----------------------------------------------------------------------------------- */

/* The type of self.NAME: of the first value that the provider's text gives it. */
static const struct type *self_type(struct sema *s, const char *name, struct range range)
{
	const struct formula_statement *t = s->formula->provider->selfs;
	while (t && !string_equal(t->name, name))
		t = t->next_self;
	if (!t) {
		mistake(s, range, D_VAR_UNDEF, "self.%s gets no value in this provider", name);
		return NULL;
	}
	if (s->self_depth) /* self.x = self.x + 1 */
		return intrinsic(s, INTRINSIC_LONG);
	s->self_depth++;
	const struct texpr *e = formula_value(s, t->source, t);
	s->self_depth--;
	return type_is_scalar(e->type) ? e->type : intrinsic(s, INTRINSIC_LONG);
}

struct texpr *formula_self(struct sema *s, const char *name, struct range range)
{
	const struct type *type = self_type(s, name, range);
	return type ? formula_self_value(s, arena_printf(s->arena, "self.%s", name), type, range)
		    : texpr_poison(s, range);
}

/* --- assignments ------------------------------------------------------------------------------ */

struct texpr *formula_self_set(struct sema *s, const struct formula_source *source,
			       const struct formula_statement *t)
{
	struct context before = formula_enter(s, source, t);
	struct texpr *to = formula_self(s, t->name, t->range);
	struct texpr *e = self_assign(s, to, expression_value(s, t->value), t->range);
	formula_leave(s, before);
	return e;
}

bool formula_self_is_removed(const struct formula_source *source)
{
	return (source->reads_self || formula_has(source, FORMULA_SELF)) &&
	       !formula_has(source, FORMULA_SILENT) && !formula_has(source, FORMULA_KEEP);
}

static struct tstmt **self_remove_one(struct sema *s, struct tstmt **end, struct texpr *to)
{
	struct texpr *zero = texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), to->range);
	return formula_add_assignment(s, end, self_assign(s, to, zero, to->range));
}

void formula_self_remove(struct sema *s, struct tstmt **end, const struct formula_source *source)
{
	struct context before = formula_enter(s, source, NULL);
	for (const struct formula_statement *t = source->provider->selfs; t; t = t->next_self)
		end = self_remove_one(s, end, formula_self(s, t->name, t->range));
	formula_leave(s, before);
}
