/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_rule - the string that a struct stands for: std::string, String of Rust
 *
 *   translator string < "std::*basic_string<char,*>" s > = copyinstr(s._M_dataplus._M_p, ...);
 *
 * The pattern is one of names of types, namespaces included.  Layouts differ by version, so a rule
 * whose value has a mistake for a type does not match it, and the next rule is tried: the program's
 * first, then those of -L, then ours; of one declarer the latest first.  Mistakes of the program's
 * own rule are reported if no other rule matches.
 *
 * In a rule typename0, typename1 ... are the arguments of the matched type, a template.  Of the
 * expressions that a clause may still have, a rule gets a share; one that needs more has a mistake,
 * so that a shorter one, as the number of elements, is tried.
 */
#include <string.h>

#include "sema/declare/declare.h"

/* May it be a type's name, as type_scoped_name() has it? */
static bool pattern_is_name(const char *pattern)
{
	static const char *const kinds[] = { "struct ", "class ", "union ", "enum " };
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strncmp(pattern, kinds[i], strlen(kinds[i])) == 0)
			return false;
	return *pattern;
}

void text_rule_define(struct sema *s, const struct translator_node *node, struct range range)
{
	const struct type *output = type_name_check(s, node->output);
	struct text_rule *r = ARENA_NEW(s->arena, struct text_rule);
	if (output->kind == TYPE_POISON)
		return;
	if (type_resolve(output)->kind != TYPE_STRING) {
		diagnose(s->diagnostics, range, D_XLATE_SOU,
			 "a translator from a pattern of types makes a string, not %s",
			 type_text(s, output));
		return;
	}
	if (!pattern_is_name(node->pattern)) {
		diagnose(s->diagnostics, range, D_XLATE_SOU,
			 "no type has the name \"%s\": it is written without struct, class, union "
			 "or enum",
			 node->pattern);
		return;
	}
	*r = (struct text_rule) { node, speaker(s), s->unit, NULL };
	struct text_rule **place = &s->text_rules;
	while (*place && (*place)->declarer < r->declarer)
		place = &(*place)->next;
	r->next = *place;
	*place = r;
}

/* PATTERN without namespaces, which are cheap to leave out at first: std::*x<a::b> is *x<a::b>. */
static const char *pattern_last_name(const char *pattern)
{
	const char *ret = pattern, *end = pattern + strcspn(pattern, "<");
	for (const char *p = pattern; p + 1 < end; p++)
		if (p[0] == ':' && p[1] == ':')
			ret = p + 2;
	return ret;
}

static bool text_rule_matches(const struct text_rule *r, const struct type *type)
{
	return glob_match(pattern_last_name(r->node->pattern), type->name) &&
	       glob_match(r->node->pattern, type_scoped_name(type));
}

/* What a rule may use of a clause's expressions that are left: so something is left for others. */
#define BUDGET_SHARE 8

/* R's value for OBJECT, a string; if it has mistakes, they are REPORTED or it is NULL. */
static struct texpr *text_rule_value(struct sema *s, const struct text_rule *r,
				     struct texpr *object, bool reported)
{
	struct diagnostics own = { 0 }, *outer = s->diagnostics;
	struct binding input = { .name = r->node->input_name, .value = object };
	struct context c = { &input, NULL, { r->declarer, r->unit } };
	const struct type *shown = s->shown;
	unsigned budget = s->budget, share = reported ? budget : budget / BUDGET_SHARE;
	bool out_of_budget = s->out_of_budget;
	s->budget = share;
	s->diagnostics = reported ? outer : &own;
	s->shown = type_resolve(object->type);
	struct texpr *value = convert_compatible(s, expression_in(s, c, r->node->value),
						 intrinsic(s, INTRINSIC_STRING));
	if (!value)
		value = mistake(s, r->node->value->range, D_OP_INCOMPAT,
				"a translator to string must have a string as its value");
	s->diagnostics = outer;
	s->shown = shown;
	bool is_wrong = texpr_is_poison(value) && !reported;
	s->budget = budget - (is_wrong ? 0 : share - s->budget);
	s->out_of_budget = is_wrong ? out_of_budget : s->out_of_budget;
	diagnostics_deinit(&own);
	return is_wrong ? NULL : value;
}

/* --- use --- */

/* The struct with a name that TYPE is, or points to; NULL: it is something else. */
static const struct type *type_named_struct(const struct type *type)
{
	type = type_resolve(type);
	if (type->kind == TYPE_POINTER)
		type = type_resolve(type->target);
	return type_is_struct(type) && type->name ? type : NULL;
}

/* May E be evaluated for each member of the struct that a rule reads? */
static bool is_repeatable(const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_INTEGER:
	case TEXPR_ARGUMENT:
	case TEXPR_VARIABLE:
		return true;
	case TEXPR_FIELD:
		return !e->field.index && is_repeatable(e->field.base);
	case TEXPR_BINARY:
		return is_repeatable(e->binary.left) && is_repeatable(e->binary.right);
	case TEXPR_CONVERT:
		return is_repeatable(e->operand);
	default:
		return false;
	}
}

/* The struct that E is, or points to; what must be evaluated once is appended to *FIRST. */
static struct texpr *text_rule_object(struct sema *s, struct texpr *e, struct texpr **first)
{
	struct texpr *address = type_is_pointer(e->type) ? e
				: e->kind == TEXPR_LOAD && !e->is_translated
					? memory_address_of(s, e, e->range)
					: NULL;
	struct texpr *place = address ? address : e;
	if (!is_repeatable(place))
		place = value_once(s, place, first);
	return address ? memory_dereference(s, place, e->range) : place;
}

struct texpr *text_rule_apply(struct sema *s, struct texpr *e)
{
	const struct type *type = type_named_struct(e->type);
	struct texpr *first = NULL, *value = NULL, *object = NULL;
	const struct text_rule *wrong = NULL;
	if (!type)
		return NULL;
	library_want(s, "xlate string");
	for (const struct text_rule *r = s->text_rules; r && !value; r = r->next) {
		if (!text_rule_matches(r, type))
			continue;
		object = object ? object : text_rule_object(s, e, &first);
		value = text_rule_value(s, r, object, false);
		wrong = !wrong && !value && r->declarer == DECLARED_BY_D ? r : wrong;
	}
	if (!value && wrong) /* the program's author sees why */
		return text_rule_value(s, wrong, object, true);
	return value ? value_after(s, first, value) : NULL;
}
