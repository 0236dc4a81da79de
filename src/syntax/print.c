/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print - the tree as text
 *
 * One line per item, statement or member, indented by its depth.  Expressions
 * are written as D with all their parentheses, types as sentences:
 *
 *   clause
 *     probe syscall::read:entry
 *     predicate (pid == 12)
 *     do (self->x = cast<pointer to struct foo>(arg0)->y)
 */
#include <inttypes.h>

#include "syntax/lexer.h"

static const char *const op_texts[] = {
	[OP_NONE] = "",	     [OP_ADD] = "+",	  [OP_SUB] = "-",     [OP_MUL] = "*",
	[OP_DIV] = "/",	     [OP_MOD] = "%",	  [OP_SHL] = "<<",    [OP_SHR] = ">>",
	[OP_AND] = "&",	     [OP_OR] = "|",	  [OP_XOR] = "^",     [OP_LT] = "<",
	[OP_LE] = "<=",	     [OP_GT] = ">",	  [OP_GE] = ">=",     [OP_EQ] = "==",
	[OP_NE] = "!=",	     [OP_LAND] = "&&",	  [OP_LOR] = "||",    [OP_LXOR] = "^^",
	[OP_NEG] = "-",	     [OP_PLUS] = "+",	  [OP_NOT] = "~",     [OP_LNOT] = "!",
	[OP_DEREF] = "*",    [OP_ADDROF] = "&",	  [OP_PREINC] = "++", [OP_PREDEC] = "--",
	[OP_POSTINC] = "++", [OP_POSTDEC] = "--", [OP_COMMA] = ",",
};

const char *op_text(enum op op)
{
	return op_texts[op];
}

struct printer {
	struct strbuf *out;
	unsigned indent;
};

static void expr_print(struct printer *pr, const struct node *n);
static void type_print(struct printer *pr, const struct type_spec *spec,
		       const struct declarator *d);

static void line_begin(struct printer *pr)
{
	strbuf_fill(pr->out, ' ', (size_t)pr->indent * 2);
}

static void puts_out(struct printer *pr, const char *s)
{
	strbuf_puts(pr->out, s ? s : "?");
}

/* --- expressions ---------------------------------------------------------------------- */

static void list_print(struct printer *pr, const struct node *n)
{
	for (; n; n = n->next) {
		expr_print(pr, n);
		if (n->next)
			puts_out(pr, ", ");
	}
}

static void integer_print(struct printer *pr, const struct node *n)
{
	static const char *const suffixes[] = { "", "u", "l", "ul", "ll", "ull" };
	const char *fmt = n->integer.character ? "char(0x%" PRIx64 ")"
			  : n->integer.decimal ? "%" PRIu64
					       : "0x%" PRIx64;
	strbuf_printf(pr->out, fmt, n->integer.value);
	puts_out(pr, suffixes[n->integer.suffix]);
}

static void string_print(struct printer *pr, const struct node *n)
{
	strbuf_putc(pr->out, '"');
	for (uint32_t i = 0; i < n->string.len; i++) {
		char c = n->string.text[i];
		if (c == '"' || c == '\\')
			strbuf_printf(pr->out, "\\%c", c);
		else if (c == '\n')
			puts_out(pr, "\\n");
		else if (c >= ' ' && c <= '~')
			strbuf_putc(pr->out, c);
		else
			strbuf_printf(pr->out, "\\%03o", (unsigned char)c);
	}
	strbuf_putc(pr->out, '"');
}

static void unary_print(struct printer *pr, const struct node *n)
{
	bool postfix = n->unary.op == OP_POSTINC || n->unary.op == OP_POSTDEC;
	strbuf_putc(pr->out, '(');
	if (!postfix)
		puts_out(pr, op_text(n->unary.op));
	expr_print(pr, n->unary.operand);
	if (postfix)
		puts_out(pr, op_text(n->unary.op));
	strbuf_putc(pr->out, ')');
}

static void pair_print(struct printer *pr, const struct node *left, const char *op,
		       const char *assign, const struct node *right)
{
	strbuf_putc(pr->out, '(');
	expr_print(pr, left);
	strbuf_printf(pr->out, "%s%s%s ", *op == ',' ? "" : " ", op, assign);
	expr_print(pr, right);
	strbuf_putc(pr->out, ')');
}

static void conditional_print(struct printer *pr, const struct node *n)
{
	strbuf_putc(pr->out, '(');
	expr_print(pr, n->conditional.condition);
	puts_out(pr, " ? ");
	expr_print(pr, n->conditional.then);
	puts_out(pr, " : ");
	expr_print(pr, n->conditional.otherwise);
	strbuf_putc(pr->out, ')');
}

