/* SPDX-License-Identifier: BSD-2-Clause */
/* Types and declarators as sentences: "array [4] of pointer to char" */
#include "syntax/print/print.h"

static const struct {
	const char *text;
	unsigned role, bit;
} specifier_words[] = {
#define KEYWORD(name, text, role, bit) { text, ROLE_##role, bit },
#include "syntax/token.def"
#undef KEYWORD
};

static void words_print(struct printer *pr, enum keyword_role role, unsigned bits)
{
	for (size_t i = 0; i < ARRAY_SIZE(specifier_words); i++)
		if (specifier_words[i].role == role && (bits & specifier_words[i].bit))
			strbuf_printf(pr->out, "%s ", specifier_words[i].text);
}

static void members_print(struct printer *pr, const struct member_node *m)
{
	for (; m; m = m->next) {
		if (!m->declarators)
			type_node_print(pr, m->spec, NULL);
		for (const struct declarator *d = m->declarators; d; d = d->next) {
			strbuf_printf(pr->out, "%s: ", d->name ? d->name : "");
			type_node_print(pr, m->spec, d);
			puts_out(pr, d->next ? "; " : "");
		}
		puts_out(pr, "; ");
	}
}

static void enumerators_print(struct printer *pr, const struct enumerator_node *e)
{
	for (; e; e = e->next) {
		puts_out(pr, e->name);
		if (e->value) {
			puts_out(pr, " = ");
			expr_print(pr, e->value);
		}
		puts_out(pr, e->next ? ", " : " ");
	}
}

static void attributes_print(struct printer *pr, const struct layout_attributes *a)
{
	if (a->packed)
		puts_out(pr, "packed ");
	if (a->mode)
		strbuf_printf(pr->out, "mode(%s) ", a->mode);
	if (a->vector) {
		puts_out(pr, "vector_size(");
		expr_print(pr, a->vector);
		puts_out(pr, ") ");
	}
	if (!a->aligned)
		return;
	puts_out(pr, "aligned(");
	if (a->align)
		expr_print(pr, a->align);
	puts_out(pr, ") ");
}

static bool has_attributes(const struct layout_attributes *a)
{
	return a->packed || a->aligned || a->mode || a->vector;
}

static void spec_print(struct printer *pr, const struct type_spec *spec)
{
	words_print(pr, ROLE_STORAGE, spec->storage);
	words_print(pr, ROLE_QUALIFIER, spec->qualifiers);
	unsigned signs = WORD_SIGNED | WORD_UNSIGNED, words = spec->words & ~signs;
	words_print(pr, ROLE_WORD, spec->words & signs);
	if (words & WORD_LONG_LONG)
		puts_out(pr, "long long ");
	words_print(pr, ROLE_WORD, words);
	if (spec->name)
		strbuf_printf(pr->out, "%s ", spec->name);
	if (spec->has_body) {
		puts_out(pr, "{ ");
		members_print(pr, spec->members);
		enumerators_print(pr, spec->enumerators);
		puts_out(pr, "} ");
	}
	attributes_print(pr, &spec->body);
	attributes_print(pr, &spec->attributes);
	if (spec->repeated)
		puts_out(pr, "(contradictory) ");
	pr->out->text[--pr->out->len] = '\0'; /* the last blank */
}

void params_print(struct printer *pr, const struct param_node *param, bool varargs)
{
	for (; param; param = param->next) {
		if (param->declarator->name)
			strbuf_printf(pr->out, "%s: ", param->declarator->name);
		type_node_print(pr, param->spec, param->declarator);
		puts_out(pr, param->next || varargs ? ", " : "");
	}
	puts_out(pr, varargs ? "..." : "");
}

static void part_print(struct printer *pr, const struct declarator_part *part)
{
	switch (part->kind) {
	case PART_POINTER:
		words_print(pr, ROLE_QUALIFIER, part->qualifiers);
		puts_out(pr, "pointer to ");
		break;
	case PART_ARRAY:
		puts_out(pr, "array [");
		if (part->size)
			expr_print(pr, part->size);
		params_print(pr, part->params, part->varargs);
		puts_out(pr, "] of ");
		break;
	case PART_FUNCTION:
		puts_out(pr, "function (");
		params_print(pr, part->params, part->varargs);
		puts_out(pr, ") returning ");
		break;
	}
}

void type_node_print(struct printer *pr, const struct type_spec *spec, const struct declarator *d)
{
	for (const struct declarator_part *part = d ? d->parts : NULL; part; part = part->next)
		part_print(pr, part);
	spec_print(pr, spec);
	if (d && has_attributes(&d->attributes)) {
		strbuf_putc(pr->out, ' ');
		attributes_print(pr, &d->attributes);
		pr->out->text[--pr->out->len] = '\0';
	}
	if (d && d->bit_width) {
		puts_out(pr, " : ");
		expr_print(pr, d->bit_width);
	}
}
