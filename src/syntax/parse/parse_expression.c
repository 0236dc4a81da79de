/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Expressions, from the loosest operator to the tightest:
 *
 *   expression -> assignment -> conditional -> binary -> cast -> unary -> postfix -> primary
 *
 * Binary operators share one rule that climbs the levels of token.def.  The primary ones are in
 * parse_primary.c.
 */
#include "syntax/parse/parser.h"

static struct node *parse_cast(struct parser *p);

struct node *node_poison(struct parser *p)
{
	return node_new(p, NODE_INTEGER, p->previous);
}

void node_adopt(struct parser *p, struct node *parent, const struct node *child)
{
	if (!child)
		return;
	parent->height = MAX(parent->height, child->height + 1);
	if (parent->height >= HEIGHT_MAX)
		parser_fail(p, "this expression has too many operators");
}

struct node *node_unary(struct parser *p, enum node_kind kind, enum op op, struct range range,
			struct node *operand)
{
	struct node *n = node_new(p, kind, parser_range(p, range));
	n->unary.op = op;
	n->unary.operand = operand;
	node_adopt(p, n, operand);
	return n;
}

static struct node *binary_new(struct parser *p, enum op op, struct node *left, struct node *right)
{
	struct node *n = node_new(p, NODE_BINARY, range_join(left->range, right->range));
	n->binary.op = op;
	n->binary.left = left;
	n->binary.right = right;
	node_adopt(p, n, left);
	node_adopt(p, n, right);
	return n;
}

struct node *parse_arguments(struct parser *p, struct node *parent, enum token_kind end)
{
	struct node *first = NULL, **last = &first;
	do {
		*last = parse_assignment(p);
		node_adopt(p, parent, *last);
		last = &(*last)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	parser_expect(p, end);
	return first;
}

/* --- postfix -------------------------------------------------------------------------- */

static struct node *parse_index(struct parser *p, struct node *base)
{
	struct node *n = node_new(p, NODE_INDEX, base->range);
	parser_advance(p);
	n->index.base = base;
	n->index.args = parse_arguments(p, n, TOKEN_RBRACKET);
	return n;
}

static struct node *parse_call(struct parser *p, struct node *callee)
{
	struct node *n = node_new(p, NODE_CALL, callee->range);
	parser_advance(p);
	n->call.callee = callee;
	p->has_exists |= callee->kind == NODE_IDENT && string_equal(callee->ident.name, "exists");
	if (!parser_accept(p, TOKEN_RPAREN))
		n->call.args = parse_arguments(p, n, TOKEN_RPAREN);
	return n;
}

static struct node *parse_member_access(struct parser *p, struct node *base)
{
	struct node *n = node_new(p, NODE_MEMBER, base->range);
	n->member.base = base;
	n->member.arrow = parser_at(p, TOKEN_ARROW);
	parser_advance(p);
	n->member.name_range = p->token.range;
	n->member.name = parse_member_name(p);
	return n;
}

static struct node *parse_postfix_step(struct parser *p, struct node *base)
{
	bool increment = parser_at(p, TOKEN_INCREMENT);
	switch (p->token.kind) {
	case TOKEN_LBRACKET:
		return parse_index(p, base);
	case TOKEN_LPAREN:
		return parse_call(p, base);
	case TOKEN_DOT:
	case TOKEN_ARROW:
		return parse_member_access(p, base);
	case TOKEN_INCREMENT:
	case TOKEN_DECREMENT:
		parser_advance(p);
		return node_unary(p, NODE_UNARY, increment ? OP_POSTINC : OP_POSTDEC, base->range,
				  base);
	default:
		return NULL;
	}
}

static struct node *parse_postfix(struct parser *p)
{
	struct node *base = parse_primary(p);
	for (;;) {
		struct node *outer = parse_postfix_step(p, base);
		if (!outer)
			return base;
		node_adopt(p, outer, base);
		outer->range = parser_range(p, outer->range);
		base = outer;
	}
}

/* --- unary and casts -------------------------------------------------------------------- */

static enum op unary_op(enum token_kind kind)
{
	switch (kind) {
	case TOKEN_AMPERSAND:
		return OP_ADDROF;
	case TOKEN_STAR:
		return OP_DEREF;
	case TOKEN_PLUS:
		return OP_PLUS;
	case TOKEN_MINUS:
		return OP_NEG;
	case TOKEN_TILDE:
		return OP_NOT;
	case TOKEN_EXCLAMATION:
		return OP_LNOT;
	case TOKEN_INCREMENT:
		return OP_PREINC;
	case TOKEN_DECREMENT:
		return OP_PREDEC;
	default:
		return OP_NONE;
	}
}

static struct node *parse_sizeof(struct parser *p)
{
	struct range begin = p->token.range;
	parser_advance(p);
	if (!parser_at(p, TOKEN_LPAREN) || !parser_type_at(p, 1, TYPE_IN_SIZEOF))
		return node_unary(p, NODE_SIZEOF, OP_NONE, begin, parse_cast(p));

