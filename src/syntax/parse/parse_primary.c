/* SPDX-License-Identifier: BSD-2-Clause */
/* Primary expressions: constants, names, expressions in parentheses or after a keyword */
#include <string.h>

#include "syntax/parse/parser.h"

static struct node *parse_integer(struct parser *p)
{
	const struct token *t = &p->token;
	struct node *n = node_new(p, NODE_INTEGER, t->range);
	n->integer.value = t->integer.value;
	n->integer.decimal = t->integer.decimal;
	n->integer.character = t->integer.character;
	n->integer.negative = t->integer.negative;
	n->integer.suffix = t->integer.suffix;
	parser_advance(p);
	return n;
}

static struct node *parse_string(struct parser *p)
{
	struct node *n = node_new(p, NODE_STRING, p->token.range);
	n->string.text = p->token.text;
	n->string.len = p->token.text_len;
	n->string.is_argument = p->token.is_argument;
	parser_advance(p);
	return n;
}

static struct node *parse_identifier(struct parser *p)
{
	struct node *n = node_new(p, NODE_IDENT, p->token.range);
	n->ident.name = p->token.text;
	parser_advance(p);
	return n;
}

/* self->x, this->x; in formulas self.x */
static struct node *parse_scoped(struct parser *p)
{
	struct node *n = node_new(p, NODE_SCOPED, p->token.range);
	n->ident.scope = parser_at(p, KEYWORD_SELF) ? SCOPE_SELF : SCOPE_THIS;
	const char *word = p->token.text;
	parser_advance(p);
	if (p->mode.formulas && n->ident.scope == SCOPE_SELF && parser_at(p, TOKEN_DOT)) {
		p->has_self = true;
	} else if (!parser_at(p, TOKEN_ARROW)) {
		parser_fail(p, "%s must be followed by -> and a variable's name", word);
		return node_poison(p);
	}
	parser_advance(p);
	n->ident.name = parse_member_name(p);
	n->range = parser_range(p, n->range);
	return p->panic ? node_poison(p) : n;
}

static struct node *parse_aggregation(struct parser *p)
{
	struct node *n = node_new(p, NODE_AGGREGATION, p->token.range);
	n->aggregation.name = p->token.text;
	parser_advance(p);
	if (parser_accept(p, TOKEN_LBRACKET)) {
		n->aggregation.has_keys = true;
		n->aggregation.keys = parse_arguments(p, n, TOKEN_RBRACKET);
	}
	while (parser_accept(p, TOKEN_LBRACKET)) {
		n->aggregation.many_indexes = true;
		parse_arguments(p, n, TOKEN_RBRACKET);
	}
	n->range = parser_range(p, n->range);
	return n;
}

struct node *parse_in_parentheses(struct parser *p)
{
	parser_expect(p, TOKEN_LPAREN);
	struct node *n = parse_expression(p);
	parser_expect(p, TOKEN_RPAREN);
	return n;
}

/* The parentheses are part of its range. */
static struct node *parse_parenthesized(struct parser *p)
{
	struct range begin = p->token.range;
	struct node *n = parse_in_parentheses(p);
	n->range = parser_range(p, begin);
	return n;
}

const char *parse_member_name(struct parser *p)
{
	const struct token *t = &p->token;
	bool word = parser_at(p, TOKEN_IDENT) || token_role(t->kind) != ROLE_NONE;
	if (!word || strchr(t->text, '`')) {
		parser_fail_tag(p, D_OP_IDENT, "a name must follow . and ->");
		return NULL;
	}
	const char *name = t->text;
	parser_advance(p);
	return name;
}

static struct node *parse_offsetof(struct parser *p)
{
	struct node *n = node_new(p, NODE_OFFSETOF, p->token.range);
	parser_advance(p);
	parser_expect(p, TOKEN_LPAREN);
	n->offset_of.type = parse_type_name(p);
	parser_expect(p, TOKEN_COMMA);
	n->offset_of.member = parse_member_name(p);
	parser_expect(p, TOKEN_RPAREN);
	n->range = parser_range(p, n->range);
	return n;
}

/*
 * has(struct task_struct.__state), has(struct bio), has(BIO_CLONED), has(vmlinux`avenrun): our
 * extension, for D libraries for several kernels.  The word is not a keyword: has without a type in
 * parentheses is a name.
 */
static bool at_has(struct parser *p)
{
	if (!string_equal(p->token.text, "has") || parser_peek(p, 1) != TOKEN_LPAREN)
		return false;
	enum token_kind first = parser_peek(p, 2), second = parser_peek(p, 3);
	return parser_type_at(p, 2, TYPE_IN_SIZEOF) ||
	       (first == TOKEN_IDENT && (second == TOKEN_RPAREN || second == TOKEN_DOT));
}

/* A name that is no type: an enumerator, a function, a symbol with its module. */
static const char *parse_has_name(struct parser *p)
{
	const char *name = p->token.text;
	parser_advance(p);
	return name;
}

static struct node *parse_has(struct parser *p)
{
	struct node *n = node_new(p, NODE_HAS, p->token.range);
	parser_advance(p);
	parser_expect(p, TOKEN_LPAREN);
	if (!parser_at(p, TOKEN_IDENT) || parser_is_type(p, p->token.text))
		n->has.type = parse_type_name(p);
	else
		n->has.name = parse_has_name(p);
	struct member_name **end = &n->has.members;
	while (parser_accept(p, TOKEN_DOT)) {
		*end = ARENA_NEW(p->arena, struct member_name);
		(*end)->name = parse_member_name(p);
		end = &(*end)->next;
	}
	parser_expect(p, TOKEN_RPAREN);
	n->range = parser_range(p, n->range);
	return n;
}

static struct node *parse_xlate(struct parser *p)
{
	struct node *n = node_new(p, NODE_XLATE, p->token.range);
	parser_advance(p);
	parser_expect(p, TOKEN_LT);
	n->cast.type = parse_type_name(p);
	parser_expect(p, TOKEN_GT);
	n->cast.operand = parse_in_parentheses(p);
	node_adopt(p, n, n->cast.operand);
	n->cast.with = parse_with(p);
	for (const struct translator_member *m = n->cast.with; m; m = m->next)
		node_adopt(p, n, m->value);
	n->range = parser_range(p, n->range);
	return n;
}

static struct node *expression_missing(struct parser *p)
{
	if (token_role(p->token.kind) == ROLE_RESERVED)
		parser_fail(p, "the word %s is reserved, but D has no use for it", p->token.text);
	else if (token_role(p->token.kind) == ROLE_WORD)
		parser_fail(p, "an expression is expected, not a type");
	else if (parser_at(p, KEYWORD_PROBE))
		parser_fail(p, "an expression is expected; the probe's name is probename, its "
			       "function probefunc");
	else
		parser_fail(p, "an expression is expected");
	return node_poison(p);
}

struct node *parse_primary(struct parser *p)
{
	switch (p->token.kind) {
	case TOKEN_INTEGER:
		return parse_integer(p);
	case TOKEN_STRING:
		return parse_string(p);
	case TOKEN_IDENT:
		return at_has(p) ? parse_has(p) : parse_identifier(p);
	case TOKEN_AGGREGATION:
		return parse_aggregation(p);
	case TOKEN_LPAREN:
		return parse_parenthesized(p);
	case KEYWORD_SELF:
	case KEYWORD_THIS:
		return parse_scoped(p);
	case KEYWORD_OFFSETOF:
		return parse_offsetof(p);
	case KEYWORD_XLATE:
		return parse_xlate(p);
	default:
		return expression_missing(p);
	}
}
