/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * translator - stable descriptions of a kernel's structs
 *
 * Their definitions, and which of them `xlate <T>(e)` means; what its value is: translated.c.
 *
 * Members of a program's translator are checked at the definition, so that its author sees
 * mistakes, and those of a traced file's, which is used whole or not at all; those of a library
 * only at their use.
 */
#include "sema/declare/declare.h"

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

static bool translator_is_seen(const struct sema *s, const struct translator *t)
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
static const struct translator *translator_find(struct sema *s, struct texpr *input,
						const struct type *output)
{
	want_translators(s, output);
	const struct translator *best = NULL;
	unsigned most = 0;
	for (const struct translator *t = s->translators; t; t = t->next) {
		if (!translator_is_seen(s, t) || !type_same(t->output, output))
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
		if (translator_is_seen(s, t) && type_same(t->output, output))
			strbuf_printf(&others, "%s%s",
				      others.len ? ", " : ", but there is one from ",
				      type_text(s, t->input));
	return mistake(s, range, D_XLATE_NONE, "there is no translator from %s to %s%s",
		       type_text(s, input->type), type_text(s, output), strbuf_text(&others));
}

bool translator_exists(struct sema *s, struct texpr *input, const struct type *type)
{
	const struct type *resolved = type_resolve(type);
	return translator_find(s, input, resolved->kind == TYPE_POINTER ? resolved->target : type);
}

struct texpr *translator_apply(struct sema *s, const struct type *wanted, struct texpr *input,
			       unsigned cost, struct range range)
{
	const struct type *type = type_resolve(wanted);
	const struct type *output = type->kind == TYPE_POINTER ? type->target : wanted;
	if (texpr_is_poison(input) || type_resolve(output)->kind == TYPE_POISON)
		return texpr_poison(s, range);
	const struct translator *t = translator_find(s, input, output);
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

static const struct translator *translator_find_by(struct sema *s, enum declarer who,
						   const struct type *input,
						   const struct type *output)
{
	for (const struct translator *t = s->translators; t; t = t->next)
		if (t->declarer == who && translator_is_seen(s, t) && makes(s, t->output, output) &&
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
		t = who == DECLARED_BY_FILE ? NULL : translator_find_by(s, who, input, made);
	if (!t)
		t = translator_find_by(s, DECLARED_BY_FILE, input, made);
	speak(s, before);
	if (!t)
		return NULL;
	struct texpr *e =
		texpr_new(s, TEXPR_TRANSLATED,
			  is_pointer ? types_pointer(s->types, t->output) : t->output, range);
	e->translated.translator = t;
	e->translated.input = args_value(s, t->input, true, from, range);
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
			translator_value(s, t, m, input, 0);
	}
	t->next = s->translators;
	s->translators = t;
}
