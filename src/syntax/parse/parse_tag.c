/* SPDX-License-Identifier: BSD-2-Clause */
/* parse_tag - struct, union, enum */
#include "syntax/parse/parser.h"

static struct declarator *parse_member_declarator(struct parser *p)
{
	struct declarator *d = parser_at(p, TOKEN_COLON) ? declarator_new(p) : parse_declarator(p);
	if (parser_accept(p, TOKEN_COLON))
		d->bit_width = parse_conditional(p);
	parse_attributes(p, &d->attributes);
	d->range = parser_range(p, d->range);
	return d;
}

static struct member_node *parse_tag_member(struct parser *p)
{
	struct member_node *m = ARENA_NEW(p->arena, struct member_node);
	m->spec = parse_type_spec(p, false);
	struct declarator **end = &m->declarators;
	if (!parser_at(p, TOKEN_SEMICOLON)) {
		do {
			*end = parse_member_declarator(p);
			end = &(*end)->next;
		} while (parser_accept(p, TOKEN_COMMA));
	}
	parser_expect(p, TOKEN_SEMICOLON);
	return m;
}

static void parse_members(struct parser *p, struct type_spec *spec)
{
	struct member_node **end = &spec->members;
	while (parser_in_braces(p)) {
		if (parser_in_header(p) && parser_accept(p, TOKEN_SEMICOLON)) /* one too many */
			continue;
		struct member_node *m = skip_assertion(p) ? NULL : parse_tag_member(p);
		if (!m)
			parser_expect(p, TOKEN_SEMICOLON);
		if (p->panic) {
			parser_recover_inside(p);
			continue;
		}
		*end = m;
		end = m ? &m->next : end;
	}
}

static struct enumerator_node *parse_enumerator(struct parser *p)
{
	struct enumerator_node *e = ARENA_NEW(p->arena, struct enumerator_node);
	e->range = p->token.range;
	e->name = p->token.text;
	parser_advance(p);
	struct layout_attributes none = { 0 };
	parse_attributes(p, &none);
	if (parser_accept(p, TOKEN_ASSIGN))
		e->value = parse_conditional(p);
	e->range = parser_range(p, e->range);
	return e;
}

static void parse_enumerators(struct parser *p, struct type_spec *spec)
{
	struct enumerator_node **end = &spec->enumerators;
	while (parser_at(p, TOKEN_IDENT)) {
		*end = parse_enumerator(p);
		end = &(*end)->next;
		if (!parser_accept(p, TOKEN_COMMA))
			break;
	}
	if (!spec->enumerators)
		parser_fail(p, "an enum has at least one name");
	else if (!parser_at(p, TOKEN_RBRACE))
		parser_fail(p, "a name, a comma or } is expected in an enum");
	if (p->panic)
		parser_recover_inside(p);
}

void parse_tagged(struct parser *p, struct type_spec *spec)
{
	if (!parser_enter(p))
		return;
	parse_attributes(p, &spec->body);
	if (parser_at(p, TOKEN_IDENT) || parser_at_d_word(p)) {
		spec->name = p->token.text;
		parser_advance(p);
	}
	spec->pack = p->lexer.pack;
	spec->has_body = parser_accept(p, TOKEN_LBRACE);
	if (!spec->has_body && !spec->name)
		parser_fail(p, "a tag or { must follow struct, union and enum");
	if (spec->has_body) {
		if (spec->words & WORD_ENUM)
			parse_enumerators(p, spec);
		else
			parse_members(p, spec);
		parser_expect(p, TOKEN_RBRACE);
		parse_attributes(p, &spec->body);
	}
	parser_leave(p);
}
