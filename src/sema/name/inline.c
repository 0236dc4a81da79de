/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inline - names for an expression
 *
 * An inline is checked at its definition, so that its author sees mistakes, and again at each use,
 * with its parameters bound to the arguments.  It cannot refer to itself, because its name is only
 * known after its own check; so expansion always ends.
 *
 * An argument that must be evaluated only once (i++, rand()) is assigned to a hidden this variable
 * before the value; then the others are, too, because they are evaluated from left to right.  So is
 * a costly number that a value without effects evaluates in any case and then again: else
 * errno_name[ ] of a member of a translated struct would compute this member at each comparison.
 */
#include "sema/declare/declare.h"

#define COST_REPEATED 8 /* an argument of more texprs is costly */

/* VALUE as the inline's type, or poison. */
static struct texpr *as_type(struct sema *s, struct texpr *value, const struct type *type,
			     const char *name)
{
	if (texpr_is_poison(value) || type_resolve(type)->kind == TYPE_POISON)
		return value;
	if (value->kind == TEXPR_TRANSLATED && type_same(value->type, type))
		return value;
	struct texpr *converted = convert_typed(s, value, type);
	if (!converted)
		return mistake(s, value->range, D_OP_INCOMPAT,
			       "inline %s has type %s, but its value has type %s", name,
			       type_text(s, type), type_text(s, value->type));
	return converted;
}

/* The value with BINDINGS as the only parameters that it sees. */
static struct texpr *value_with(struct sema *s, const struct inline_definition *def,
				const struct binding *bindings)
{
	struct context c = { bindings, s->formula, { def->declarer, s->unit } };
	struct texpr *value = expression_operand(s, expression_in(s, c, def->node->value));
	return as_type(s, value, def->type, def->node->declarator->name);
}

static struct binding *binding_new(struct sema *s, const char *name, struct texpr *value,
				   struct binding *next)
{
	struct binding *b = ARENA_NEW(s->arena, struct binding);
	b->name = name;
	b->value = value;
	b->next = next;
	return b;
}

/* --- use --- */

static struct texpr *inline_argument(struct sema *s, const struct node *n, const char *name,
				     const struct type *type, unsigned number)
{
	struct texpr *e = expression_value(s, n);
	if (texpr_is_poison(e))
		return e;
	struct texpr *converted = convert_typed(s, e, type);
	if (converted)
		return converted;
	return mistake(s, n->range, D_PROTO_ARG, "argument %u of %s[] must be %s, not %s", number,
		       name, type_text(s, type), type_text(s, e->type));
}

/* The last argument is first in the list. */
static void keep_arguments(struct sema *s, struct binding *b, struct texpr **first)
{
	if (!b)
		return;
	keep_arguments(s, b->next, first);
	b->value = value_once(s, b->value, first);
	b->cost = 1;
}

/* Memory of alloca() is kept as it is: a variable for it would have to outlive a clause that waits.
 */
static bool is_repeated_number(const struct inline_definition *def, const struct binding *b)
{
	return b->cost > COST_REPEATED && type_is_scalar(b->value->type) &&
	       value_can_be_kept(b->value) && !texpr_is_alloca(b->value) &&
	       strict_repeats(def->node->value, b->name);
}

static void keep_repeated(struct sema *s, const struct inline_definition *def, struct binding *b,
			  struct texpr **first)
{
	if (!b || !s->clause || def->has_effects)
		return;
	keep_repeated(s, def, b->next, first);
	if (!is_repeated_number(def, b))
		return;
	b->value = value_once(s, b->value, first);
	if (b->value->kind == TEXPR_VARIABLE)
		b->value->variable->in_slot = true; /* compared with many constants */
	b->cost = 1;
}

static struct texpr *inline_value(struct sema *s, struct inline_definition *def,
				  const struct binding *bindings, struct range range)
{
	bool is_wrong = def->constant && texpr_is_poison(def->constant);
	if (is_wrong && s->formula && s->env->library_mistakes) /* its probe is wrong */
		return mistake(s, range, D_IDENT_BADREF, "the inline %s has a mistake",
			       def->node->declarator->name);
	if (def->constant)
		return texpr_copy(s, def->constant);
	s->hidden++;
	struct texpr *value = value_with(s, def, bindings);
	s->hidden--;
	return value;
}

/* DEF, written NAME, with BINDINGS, after FIRST. */
static struct texpr *inline_expanded(struct sema *s, const char *name,
				     struct inline_definition *def, const struct binding *bindings,
				     struct texpr *first, struct range range)
{
	struct texpr *value = value_after(s, first, inline_value(s, def, bindings, range));
	stability_use_defined(s, def->declarer, name, range);
	value->range = range;
	return value;
}