/* BASE followed by ARGS in brackets or parentheses. */
static void applied_print(struct printer *pr, const struct node *base, char open,
			  const struct node *args, char close)
{
	expr_print(pr, base);
	strbuf_putc(pr->out, open);
	list_print(pr, args);
	strbuf_putc(pr->out, close);
}

static void aggregation_print(struct printer *pr, const struct node *n)
{
	strbuf_printf(pr->out, "@%s", n->aggregation.name);
	if (n->aggregation.has_keys) {
		strbuf_putc(pr->out, '[');
		list_print(pr, n->aggregation.keys);
		strbuf_putc(pr->out, ']');
	}
	if (n->aggregation.many_indexes)
		puts_out(pr, "[...]");
}

/* WORD<type> */
static void type_applied_print(struct printer *pr, const char *word, const struct type_name *t)
{
	strbuf_printf(pr->out, "%s<", word);
	type_print(pr, t->spec, t->declarator);
	strbuf_putc(pr->out, '>');
}

static void word_print(struct printer *pr, const char *word, const struct node *operand)
{
	strbuf_printf(pr->out, "%s(", word);
	expr_print(pr, operand);
	strbuf_putc(pr->out, ')');
}

static void has_print(struct printer *pr, const struct node *n)
{
	if (n->has.type)
		type_applied_print(pr, "has", n->has.type);
	else
		puts_out(pr, "has<?>");
	for (const struct member_name *m = n->has.members; m; m = m->next)
		strbuf_printf(pr->out, ".%s", m->name ? m->name : "?");
}

static void expr_print(struct printer *pr, const struct node *n)
{
	switch (n->kind) {
	case NODE_INTEGER:
		integer_print(pr, n);
		break;
	case NODE_STRING:
		string_print(pr, n);
		break;
	case NODE_IDENT:
		puts_out(pr, n->ident.name);
		break;
	case NODE_SCOPED:
		puts_out(pr, n->ident.scope == SCOPE_SELF ? "self->" : "this->");
		puts_out(pr, n->ident.name);
		break;
	case NODE_AGGREGATION:
		aggregation_print(pr, n);
		break;
	case NODE_UNARY:
		unary_print(pr, n);
		break;
	case NODE_BINARY:
		pair_print(pr, n->binary.left, op_text(n->binary.op), "", n->binary.right);
		break;
	case NODE_ASSIGN:
		pair_print(pr, n->assign.left, op_text(n->assign.op), "=", n->assign.right);
		break;
	case NODE_CONDITIONAL:
		conditional_print(pr, n);
		break;
	case NODE_CALL:
		applied_print(pr, n->call.callee, '(', n->call.args, ')');
		break;
	case NODE_INDEX:
		applied_print(pr, n->index.base, '[', n->index.args, ']');
		break;
	case NODE_MEMBER:
		expr_print(pr, n->member.base);
		puts_out(pr, n->member.arrow ? "->" : ".");
		puts_out(pr, n->member.name);
		break;
	case NODE_CAST:
	case NODE_XLATE:
		type_applied_print(pr, n->kind == NODE_CAST ? "cast" : "xlate", n->cast.type);
		word_print(pr, "", n->cast.operand);
		break;
	case NODE_ALIGNOF:
		type_applied_print(pr, "alignof", n->type);
		break;
	case NODE_SIZEOF_TYPE:
		type_applied_print(pr, "sizeof", n->type);
		break;
	case NODE_SIZEOF:
		word_print(pr, "sizeof", n->unary.operand);
		break;
	case NODE_STRINGOF:
		word_print(pr, "stringof", n->unary.operand);
		break;
	case NODE_OFFSETOF:
		type_applied_print(pr, "offsetof", n->offset_of.type);
		strbuf_printf(pr->out, ".%s", n->offset_of.member ? n->offset_of.member : "?");
		break;
	case NODE_HAS:
		has_print(pr, n);
		break;
	default: /* statements and items are no expressions */
		break;
	}
}

