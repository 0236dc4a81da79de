/* SPDX-License-Identifier: BSD-2-Clause */
/* parse_clause - clauses and their statements */
#include "syntax/parse/parser.h"

static struct node *parse_statements(struct parser *p);

static struct node *parse_block(struct parser *p)
{
	parser_expect(p, TOKEN_LBRACE);
	struct node *statements = parse_statements(p);
	parser_expect(p, TOKEN_RBRACE);
	return statements;
}

static struct node *parse_if(struct parser *p)
{
	struct node *n = node_new(p, NODE_IF, p->token.range);
	parser_advance(p);
	n->if_.condition = parse_in_parentheses(p);
	n->if_.then = parse_branch(p);
	if (parser_accept(p, KEYWORD_ELSE))
		n->if_.otherwise = parse_branch(p);
	n->range = parser_range(p, n->range);
	return n;
}

static struct node *statement_misplaced(struct parser *p, const char *why)
{
	parser_fail(p, "%s", why);
	return NULL;
}

/* The body is read all the same, for its own mistakes. */
static struct node *parse_do(struct parser *p)
{
	parser_fail(p, "D has no do: while (1) { ...; if (!(x)) break; }");
	parser_recover_parentheses(p);
	if (parser_in_braces(p))
		parse_branch(p);
	if (parser_at(p, KEYWORD_WHILE))
		parser_recover_parentheses(p);
	return NULL;
}

static struct node *parse_expression_statement(struct parser *p)
{
	struct node *n = node_new(p, NODE_EXPRESSION, p->token.range);
	n->statement.expr = parse_expression(p);
	n->range = n->statement.expr->range;
	if (parser_at(p, TOKEN_RBRACE))
		return n; /* the last one needs no semicolon */
	if (parser_at(p, TOKEN_IDENT) && n->statement.expr->kind == NODE_IDENT)
		parser_fail(p, "declarations belong outside of clauses: write this->x = 1, whose "
			       "type is that of the value; an operator or ; is expected");
	else if (parser_at(p, TOKEN_COLON) && parser_peek(p, 1) == TOKEN_ASSIGN)
		parser_fail(p, "= assigns, without a colon");
	else if (parser_at(p, TOKEN_LBRACE) && n->statement.expr->kind == NODE_CALL)
		parser_fail(p, "D has blocks only after if, else, for and while: ; is missing");
	parser_expect(p, TOKEN_SEMICOLON);
	return n;
}

/* One statement, or NULL for an empty or broken one. */
static struct node *parse_statement(struct parser *p)
{
	enum token_kind kind = p->token.kind;
	if (parser_accept(p, TOKEN_SEMICOLON))
		return NULL;
	if (kind == KEYWORD_IF)
		return parse_if(p);
	if (parser_at_loop(p))
		return parse_loop(p);
	if (kind == KEYWORD_DO)
		return parse_do(p);
	if (kind == KEYWORD_SWITCH)
		return statement_misplaced(p, "D has no switch: use if and else");
	if (kind == KEYWORD_RETURN)
		return statement_misplaced(p, "D has no return: exit() ends tracing, and a "
					      "condition goes into a predicate or an if");
	if (kind == KEYWORD_ELSE)
		return statement_misplaced(p, "this else has no if");
	if (kind == TOKEN_LBRACE)
		return statement_misplaced(p, "a block may only follow if, else, for and while");
	bool scoped = kind == KEYWORD_SELF || kind == KEYWORD_THIS;
	enum keyword_role role = token_role(kind);
	if (role == ROLE_WORD || role == ROLE_QUALIFIER || (role == ROLE_STORAGE && !scoped) ||
	    (scoped && parser_peek(p, 1) != TOKEN_ARROW))
		return statement_misplaced(p,
					   scoped ? "self and this need -> and a name here; "
						    "declarations belong outside of clauses"
						  : "declarations belong outside of clauses: write "
						    "this->x = 1, whose type is that of the value");
	return parse_expression_statement(p);
}

struct node *parse_branch(struct parser *p)
{
	if (!parser_enter(p))
		return NULL;
	struct node *n = parser_at(p, TOKEN_LBRACE) ? parse_block(p) : parse_statement(p);
	parser_leave(p);
	return n;
}

/* Up to the `}`, which is left. */
static struct node *parse_statements(struct parser *p)
{
	struct node *first = NULL, **end = &first;
	while (parser_in_braces(p)) {
		struct node *statement = parse_statement(p);
		if (p->panic)
			parser_recover_inside(p);
		if (!statement)
			continue;
		*end = statement;
		while (*end) /* for (x; ...) is two */
			end = &(*end)->next;
	}
	return first;
}

/* --- clauses ------------------------------------------------------------------------------ */

/* Command-line messages say in which part they are, for lack of a line. */
static void part_begin(struct parser *p, const char *where)
{
	if (p->mode.specifier)
		p->diagnostics->where = where;
}

