/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * translator - stable descriptions of a kernel's structs
 *
 * `xlate <T>(e)` computes nothing.  It is a TEXPR_TRANSLATED with the translator and E; a member
 * taken from it is the translator's expression for this member, checked at this use with the
 * translator's parameter bound to E.  So an unused member costs nothing and need not even be valid
 * on the running kernel.  A translated value never leaves sema: expression_check() refuses it
 * wherever a plain value is required.
 *
 * Members of a program's translator are checked at the definition, so that its author sees
 * mistakes, and those of a traced file's, which is used whole or not at all; those of a library
 * only at their use.
 */
#include "sema/declare.h"

struct translator {
	struct translator *next; /* defined before */
	const struct translator_node *node;
	const struct type *output, *input;
	enum declarer declarer;
	struct unit *unit; /* of DECLARED_BY_FILE */
	uint32_t since;	   /* version of D; 0: always */
};

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
	return converted && type_is_scalar(type) ? convert_scalar(s, converted, type) : converted;
}

/* Where an expression is: what its names mean. */
struct context {
	const struct binding *bindings;
	const struct formula_source *formula;
	struct speaking speaking;
};

static struct texpr *value_in(struct sema *s, const struct context *c, const struct node *n)
{
	const struct binding *bindings = s->bindings;
	const struct formula_source *formula = s->formula;
	s->bindings = c->bindings;
	s->formula = c->formula;
	struct speaking before = speak(s, c->speaking);
	struct texpr *value = expression_any(s, n);
	speak(s, before);
	s->bindings = bindings;
	s->formula = formula;
	return value;
}

/* M's expression, which is in C, as a member of T's output. */
static struct texpr *member_in(struct sema *s, const struct context *c, const struct translator *t,
			       const struct translator_member *m)
{
	struct member info;
	if (!type_member(s->types, t->output, m->name, &info))
		return mistake(s, m->range, D_XLATE_MEMB, "%s has no member %s%s",
			       type_text(s, t->output), m->name,
			       name_suggestion_member(s, t->output, m->name));
	struct texpr *value = value_in(s, c, m->value);
	struct texpr *converted = as_member(s, value, &info);
	if (converted)
		return converted;
	return mistake(s, m->range, D_XLATE_INCOMPAT, "member %s has type %s, but its value %s",
		       m->name, type_text(s, info.type), type_text(s, value->type));
}

/* M's expression with INPUT for the translator's parameter, and no other parameter in sight. */
static struct texpr *member_value(struct sema *s, const struct translator *t,
				  const struct translator_member *m, struct texpr *input,
				  unsigned cost)
{
	const struct binding parameter = { .name = t->node->input_name,
					   .value = input,
					   .cost = cost };
	const struct context c = { &parameter, s->formula, { t->declarer, t->unit } };
	return member_in(s, &c, t, m);
}

/* M's expression, which a formula gives after `with`. */
static struct texpr *with_value(struct sema *s, const struct texpr *object,
				const struct translator_member *m)
{
	const struct context c = { object->translated.scope,
				   object->translated.source,
				   { source_declarer(m->range.source), s->unit } };
	return member_in(s, &c, object->translated.translator, m);
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
		     : member_value(s, object->translated.translator, m, object->translated.input,
				    object->translated.cost);
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
		member_value(s, t, m, e->translated.input, e->translated.cost);
}

/* --- use --- */

/* Libraries may have translators to TYPE, under each of its names. */
static void want_translators(struct sema *s, const struct type *type)
{
	for (;;) {
		auto_strbuf struct strbuf name = { 0 };
		strbuf_puts(&name, "xlate ");
		type_print(type, &name);
		library_want(s, strbuf_text(&name));
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_QUALIFIED)
			return;
		type = type->target;
	}
}

static bool is_there(const struct sema *s, const struct translator *t)
{
	bool is_seen = t->declarer >= speaker(s) &&
		       (t->declarer != DECLARED_BY_FILE || t->unit == s->unit);
	return is_seen && (!s->env->version || t->since <= s->env->version);
}

/* One type under one name: translators from a typedef and from its target are two. */
static bool is_exactly(struct sema *s, const struct type *a, const struct type *b)
{
	return type_same(a, b) && string_equal(type_text(s, a), type_text(s, b));
}

/* How well T suits INPUT: 3 its very type, 2 a typedef of it or its target, 1 as an argument. */
static unsigned suits(struct sema *s, const struct translator *t, struct texpr *input)
{
	return is_exactly(s, t->input, input->declared) ? 3
	       : type_same(t->input, input->type)	? 2
	       : convert_compatible(s, input, t->input) ? 1
							: 0;
}