/* --- types ---------------------------------------------------------------------------------- */

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
			type_print(pr, m->spec, NULL);
		for (const struct declarator *d = m->declarators; d; d = d->next) {
			strbuf_printf(pr->out, "%s: ", d->name ? d->name : "");
			type_print(pr, m->spec, d);
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

static void params_print(struct printer *pr, const struct param_node *param, bool varargs)
{
	for (; param; param = param->next) {
		if (param->declarator->name)
			strbuf_printf(pr->out, "%s: ", param->declarator->name);
		type_print(pr, param->spec, param->declarator);
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

static void type_print(struct printer *pr, const struct type_spec *spec, const struct declarator *d)
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

/* --- statements and items --------------------------------------------------------------------- */

static void line_print(struct printer *pr, const char *word, const struct node *expr)
{
	line_begin(pr);
	puts_out(pr, word);
	expr_print(pr, expr);
	puts_out(pr, "\n");
}

static void statements_print(struct printer *pr, const struct node *n);

static void if_print(struct printer *pr, const struct node *n)
{
	line_print(pr, "if ", n->if_.condition);
	statements_print(pr, n->if_.then);
	if (!n->if_.otherwise)
		return;
	line_begin(pr);
	puts_out(pr, "else\n");
	statements_print(pr, n->if_.otherwise);
}

static void statements_print(struct printer *pr, const struct node *n)
{
	pr->indent++;
	for (; n; n = n->next) {
		if (n->kind == NODE_IF)
			if_print(pr, n);
		else
			line_print(pr, "do ", n->statement.expr);
	}
	pr->indent--;
}

static void pdesc_print(struct printer *pr, const struct pdesc_node *pdesc)
{
	if (pdesc->by_id && pdesc->first_id == pdesc->last_id)
		strbuf_printf(pr->out, "  probe id %u\n", pdesc->first_id);
	else if (pdesc->by_id)
		strbuf_printf(pr->out, "  probe id %u-%u\n", pdesc->first_id, pdesc->last_id);
	else
		strbuf_printf(pr->out, "  probe %s:%s:%s:%s\n", pdesc->provider, pdesc->module,
			      pdesc->function, pdesc->name);
}

static void clause_print(struct printer *pr, const struct clause_node *clause)
{
	puts_out(pr, "clause\n");
	for (const struct pdesc_node *pdesc = clause->pdescs; pdesc; pdesc = pdesc->next)
		pdesc_print(pr, pdesc);
	pr->indent = 1;
	if (clause->predicate)
		line_print(pr, "predicate ", clause->predicate);
	pr->indent = 0;
	if (clause->has_body && !clause->body)
		puts_out(pr, "  empty body\n");
	statements_print(pr, clause->body);
}

static void declaration_print(struct printer *pr, const struct declaration_node *declaration)
{
	const char *word = declaration->in_header ? "declaration in header" : "declaration";
	const struct declarator *d = declaration->declarators;
	do {
		strbuf_printf(pr->out, "%s %s%s", word, d && d->name ? d->name : "", d ? ": " : "");
		type_print(pr, declaration->spec, d);
		puts_out(pr, "\n");
		d = d ? d->next : NULL;
	} while (d);
}

static void inline_print(struct printer *pr, const struct inline_node *n)
{
	strbuf_printf(pr->out, "inline %s: ", n->declarator->name);
	type_print(pr, n->spec, n->declarator);
	puts_out(pr, " = ");
	expr_print(pr, n->value);
	puts_out(pr, "\n");
}

static void translator_print(struct printer *pr, const struct translator_node *t)
{
	puts_out(pr, "translator ");
	type_print(pr, t->output->spec, t->output->declarator);
	strbuf_printf(pr->out, " from %s: ", t->input_name);
	type_print(pr, t->input->spec, t->input->declarator);
	puts_out(pr, "\n");
	for (const struct translator_member *m = t->members; m; m = m->next) {
		strbuf_printf(pr->out, "  %s = ", m->name);
		expr_print(pr, m->value);
		puts_out(pr, "\n");
	}
}

static void provider_print(struct printer *pr, const struct provider_node *provider)
{
	strbuf_printf(pr->out, "provider %s\n", provider->name);
	for (const struct provider_probe_node *probe = provider->probes; probe;
	     probe = probe->next) {
		strbuf_printf(pr->out, "  probe %s (", probe->name);
		params_print(pr, probe->input, false);
		puts_out(pr, probe->has_output ? ") : (" : ")");
		params_print(pr, probe->output, false);
		puts_out(pr, probe->has_output ? ")\n" : "\n");
	}
}

static void item_print(struct printer *pr, const struct node *n)
{
	switch (n->kind) {
	case NODE_CLAUSE:
		clause_print(pr, n->clause);
		break;
	case NODE_DECLARATION:
		declaration_print(pr, n->declaration);
		break;
	case NODE_INLINE:
		inline_print(pr, n->inline_);
		break;
	case NODE_TRANSLATOR:
		translator_print(pr, n->translator);
		break;
	case NODE_PROVIDER:
		provider_print(pr, n->provider);
		break;
	default: /* others stand inside items */
		break;
	}
}

void syntax_print(const struct program_node *p, struct strbuf *out)
{
	struct printer pr = { .out = out };
	for (const struct pragma_node *pragma = p->pragmas; pragma; pragma = pragma->next) {
		puts_out(&pr, "pragma");
		for (size_t i = 0; i < ARRAY_SIZE(pragma->words) && pragma->words[i]; i++)
			strbuf_printf(out, " %s", pragma->words[i]);
		puts_out(&pr, "\n");
	}
	for (const struct node *n = p->items; n; n = n->next)
		item_print(&pr, n);
}