static struct pdesc_node *parse_probes(struct parser *p)
{
	struct pdesc_node *first = NULL, **end = &first;
	do {
		*end = parse_probe(p);
		while (*end) /* $target makes several of one */
			end = &(*end)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	return first;
}

/* A description, D or one after it, ends at SLASH, which was meant as a part of a path: ./go */
static const char *path_hint(const struct pdesc_node *d, const struct range *slash)
{
	const char *text = slash->source->text;
	if (!d || !slash->begin || text[slash->begin - 1] != '.')
		return "";
	if (strncmp(text + d->range.begin, "usdt:", strlen("usdt:")) == 0)
		return ": static probes of a process are PROVIDER$target:::NAME, with -c or -p";
	return ": a function of a process is pid$target:FILE:FUNCTION:entry, with -c or -p; FILE "
	       "is the file's name or absolute path";
}

/* Of the clause with the descriptions D. */
static struct node *parse_predicate(struct parser *p, const struct pdesc_node *d)
{
	const struct range begin = p->token.range;
	part_begin(p, "in predicate");
	p->lexer.mode = LEXER_EXPRESSION;
	p->lexer.in_predicate = true;
	parser_advance(p);
	struct node *predicate = parse_expression(p);
	p->lexer.in_predicate = false;
	if (parser_at(p, TOKEN_PREDICATE_END))
		p->lexer.mode = LEXER_CLAUSE;
	if (!parser_accept(p, TOKEN_PREDICATE_END))
		parser_fail(p, "the / that ends the predicate is missing%s", path_hint(d, &begin));
	part_begin(p, NULL);
	return predicate;
}

static struct node *parse_body(struct parser *p)
{
	part_begin(p, "in action list");
	p->lexer.mode = LEXER_EXPRESSION;
	parser_advance(p);
	struct node *body = parse_statements(p);
	if (!parser_at(p, TOKEN_RBRACE))
		parser_expect(p, TOKEN_RBRACE);
	part_begin(p, NULL);
	parser_finish(p, TOKEN_RBRACE);
	return body;
}

/* `uint64_t a;`: the description that is also a type, up to its *; NULL: D is not one. */
static const char *type_of_description(struct parser *p, const struct pdesc_node *d)
{
	const char *text = d->range.source->text + d->range.begin;
	size_t len = d->range.end - d->range.begin;
	const char *star = memchr(text, '*', len);
	const char *word = arena_strndup(p->arena, text, star ? (size_t)(star - text) : len);
	return *word && !strchr(word, ':') && parser_is_type(p, word) ? word : NULL;
}

/* What is no description at all: a statement, a word of SystemTap, parameters of a function. */
static const char *what_was_meant(struct parser *p, const struct pdesc_node *d)
{
	const struct source *source = d->range.source;
	const char *text = source->text + d->range.begin;
	size_t len = d->range.end - d->range.begin;
	uint32_t at = p->token.range.begin; /* a token that the end cuts may begin there */
	char next = at < source->len ? source->text[at] : 0;
	if (len == strlen("probe") && memcmp(text, "probe", len) == 0)
		return ": probe is SystemTap's word, and begin is BEGIN";
	if (next == '(')
		return ": a parenthesis in a name needs a backslash; without parameters a function "
		       "means all its overloads";
	if (next == '>' || next == '=' || next == '+')
		return ": a statement needs a probe, as in BEGIN { self->x = 1; }";
	return "";
}

static void body_missing(struct parser *p, const struct clause_node *clause)
{
	const char *type = p->mode.specifier ? type_of_description(p, clause->pdescs) : NULL;
	if (clause->predicate)
		parser_fail(p, "a clause needs a body: { is missing");
	else if (type)
		parser_fail(p,
			    "on the command line %s names a probe, not the type, and must be "
			    "followed by , or / or { (in a script, -s, it begins a declaration)",
			    type);
	else
		parser_fail(p, "a probe description must be followed by , or / or {%s",
			    what_was_meant(p, clause->pdescs));
}

/* A specifier of the command line may be a description alone, a script under -xpspec several. */
static bool body_optional(const struct parser *p)
{
	if (!p->mode.specifier && !p->env->bare)
		return false;
	return parser_at(p, TOKEN_END) || parser_at(p, TOKEN_SEMICOLON) ||
	       (p->env->bare && parser_at(p, TOKEN_PROBE));
}

struct node *parse_clause(struct parser *p)
{
	struct node *n = node_new(p, NODE_CLAUSE, p->token.range);
	struct clause_node *clause = ARENA_NEW(p->arena, struct clause_node);
	n->clause = clause;
	clause->pdescs = parse_probes(p);
	clause->head = parser_range(p, n->range);
	if (parser_at(p, TOKEN_SLASH))
		clause->predicate = parse_predicate(p, clause->pdescs);

	if (!parser_at(p, TOKEN_LBRACE) && !body_optional(p))
		body_missing(p, clause);
	bool broken = p->panic;
	if (broken)
		parser_recover_head(p);
	if (parser_at(p, TOKEN_LBRACE)) {
		clause->has_body = true;
		clause->body = parse_body(p);
	} else if (broken) {
		parser_recover_item(p);
	}
	n->range = parser_range(p, n->range);
	return n;
}
