/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions as D with all their parentheses */
#include <inttypes.h>

#include "syntax/print/print.h"

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
	puts_out(pr, n->integer.negative ? "(-" : "");
	strbuf_printf(pr->out, fmt, n->integer.value);
	puts_out(pr, suffixes[n->integer.suffix]);
	puts_out(pr, n->integer.negative ? ")" : "");
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
	type_node_print(pr, t->spec, t->declarator);
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
		strbuf_printf(pr->out, "has(%s)", n->has.name ? n->has.name : "?");
	for (const struct member_name *m = n->has.members; m; m = m->next)
		strbuf_printf(pr->out, ".%s", m->name ? m->name : "?");
}

void expr_print(struct printer *pr, const struct node *n)
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
		for (const struct translator_member *m = n->cast.with; m; m = m->next) {
			strbuf_printf(pr->out, " with %s = ", m->name);
			expr_print(pr, m->value);
		}
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
	default: /* statements and items are not expressions */
		break;
	}
}