/* Of those that suit best the speaker's own, else the next declarer's; among these the latest. */
static const struct translator *find(struct sema *s, struct texpr *input, const struct type *output)
{
	want_translators(s, output);
	const struct translator *best = NULL;
	unsigned most = 0;
	for (const struct translator *t = s->translators; t; t = t->next) {
		if (!is_there(s, t) || !type_same(t->output, output))
			continue;
		unsigned how = suits(s, t, input);
		if (how < most || !how || (how == most && t->declarer >= best->declarer))
			continue;
		best = t;
		most = how;
	}
	return best;
}

static struct texpr *none(struct sema *s, const struct type *output, const struct texpr *input,
			  struct range range)
{
	auto_strbuf struct strbuf others = { 0 };
	for (const struct translator *t = s->translators; t; t = t->next)
		if (is_there(s, t) && type_same(t->output, output))
			strbuf_printf(&others, "%s%s",
				      others.len ? ", " : ", but there is one from ",
				      type_text(s, t->input));
	return mistake(s, range, D_XLATE_NONE, "there is no translator from %s to %s%s",
		       type_text(s, input->type), type_text(s, output), strbuf_text(&others));
}

bool translator_exists(struct sema *s, struct texpr *input, const struct type *type)
{
	const struct type *resolved = type_resolve(type);
	return find(s, input, resolved->kind == TYPE_POINTER ? resolved->target : type);
}

struct texpr *translator_apply(struct sema *s, const struct type *wanted, struct texpr *input,
			       unsigned cost, struct range range)
{
	const struct type *type = type_resolve(wanted);
	const struct type *output = type->kind == TYPE_POINTER ? type->target : wanted;
	if (texpr_is_poison(input) || type_resolve(output)->kind == TYPE_POISON)
		return texpr_poison(s, range);
	const struct translator *t = find(s, input, output);
	if (!t)
		return none(s, output, input, range);
	struct texpr *e = texpr_new(s, TEXPR_TRANSLATED, type, range);
	e->translated.translator = t;
	e->translated.input = convert_typed(s, input, t->input);
	e->translated.cost = cost;
	if (!e->translated
		     .input) /* of the same type, but arrays and functions convert to nothing */
		e->translated.input = input;
	return e;
}

/* --- for arguments that a traced file declares --- */

/* A and B, declared by two, have one name: struct conn * is the program's idea of the file's. */
static bool has_same_name(struct sema *s, const struct type *a, const struct type *b)
{
	return string_equal(unit_type_text(s, a), unit_type_text(s, b));
}

/* The output of A is B: one struct, or two declared with one name and alike. */
static bool makes(struct sema *s, const struct type *a, const struct type *b)
{
	const struct type *x = type_resolve(a), *y = type_resolve(b);
	return type_same(a, b) ||
	       (has_same_name(s, a, b) && type_is_struct(x) && type_is_struct(y) &&
		x->size == y->size && type_same_members(x, y));
}

/* Names count for what users write for this file; ours are about the kernel's structs. */
static bool takes(struct sema *s, const struct translator *t, const struct type *input)
{
	bool by_name = t->declarer == DECLARED_BY_D || t->declarer == DECLARED_BY_SITE;
	return type_same(t->input, input) || (by_name && has_same_name(s, t->input, input));
}

static const struct translator *find_by(struct sema *s, enum declarer who, const struct type *input,
					const struct type *output)
{
	for (const struct translator *t = s->translators; t; t = t->next)
		if (t->declarer == who && is_there(s, t) && makes(s, t->output, output) &&
		    takes(s, t, input))
			return t;
	return NULL;
}

struct texpr *translator_of_unit(struct sema *s, struct unit *u, unsigned from,
				 const struct type *input, const struct type *output,
				 struct range range)
{
	const struct type *wanted = type_resolve(output);
	bool is_pointer = wanted->kind == TYPE_POINTER;
	const struct type *made = is_pointer ? wanted->target : output;
	const struct translator *t = NULL;
	if (!type_is_struct(made))
		return NULL;
	want_translators(s, made);
	struct speaking before = speak(s, (struct speaking) { speaker(s), u });
	for (enum declarer who = DECLARED_BY_D; !t && who <= DECLARED_BY_LIBRARY; who++)
		t = who == DECLARED_BY_FILE ? NULL : find_by(s, who, input, made);
	if (!t)
		t = find_by(s, DECLARED_BY_FILE, input, made);
	speak(s, before);
	if (!t)
		return NULL;
	struct texpr *e =
		texpr_new(s, TEXPR_TRANSLATED,
			  is_pointer ? types_pointer(s->types, t->output) : t->output, range);
	e->translated.translator = t;
	e->translated.input = variable_argument_of(s, t->input, true, from, range);
	e->translated.cost = 1;
	return e;
}

