/* SPDX-License-Identifier: BSD-2-Clause */
/* parse_item - how each item of a program begins; inline definitions, translators and providers */
#include "syntax/parse/parser.h"

static struct node *parse_inline(struct parser *p)
{
	struct node *n = node_new(p, NODE_INLINE, p->token.range);
	n->inline_ = ARENA_NEW(p->arena, struct inline_node);
	parser_advance(p);
	n->inline_->spec = parse_type_spec(p, true);
	n->inline_->declarator = parse_declarator(p);
	/* C's inline: a function, which is nothing to D */
	if (skip_definition(p, n->inline_->spec, n->inline_->declarator))
		return NULL;
	if (parser_in_header(p) && parser_at(p, TOKEN_SEMICOLON)) {
		parser_finish(p, TOKEN_SEMICOLON);
		return NULL;
	}
	parser_expect(p, TOKEN_ASSIGN);
	n->inline_->value = parse_assignment(p);
	parser_finish(p, TOKEN_SEMICOLON);
	n->range = parser_range(p, n->range);
	return n;
}

/* --- translators ---------------------------------------------------------------------- */

static struct translator_member *parse_translator_member(struct parser *p)
{
	struct translator_member *m = ARENA_NEW(p->arena, struct translator_member);
	m->range = p->token.range;
	m->name = parse_member_name(p);
	parser_expect(p, TOKEN_ASSIGN);
	m->value = parse_assignment(p);
	parser_expect(p, TOKEN_SEMICOLON);
	m->range = parser_range(p, m->range);
	return m;
}

static void parse_translator_members(struct parser *p, struct translator_node *t)
{
	struct translator_member **end = &t->members;
	while (parser_in_braces(p)) {
		struct translator_member *m = parse_translator_member(p);
		if (p->panic) {
			parser_recover_inside(p);
			continue;
		}
		*end = m;
		end = &m->next;
	}
}

/* TYPE NAME, or "PATTERN" NAME. */
static void parse_translator_input(struct parser *p, struct translator_node *t)
{
	parser_expect(p, TOKEN_LT);
	if (parser_at(p, TOKEN_STRING)) {
		t->pattern = p->token.text;
		parser_advance(p);
	} else {
		t->input = parse_type_name(p);
	}
	t->input_name = p->token.text;
	if (!parser_at(p, TOKEN_IDENT))
		parser_fail(p, "the name of the translated object is expected");
	parser_advance(p);
	parser_expect(p, TOKEN_GT);
}

static struct node *parse_translator(struct parser *p)
{
	struct node *n = node_new(p, NODE_TRANSLATOR, p->token.range);
	struct translator_node *t = ARENA_NEW(p->arena, struct translator_node);
	n->translator = t;
	parser_advance(p);
	t->output = parse_type_name(p);
	parse_translator_input(p, t);
	if (t->pattern) {
		parser_expect(p, TOKEN_ASSIGN);
		t->value = parse_assignment(p);
	} else {
		parser_expect(p, TOKEN_LBRACE);
		parse_translator_members(p, t);
		parser_expect(p, TOKEN_RBRACE);
	}
	parser_finish(p, TOKEN_SEMICOLON);
	n->range = parser_range(p, n->range);
	return n;
}

/* --- providers ------------------------------------------------------------------------ */

static const char *parse_provider_word(struct parser *p, const char *what)
{
	const char *name = p->token.text;
	if (!parser_at(p, TOKEN_IDENT) && token_role(p->token.kind) == ROLE_NONE)
		parser_fail(p, "the name of a %s is expected", what);
	parser_advance(p);
	return name;
}

static struct param_node *parse_provider_params(struct parser *p)
{
	bool varargs = false;
	struct range begin = p->token.range;
	p->in_probe = true;
	parser_expect(p, TOKEN_LPAREN);
	struct param_node *params = parse_params(p, TOKEN_RPAREN, &varargs);
	p->in_probe = false;
	if (varargs)
		lexer_mistake(&p->lexer, parser_range(p, begin), D_DECL_PROTO_VARARGS,
			      "a probe has a fixed number of arguments: ... cannot be used");
	return params;
}

static struct provider_probe_node *parse_provider_probe(struct parser *p)
{
	struct provider_probe_node *probe = ARENA_NEW(p->arena, struct provider_probe_node);
	probe->range = p->token.range;
	parser_expect(p, KEYWORD_PROBE);
	probe->name = parse_provider_word(p, "probe");
	probe->input = parse_provider_params(p);
	probe->has_output = parser_accept(p, TOKEN_COLON);
	if (probe->has_output)
		probe->output = parse_provider_params(p);
	parser_expect(p, TOKEN_SEMICOLON);
	probe->range = parser_range(p, probe->range);
	return probe;
}