struct texpr *inline_expand(struct sema *s, const char *name, struct inline_definition *def,
			    const struct node *args, bool has_args, struct range range)
{
	if (has_args != def->is_array)
		return mistake(s, range, D_IDENT_BADREF, "inline %s %s", name,
			       def->is_array ? "needs arguments in [ ]" : "is not an array");
	unsigned given = node_count(args);
	if (given != def->param_count)
		return mistake(s, range, D_PROTO_LEN, "inline %s takes %u argument%s, not %u", name,
			       def->param_count, def->param_count == 1 ? "" : "s", given);
	struct binding *bindings = NULL;
	struct texpr *first = NULL;
	unsigned effects = s->effects;
	const struct param_node *param = def->params;
	for (unsigned i = 0; i < given; i++, args = args->next, param = param->next) {
		unsigned budget = s->budget;
		struct texpr *e = inline_argument(s, args, name, def->param_types[i], i + 1);
		if (texpr_is_poison(e))
			return e;
		bindings = binding_new(s, param->declarator->name, e, bindings);
		bindings->cost = budget - s->budget;
	}
	if (s->effects != effects)
		keep_arguments(s, bindings, &first);
	else
		keep_repeated(s, def, bindings, &first);
	return inline_expanded(s, name, def, bindings, first, range);
}

struct texpr *inline_of(struct sema *s, struct inline_definition *def, struct texpr *argument,
			bool once, struct range range)
{
	const char *name = def->node->declarator->name;
	struct texpr *first = NULL, *e = convert_typed(s, argument, def->param_types[0]);
	assert(def->param_count == 1 && (e || texpr_is_poison(argument)));
	if (texpr_is_poison(argument))
		return argument;
	struct binding *binding = binding_new(s, def->params->declarator->name, e, NULL);
	if (once)
		keep_arguments(s, binding, &first);
	return inline_expanded(s, name, def, binding, first, range);
}

/* --- definition --- */

struct texpr *sample_new(struct sema *s, const struct type *type, struct range range)
{
	struct variable *v = ARENA_NEW(s->arena, struct variable);
	v->name = "parameter";
	v->type = type_resolve(type);
	struct texpr *e = texpr_new(s, TEXPR_VARIABLE, type, range);
	e->variable = v;
	return e;
}

/* Has one before LAST its name? */
static bool has_namesake(const struct param_node *first, const struct param_node *last)
{
	const char *name = last->declarator->name;
	for (const struct param_node *p = first; name && p != last; p = p->next)
		if (p->declarator->name && string_equal(p->declarator->name, name))
			return true;
	return false;
}

static bool params_define(struct sema *s, struct inline_definition *def,
			  const struct declarator_part *part)
{
	if (part->varargs) {
		diagnose(s->diagnostics, def->node->declarator->range, D_DECL_PROTO_VARARGS,
			 "the parameters of an inline are a fixed number");
		return false;
	}
	def->is_array = true;
	def->params = part->params;
	def->param_types = params_check(s, part->params, &def->param_count);
	bool good = def->param_types;
	for (const struct param_node *p = part->params; p; p = p->next) {
		if (!p->declarator->name)
			diagnose(s->diagnostics, p->range, D_DECL_PROTO_NAME,
				 "a parameter of an inline needs a name");
		else if (has_namesake(part->params, p))
			diagnose(s->diagnostics, p->range, D_DECL_IDRED,
				 "there are two parameters %s", p->declarator->name);
		else
			continue;
		good = false;
	}
	return good;
}

static struct texpr *definition_check(struct sema *s, const struct inline_definition *def)
{
	struct binding *bindings = NULL;
	const struct param_node *param = def->params;
	for (unsigned i = 0; i < def->param_count; i++, param = param->next)
		bindings = binding_new(s, param->declarator->name,
				       sample_new(s, def->param_types[i], param->range), bindings);
	return value_with(s, def, bindings);
}

void inline_define(struct sema *s, const struct inline_node *node, struct range range)
{
	const struct declarator *d = node->declarator;
	if (node->spec->storage) {
		diagnose(s->diagnostics, range, D_DECL_BADCLASS,
			 "an inline cannot have a storage class");
		return;
	}
	if (!d->name || name_is_taken(s, d->name, false, range))
		return;
	if (variable_declared(s, speaker(s), SCOPE_GLOBAL, d->name)) {
		diagnose(s->diagnostics, range, D_DECL_IDRED, "%s is already a variable", d->name);
		return;
	}
	struct inline_definition *def = ARENA_NEW(s->arena, struct inline_definition);
	def->node = node;
	def->declarer = speaker(s);
	const struct declarator_part *parts = d->parts;
	if (parts && parts->kind == PART_ARRAY && parts->has_params) {
		if (!params_define(s, def, parts))
			return;
		parts = parts->next;
	}
	def->type = declarator_type(s, d, parts, specifier_type(s, node->spec));
	if (type_resolve(def->type)->kind == TYPE_POISON)
		return;
	if (type_resolve(def->type)->kind == TYPE_VOID) {
		diagnose(s->diagnostics, range, D_DECL_VOIDOBJ, "an inline cannot be void");
		return;
	}
	unsigned effects = s->effects;
	struct texpr *value = definition_check(s, def);
	def->has_effects = s->effects != effects;
	bool is_constant = value->kind == TEXPR_INTEGER || value->kind == TEXPR_STRING;
	if (texpr_is_poison(value) || (is_constant && !def->is_array))
		def->constant = value;
	hash_put_string(s->names[def->declarer].inlines, d->name, def);
}
