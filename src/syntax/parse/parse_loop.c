/* SPDX-License-Identifier: BSD-2-Clause */
/* parse_loop - for, while, foreach, break and continue */
#include "syntax/parse/parser.h"

/* A condition that is left out: always. */
static struct node *condition_absent(struct parser *p)
{
	struct node *n = node_new(p, NODE_INTEGER, p->token.range);
	n->integer.value = 1;
	n->integer.decimal = true;
	return n;
}

static struct node *expression_node(struct parser *p)
{
	struct node *n = node_new(p, NODE_EXPRESSION, p->token.range);
	n->statement.expr = parse_expression(p);
	n->range = n->statement.expr->range;
	return n;
}

static struct node *loop_body(struct parser *p, struct node *loop)
{
	loop->if_.then = parse_branch(p);
	loop->range = parser_range(p, loop->range);
	return loop;
}

/* The first part becomes a statement of its own before the loop. */
static struct node *parse_for(struct parser *p)
{
	struct node *first = NULL, *loop = node_new(p, NODE_LOOP, p->token.range);
	parser_advance(p);
	parser_expect(p, TOKEN_LPAREN);
	if (!parser_at(p, TOKEN_SEMICOLON))
		first = expression_node(p);
	parser_expect(p, TOKEN_SEMICOLON);
	loop->if_.condition =
		parser_at(p, TOKEN_SEMICOLON) ? condition_absent(p) : parse_expression(p);
	parser_expect(p, TOKEN_SEMICOLON);
	if (!parser_at(p, TOKEN_RPAREN))
		loop->if_.otherwise = expression_node(p);
	parser_expect(p, TOKEN_RPAREN);
	loop_body(p, loop);
	if (first)
		first->next = loop;
	return first ? first : loop;
}

static struct node *parse_while(struct parser *p)
{
	struct node *loop = node_new(p, NODE_LOOP, p->token.range);
	parser_advance(p);
	loop->if_.condition = parse_in_parentheses(p);
	return loop_body(p, loop);
}

/* `foreach` and `in` are words only here. */
static bool at_foreach(const struct parser *p)
{
	return parser_at(p, TOKEN_IDENT) && string_equal(p->token.text, "foreach") &&
	       lexer_char_after(&p->lexer, &p->token) == '(';
}

static struct member_name *foreach_names(struct parser *p)
{
	struct member_name *first = NULL, **end = &first;
	do {
		if (parser_at(p, KEYWORD_THIS))
			parser_fail(p,
				    "foreach (KEY, KEY in ARRAY): the keys are plain names, which "
				    "are variables of the loop");
		if (!parser_at(p, TOKEN_IDENT))
			parser_fail(p, "foreach (KEY, KEY in ARRAY): a name of a key is missing");
		*end = ARENA_NEW(p->arena, struct member_name);
		(*end)->name = parser_at(p, TOKEN_IDENT) ? p->token.text : "";
		end = &(*end)->next;
		parser_advance(p);
	} while (parser_accept(p, TOKEN_COMMA));
	return first;
}

static void foreach_keys(struct parser *p, struct node *loop)
{
	loop->if_.names = foreach_names(p);
	if (!parser_at(p, TOKEN_IDENT) || !string_equal(p->token.text, "in"))
		parser_fail(p, "foreach (KEY, KEY in ARRAY): in is missing");
	parser_advance(p);
}

static struct node *parse_foreach(struct parser *p)
{
	struct node *loop = node_new(p, NODE_FOREACH, p->token.range);
	parser_advance(p);
	parser_expect(p, TOKEN_LPAREN);
	if (!parser_at(p, KEYWORD_SELF)) /* else it is (self->x), over threads */
		foreach_keys(p, loop);
	loop->if_.condition = parse_expression(p);
	parser_expect(p, TOKEN_RPAREN);
	return loop_body(p, loop);
}

static struct node *parse_leave(struct parser *p)
{
	bool is_break = parser_at(p, KEYWORD_BREAK);
	struct node *n = node_new(p, is_break ? NODE_BREAK : NODE_CONTINUE, p->token.range);
	parser_advance(p);
	if (!parser_at(p, TOKEN_RBRACE))
		parser_expect(p, TOKEN_SEMICOLON);
	return n;
}

bool parser_at_loop(const struct parser *p)
{
	return at_foreach(p) || parser_at(p, KEYWORD_FOR) || parser_at(p, KEYWORD_WHILE) ||
	       parser_at(p, KEYWORD_BREAK) || parser_at(p, KEYWORD_CONTINUE);
}

struct node *parse_loop(struct parser *p)
{
	return parser_at(p, KEYWORD_FOR)     ? parse_for(p)
	       : parser_at(p, KEYWORD_WHILE) ? parse_while(p)
	       : at_foreach(p)		     ? parse_foreach(p)
					     : parse_leave(p);
}