struct texpr *translator_check(struct sema *s, const struct node *n)
{
	const struct type *type = type_name_check(s, n->cast.type);
	unsigned budget = s->budget, effects = s->effects;
	struct texpr *input = expression_value(s, n->cast.operand), *first = NULL;
	if (s->effects != effects)
		input = value_once(s, input, &first);
	struct texpr *e = translator_apply(s, type, input, budget - s->budget, n->range);
	if (e->kind == TEXPR_TRANSLATED && n->cast.with) {
		e->translated.with = n->cast.with;
		e->translated.source = s->formula;
		e->translated.scope = s->bindings;
	}
	return value_after(s, first, e);
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

/* A nested translation is copied member by member too. */
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

struct texpr *translator_copy(struct sema *s, struct texpr *target, const struct texpr *value)
{
	const struct translator *t = value->translated.translator;
	struct range range = value->range;
	struct texpr *e = texpr_assign(
		s, target, texpr_integer(s, 0, intrinsic(s, INTRINSIC_INT), range), range);
	if (value->translated.first)
		e = then(s, value->translated.first, e);
	for (const struct translator_member *m = t->node->members; m; m = m->next) {
		struct member info;
		if (member_find(t->node, m->name) != m)
			continue;
		if (!type_member(s->types, t->output, m->name, &info))
			return texpr_poison(s, range); /* reported at the definition */
		struct texpr *part = hidden_value(s, value, m, range);
		e = copy_member(s, e, memory_member_of(s, target, &info, range), part);
		if (texpr_is_poison(e))
			return e;
	}
	return e;
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

/* --- definition --- */

static bool is_defined(struct sema *s, const struct translator *other, struct range range)
{
	for (const struct translator *t = s->translators; t; t = t->next)
		if (t->declarer == other->declarer && t->unit == other->unit &&
		    type_same(t->output, other->output) && is_exactly(s, t->input, other->input)) {
			diagnose(s->diagnostics, range, D_XLATE_REDECL,
				 "there is a translator from %s to %s already",
				 type_text(s, other->input), type_text(s, other->output));
			return true;
		}
	return false;
}

static bool types_are_good(struct sema *s, const struct translator *t, struct range range)
{
	const struct type *output = type_resolve(t->output);
	if (output->kind == TYPE_POISON || type_resolve(t->input)->kind == TYPE_POISON)
		return false;
	if (type_is_struct(output))
		return true;
	diagnose(s->diagnostics, range, D_XLATE_SOU,
		 "a translator makes a struct or union that is defined, not %s",
		 type_text(s, t->output));
	return false;
}

/* No member that the output has not? */
static bool names_are_good(struct sema *s, const struct translator *t)
{
	bool good = true;
	for (const struct translator_member *m = t->node->members; m; m = m->next) {
		struct member info;
		bool known = type_member(s->types, t->output, m->name, &info);
		if (!known)
			diagnose(s->diagnostics, m->range, D_XLATE_MEMB, "%s has no member %s%s",
				 type_text(s, t->output), m->name,
				 name_suggestion_member(s, t->output, m->name));
		else
			continue;
		good = false;
	}
	return good;
}

void translator_define(struct sema *s, const struct translator_node *node, struct range range)
{
	struct translator *t = ARENA_NEW(s->arena, struct translator);
	t->node = node;
	t->declarer = speaker(s);
	t->unit = t->declarer == DECLARED_BY_FILE ? s->unit : NULL;
	t->output = type_name_check(s, node->output);
	t->input = type_name_check(s, node->input);
	t->since = translator_since(s, range);
	if (!types_are_good(s, t, range) || is_defined(s, t, range) || !names_are_good(s, t))
		return;
	if (t->declarer == DECLARED_BY_D || t->declarer == DECLARED_BY_FILE) {
		struct texpr *input = sample_new(s, t->input, range);
		for (const struct translator_member *m = node->members; m; m = m->next)
			member_value(s, t, m, input, 0);
	}
	t->next = s->translators;
	s->translators = t;
}