	struct node *n = node_new(p, NODE_SIZEOF_TYPE, begin);
	parser_advance(p);
	n->type = parse_type_name(p);
	parser_expect(p, TOKEN_RPAREN);
	n->range = parser_range(p, begin);
	return n;
}

static struct node *parse_alignof(struct parser *p)
{
	struct node *n = node_new(p, NODE_ALIGNOF, p->token.range);
	parser_advance(p);
	parser_expect(p, TOKEN_LPAREN);
	n->type = parse_type_name(p);
	parser_expect(p, TOKEN_RPAREN);
	n->range = parser_range(p, n->range);
	return n;
}

static struct node *parse_unary(struct parser *p)
{
	struct range begin = p->token.range;
	enum op op = unary_op(p->token.kind);
	if (op) {
		parser_advance(p);
		return node_unary(p, NODE_UNARY, op, begin, parse_cast(p));
	}
	if (parser_at(p, KEYWORD_SIZEOF))
		return parse_sizeof(p);
	if (parser_at(p, KEYWORD_ALIGNOF))
		return parse_alignof(p);
	if (parser_accept(p, KEYWORD_STRINGOF))
		return node_unary(p, NODE_STRINGOF, OP_NONE, begin, parse_cast(p));
	return parse_postfix(p);
}

static struct node *parse_type_cast(struct parser *p)
{
	struct node *n = node_new(p, NODE_CAST, p->token.range);
	parser_advance(p);
	n->cast.type = parse_type_name(p);
	parser_expect(p, TOKEN_RPAREN);
	n->cast.operand = parse_cast(p);
	node_adopt(p, n, n->cast.operand);
	n->range = parser_range(p, n->range);
	return n;
}

static struct node *parse_cast(struct parser *p)
{
	if (!parser_enter(p))
		return node_poison(p);
	bool cast = parser_at(p, TOKEN_LPAREN) && parser_type_at(p, 1, TYPE_IN_CAST);
	struct node *n = cast ? parse_type_cast(p) : parse_unary(p);
	parser_leave(p);
	return n;
}

/* --- binary, conditional, assignment, comma ------------------------------------------------ */

static struct node *parse_binary(struct parser *p, unsigned level)
{
	struct node *left = parse_cast(p);
	for (;;) {
		enum token_kind kind = p->token.kind;
		unsigned found = token_level(kind);
		if (found < level || found == ASSIGNS)
			return left;
		parser_advance(p);
		left = binary_new(p, token_op(kind), left, parse_binary(p, found + 1));
	}
}

static struct node *parse_branches(struct parser *p, struct node *condition)
{
	struct node *n = node_new(p, NODE_CONDITIONAL, condition->range);
	parser_advance(p);
	n->conditional.condition = condition;
	n->conditional.then = parse_expression(p);
	parser_expect(p, TOKEN_COLON);
	n->conditional.otherwise = parse_conditional(p);
	node_adopt(p, n, condition);
	node_adopt(p, n, n->conditional.then);
	node_adopt(p, n, n->conditional.otherwise);
	n->range = parser_range(p, n->range);
	return n;
}

struct node *parse_conditional(struct parser *p)
{
	if (!parser_enter(p))
		return node_poison(p);
	struct node *n = parse_binary(p, 1);
	if (parser_at(p, TOKEN_QUESTION))
		n = parse_branches(p, n);
	parser_leave(p);
	return n;
}

struct node *parse_assignment(struct parser *p)
{
	struct node *left = parse_conditional(p);
	enum token_kind kind = p->token.kind;
	if (token_level(kind) != ASSIGNS || !parser_enter(p))
		return left;
	parser_advance(p);
	struct node *n = node_new(p, NODE_ASSIGN, left->range);
	n->assign.op = token_op(kind);
	n->assign.left = left;
	n->assign.right = parse_assignment(p);
	node_adopt(p, n, left);
	node_adopt(p, n, n->assign.right);
	n->range = parser_range(p, n->range);
	parser_leave(p);
	return n;
}

struct node *parse_expression(struct parser *p)
{
	struct node *left = parse_assignment(p);
	while (parser_accept(p, TOKEN_COMMA))
		left = binary_new(p, OP_COMMA, left, parse_assignment(p));
	return left;
}