static struct node *parse_provider(struct parser *p)
{
	struct node *n = node_new(p, NODE_PROVIDER, p->token.range);
	n->provider = ARENA_NEW(p->arena, struct provider_node);
	parser_advance(p);
	n->provider->name = parse_provider_word(p, "provider");
	parser_expect(p, TOKEN_LBRACE);
	struct provider_probe_node **end = &n->provider->probes;
	while (parser_in_braces(p)) {
		struct provider_probe_node *probe = parse_provider_probe(p);
		if (p->panic) {
			parser_recover_inside(p);
			continue;
		}
		*end = probe;
		end = &probe->next;
	}
	parser_expect(p, TOKEN_RBRACE);
	/* Definition files for SystemTap's dtrace may leave the semicolon out. */
	if (parser_at(p, TOKEN_SEMICOLON))
		parser_finish(p, TOKEN_SEMICOLON);
	else
		parser_mode(p, LEXER_CLAUSE);
	n->range = parser_range(p, n->range);
	return n;
}

/* --- which item begins here --- */

/* Probes called BEGIN must not send us looking through the kernel's types. */
static bool is_standard_probe(const char *text)
{
	return string_equal(text, "BEGIN") || string_equal(text, "END") ||
	       string_equal(text, "ERROR");
}

/* The name at the beginning of TEXT, if `*` or nothing follows it. */
static const char *possible_type(struct parser *p, const char *text)
{
	size_t len = 0;
	while (char_is_name(text[len]))
		len++;
	if (!len || char_is_digit(*text) || (text[len] && text[len] != '*') ||
	    strpbrk(text, ":-.?!`") || is_standard_probe(text))
		return NULL;
	return arena_strndup(p->arena, text, len);
}

/* vmlinux`struct queue *q; no probe has a backquote, and a word cannot follow one. */
static bool begins_with_scoped_type(const struct parser *p)
{
	const char *tick = strrchr(p->token.text, '`');
	return tick && char_is_letter(lexer_char_after(&p->lexer, &p->token)) &&
	       !strpbrk(p->token.text, ":-?![]$\\");
}

/*
 * Is the probe token rather a type that begins a declaration? After it a clause has `,` `/` or
 * `{`; `foo*,` could be both.
 */
static bool begins_with_type(struct parser *p)
{
	if (p->mode.specifier)
		return false;
	if (begins_with_scoped_type(p))
		return true;
	int next = lexer_char_after(&p->lexer, &p->token);
	bool clause = next == '{' || next == '/' || next < 0;
	bool starred = strchr(p->token.text, '*');
	if (clause || (next == ',' && !starred))
		return false;
	const char *name = possible_type(p, p->token.text);
	return name && parser_is_type(p, name);
}

/* A keyword that begins a declaration; in a specifier, `short/x/` is a probe after all. */
static bool begins_with_keyword(struct parser *p)
{
	const char *name = possible_type(p, p->token.text);
	enum token_kind kind = name ? keyword_find(name) : TOKEN_IDENT;
	enum keyword_role role = token_role(kind);
	if (role != ROLE_WORD && role != ROLE_STORAGE && role != ROLE_QUALIFIER &&
	    role != ROLE_ITEM && role != ROLE_GNU)
		return false;
	if (!p->mode.specifier)
		return true;
	int next = lexer_char_after(&p->lexer, &p->token);
	bool tagless = kind == KEYWORD_STRUCT || kind == KEYWORD_UNION || kind == KEYWORD_ENUM;
	return next >= 0 && next != '/' && next != ',' && (next != '{' || tagless);
}

/* `import x;`, where no probe description can be meant. */
static bool begins_with_reserved(struct parser *p)
{
	const char *name = possible_type(p, p->token.text);
	int next = lexer_char_after(&p->lexer, &p->token);
	return name && (char_is_letter(next) || next == '(') &&
	       token_role(keyword_find(name)) == ROLE_RESERVED;
}

struct node *parse_item(struct parser *p)
{
	if (!parser_at(p, TOKEN_PROBE)) {
		parser_fail(p, "a probe description or a declaration is expected");
		return NULL;
	}
	if (begins_with_reserved(p)) {
		parser_fail(p, "the word %s is reserved, but D has no use for it", p->token.text);
		return NULL;
	}
	if (!begins_with_keyword(p) && !begins_with_type(p))
		return parse_clause(p);
	parser_mode(p, LEXER_EXPRESSION);
	if (skip_assertion(p)) {
		parser_finish(p, TOKEN_SEMICOLON);
		return NULL;
	}
	switch (p->token.kind) {
	case KEYWORD_INLINE:
		return parse_inline(p);
	case KEYWORD_TRANSLATOR:
		return parse_translator(p);
	case KEYWORD_PROVIDER:
		return p->mode.formulas ? parse_formula_provider(p) : parse_provider(p);
	default:
		return parse_declaration(p);
	}
}
