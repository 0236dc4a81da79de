/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_gnu - syntax of C headers that D does not have
 *
 * D needs only the types of an included header.  So this is the rule for the rest:
 *
 *   - attributes are skipped, except those of the layout or of another type: packed, aligned,
 *     mode, vector_size;
 *   - _Atomic has no meaning in D;
 *   - __extension__, __asm__ names, _Noreturn and _Static_assert have no meaning in D;
 *   - the bodies of functions and the values of static objects are skipped, and
 *     the names that they define are not D's: D cannot call them, and they are not part
 *     of the kernel;
 *   - words that only D reserves (self, string, probe) are names there, and names of a probe's
 *     parameters.
 */
#include <string.h>

#include "syntax/parse/parser.h"

bool parser_at_d_word(const struct parser *p)
{
	bool in_note = p->lexer.source->kind == SOURCE_NOTE; /* a parameter may be alone there */
	if (!parser_in_header(p) && !p->in_probe && !in_note)
		return false;
	switch (p->token.kind) {
	case KEYWORD_COUNTER:
	case KEYWORD_IMPORT:
	case KEYWORD_OFFSETOF:
	case KEYWORD_PROBE:
	case KEYWORD_PROVIDER:
	case KEYWORD_SELF:
	case KEYWORD_STRING:
	case KEYWORD_STRINGOF:
	case KEYWORD_THIS:
	case KEYWORD_TRANSLATOR:
	case KEYWORD_USERLAND:
	case KEYWORD_XLATE:
		return true;
	default:
		return false;
	}
}

/* --- skipping --------------------------------------------------------------------------- */

/* At OPEN: move to its CLOSE. */
static void skip_to_close(struct parser *p, enum token_kind open, enum token_kind close)
{
	unsigned depth = 0;
	p->lexer.quiet = true;
	for (; !p->panic && !parser_at(p, TOKEN_END); parser_advance(p)) {
		depth += parser_at(p, open);
		depth -= parser_at(p, close);
		if (!depth)
			break;
	}
	p->lexer.quiet = false;
}

/* Skip from a `(` past its `)`. */
static void skip_parenthesized(struct parser *p)
{
	if (parser_at(p, TOKEN_LPAREN))
		skip_to_close(p, TOKEN_LPAREN, TOKEN_RPAREN);
	parser_expect(p, TOKEN_RPAREN);
}

/* `= { 1, { 2 } }` up to its comma or semicolon. */
static void skip_value(struct parser *p)
{
	while (!p->panic && !parser_at(p, TOKEN_END) && !parser_at(p, TOKEN_COMMA) &&
	       !parser_at(p, TOKEN_SEMICOLON)) {
		if (parser_at(p, TOKEN_LBRACE))
			skip_to_close(p, TOKEN_LBRACE, TOKEN_RBRACE);
		else if (parser_at(p, TOKEN_LPAREN))
			skip_to_close(p, TOKEN_LPAREN, TOKEN_RPAREN);
		parser_advance(p);
	}
}

bool skip_definition(struct parser *p, const struct type_spec *spec, const struct declarator *d)
{
	if (!parser_in_header(p))
		return false;
	if (parser_at(p, TOKEN_ASSIGN) && (spec->storage & STORAGE_STATIC)) {
		skip_value(p);
		return false;
	}
	if (!parser_at(p, TOKEN_LBRACE) || !d->parts || d->parts->kind != PART_FUNCTION)
		return false;
	skip_to_close(p, TOKEN_LBRACE, TOKEN_RBRACE);
	parser_finish(p, TOKEN_RBRACE);
	return true;
}

bool skip_assertion(struct parser *p)
{
	if (!parser_at(p, KEYWORD_STATIC_ASSERT) && !parser_at(p, KEYWORD_ASM))
		return false;
	if (!parser_in_header(p))
		parser_fail(p, "this belongs into C's headers");
	parser_advance(p);
	skip_parenthesized(p);
	return true;
}

/* --- attributes ------------------------------------------------------------------------- */

/* __packed__ is packed. */
static bool is_attribute(const char *text, const char *name)
{
	size_t len = strlen(name);
	if (strncmp(text, "__", 2) == 0)
		text += 2;
	return strncmp(text, name, len) == 0 && (!text[len] || string_equal(text + len, "__"));
}

static struct node *parse_argument(struct parser *p)
{
	parser_expect(p, TOKEN_LPAREN);
	struct node *argument = parse_conditional(p);
	parser_expect(p, TOKEN_RPAREN);
	return argument;
}

static void parse_aligned(struct parser *p, struct layout_attributes *a)
{
	a->aligned = true;
	a->align = parser_at(p, TOKEN_LPAREN) ? parse_argument(p) : NULL;
}

static void parse_mode(struct parser *p, struct layout_attributes *a)
{
	parser_expect(p, TOKEN_LPAREN);
	if (parser_at(p, TOKEN_IDENT))
		a->mode = p->token.text;
	parser_expect(p, TOKEN_IDENT);
	parser_expect(p, TOKEN_RPAREN);
}

static void parse_attribute(struct parser *p, struct layout_attributes *a)
{
	const char *name = p->token.text;
	if (!parser_at(p, TOKEN_IDENT) && token_role(p->token.kind) == ROLE_NONE)
		return; /* may be empty */
	parser_advance(p);
	if (is_attribute(name, "aligned"))
		parse_aligned(p, a);
	else if (is_attribute(name, "mode"))
		parse_mode(p, a);
	else if (is_attribute(name, "vector_size"))
		a->vector = parse_argument(p);
	else if (parser_at(p, TOKEN_LPAREN))
		skip_parenthesized(p);
	a->packed |= is_attribute(name, "packed");
}

static void parse_attribute_list(struct parser *p, struct layout_attributes *a)
{
	parser_expect(p, TOKEN_LPAREN);
	parser_expect(p, TOKEN_LPAREN);
	do
		parse_attribute(p, a);
	while (parser_accept(p, TOKEN_COMMA));
	parser_expect(p, TOKEN_RPAREN);
	parser_expect(p, TOKEN_RPAREN);
}

void parse_attributes(struct parser *p, struct layout_attributes *ret)
{
	for (;;) {
		if (parser_accept(p, KEYWORD_ATTRIBUTE))
			parse_attribute_list(p, ret);
		else if (parser_accept(p, KEYWORD_ASM))
			skip_parenthesized(p);
		else if (!parser_accept(p, KEYWORD_EXTENSION) &&
			 !parser_accept(p, KEYWORD_NORETURN))
			return;
	}
}
