/* SPDX-License-Identifier: BSD-2-Clause */
#include "syntax/parse/parser.h"

#include <stdlib.h>
#include <string.h>

#define MISTAKES_MAX 100 /* per program; more say nothing new */
#define NEAR_MAX 40	 /* characters of a token in a message */

/* --- tokens ----------------------------------------------------------------------- */

static void token_read(struct parser *p)
{
	if (p->ahead_count) {
		p->token = p->ahead[0];
		p->ahead_count--;
		memmove(p->ahead, p->ahead + 1, p->ahead_count * sizeof(p->ahead[0]));
	} else {
		lexer_next(&p->lexer, &p->token);
	}
}

void parser_advance(struct parser *p)
{
	if (p->panic)
		return;
	p->previous = p->token.range;
	token_read(p);
}

bool parser_accept(struct parser *p, enum token_kind kind)
{
	if (!parser_at(p, kind))
		return false;
	parser_advance(p);
	return true;
}

void parser_expect(struct parser *p, enum token_kind kind)
{
	if (!parser_accept(p, kind))
		parser_fail(p, "%s is missing", token_text(kind));
}

void parser_finish(struct parser *p, enum token_kind kind)
{
	if (parser_at(p, kind))
		p->lexer.mode = LEXER_CLAUSE;
	parser_expect(p, kind);
}

const struct token *parser_peek_token(struct parser *p, unsigned n)
{
	if (!n || p->panic)
		return &p->token;
	while (p->ahead_count < n)
		lexer_next(&p->lexer, &p->ahead[p->ahead_count++]);
	return &p->ahead[n - 1];
}

enum token_kind parser_peek(struct parser *p, unsigned n)
{
	return parser_peek_token(p, n)->kind;
}

void parser_mode(struct parser *p, enum lexer_mode mode)
{
	if (p->panic || p->lexer.mode == mode)
		return;
	p->lexer.mode = mode;
	p->ahead_count = 0;
	lexer_rewind(&p->lexer, &p->token);
	lexer_next(&p->lexer, &p->token);
}

struct range parser_range(const struct parser *p, struct range begin)
{
	return range_join(begin, p->previous);
}

/* --- mistakes ------------------------------------------------------------------------ */

/* ` near "TOKEN"`, as it was written. */
static void parser_print_near(const struct parser *p, struct strbuf *out)
{
	const struct token *t = &p->token;
	if (t->kind == TOKEN_END) {
		strbuf_puts(out, " near end of input");
		return;
	}
	uint32_t len = t->range.end - t->range.begin, shown = MIN(len, (uint32_t)NEAR_MAX);
	strbuf_puts(out, " near \"");
	for (uint32_t i = 0; i < shown; i++) {
		char c = p->lexer.source->text[t->range.begin + i];
		strbuf_putc(out, c >= ' ' && c <= '~' ? c : '.');
	}
	strbuf_puts(out, shown < len ? "...\"" : "\"");
}

static void parser_panic(struct parser *p, enum diagnostic_tag tag, const char *fmt, va_list ap)
{
	if (p->panic)
		return;
	if (p->token.kind != TOKEN_BAD) { /* else the lexer has spoken */
		auto_strbuf struct strbuf text = { 0 };
		strbuf_vprintf(&text, fmt, ap);
		parser_print_near(p, &text);
		lexer_mistake(&p->lexer, p->token.range, tag, "%s", strbuf_text(&text));
	}
	p->panic = true;
	p->held = p->token;
	p->token.kind = TOKEN_NONE;
}

void parser_fail(struct parser *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	parser_panic(p, D_SYNTAX, fmt, ap);
	va_end(ap);
}

void parser_fail_tag(struct parser *p, enum diagnostic_tag tag, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	parser_panic(p, tag, fmt, ap);
	va_end(ap);
}

static void panic_end(struct parser *p)
{
	if (p->panic)
		p->token = p->held;
	p->panic = false;
}

/* Skip a `{` and all up to its `}`, which becomes the next token. */
static void block_skip(struct parser *p)
{
	for (unsigned braces = 0; !parser_at(p, TOKEN_END); parser_advance(p)) {
		braces += parser_at(p, TOKEN_LBRACE);
		braces -= parser_at(p, TOKEN_RBRACE);
		if (!braces)
			return;
	}
}

/* A string without its closing quote has eaten the rest of its line, semicolon included. */
static bool bad_ends_statement(const struct parser *p)
{
	return parser_at(p, TOKEN_BAD) && p->token.range.end > p->token.range.begin + 1 &&
	       p->lexer.source->text[p->token.range.end - 1] == ';';
}

static bool at_statement_end(const struct parser *p)
{
	return parser_at(p, TOKEN_SEMICOLON) || bad_ends_statement(p);
}

/* Go to the end of a broken thing: a `;`, the `}` of its block, or the text's end. */
static void skip_broken(struct parser *p, bool *ret_had_block)
{
	panic_end(p);
	*ret_had_block = false;
	p->lexer.quiet = true;
	parser_mode(p, LEXER_EXPRESSION);
	while (!at_statement_end(p) && !parser_at(p, TOKEN_RBRACE) && !parser_at(p, TOKEN_END) &&
	       !*ret_had_block) {
		*ret_had_block = parser_at(p, TOKEN_LBRACE);
		if (*ret_had_block)
			block_skip(p);
		else
			parser_advance(p);
	}
	p->lexer.quiet = false;
}

void parser_recover_inside(struct parser *p)
{
	bool had_block;
	skip_broken(p, &had_block);
	if (had_block || at_statement_end(p))
		parser_advance(p);
}

void parser_recover_item(struct parser *p)
{
	bool had_block;
	skip_broken(p, &had_block);
	if (had_block && lexer_char_after(&p->lexer, &p->token) == ';')
		parser_advance(p);
	p->lexer.mode = LEXER_CLAUSE;
	parser_advance(p);
}

void parser_recover_parentheses(struct parser *p)
{
	panic_end(p);
	p->lexer.quiet = true;
	parser_advance(p);
	unsigned depth = 0;
	do {
		depth += parser_at(p, TOKEN_LPAREN);
		if (!depth || parser_at(p, TOKEN_END) || parser_at(p, TOKEN_RBRACE))
			break;
		depth -= parser_at(p, TOKEN_RPAREN);
		parser_advance(p);
	} while (depth);
	p->lexer.quiet = false;
}

void parser_recover_head(struct parser *p)
{
	panic_end(p);
	p->lexer.quiet = true;
	parser_mode(p, LEXER_EXPRESSION);
	while (!parser_at(p, TOKEN_LBRACE) && !parser_at(p, TOKEN_SEMICOLON) &&
	       !parser_at(p, TOKEN_RBRACE) && !parser_at(p, TOKEN_END))
		parser_advance(p);
	p->lexer.quiet = false;
}

void parser_recover_braces(struct parser *p, unsigned depth)
{
	bool was_inside = depth, after_on = false;
	panic_end(p);
	p->lexer.quiet = true;
	while (!parser_at(p, TOKEN_END)) {
		bool closes = parser_at(p, TOKEN_RBRACE);
		if (closes && !depth)
			break;
		if (parser_at(p, KEYWORD_PROBE) && !after_on)
			break;
		after_on = parser_at_word(p, "on");
		depth += parser_at(p, TOKEN_LBRACE);
		was_inside |= depth != 0;
		depth -= closes;
		parser_advance(p);
		if (was_inside && !depth)
			break;
	}
	p->lexer.quiet = false;
}

bool parser_enter(struct parser *p)
{
	if (p->depth < DEPTH_MAX) {
		p->depth++;
		return true;
	}
	parser_fail(p, "this is nested too deeply");
	return false;
}

void parser_leave(struct parser *p)
{
	p->depth--;
}

/* --- nodes and types ------------------------------------------------------------------- */

struct node *node_new(struct parser *p, enum node_kind kind, struct range range)
{
	struct node *n = ARENA_NEW(p->arena, struct node);
	n->kind = kind;
	n->range = range;
	return n;
}

void parser_add_type(struct parser *p, const char *name)
{
	hash_put_string(p->types, name, TYPE_YES);
}

bool parser_is_type(struct parser *p, const char *name)
{
	void *known = hash_get_string(p->types, name);
	if (!known && (name[0] == 'C' || name[0] == 'D') && name[1] == '`')
		known = hash_get_string(p->types, name + 2); /* of this program */
	if (known)
		return known == TYPE_YES;
	bool answer = p->env->is_type && p->env->is_type(p->env->arg, name);
	hash_put_string(p->types, name, answer ? TYPE_YES : TYPE_NO);
	return answer;
}

/* --- the program ------------------------------------------------------------------------ */

/* Did the item from BEGIN on bring a mistake, of those from number BEFORE on? */
static bool is_broken(const struct parser *p, const struct range *item, size_t before)
{
	for (size_t i = before; i < p->diagnostics->list.count; i++) {
		uint32_t at = p->diagnostics->list.items[i].range.begin;
		if (at < item->begin)
			continue;
		if (at < item->end || at >= p->lexer.source->len)
			return true;
		if (at == item->end &&
		    parser_at(p, TOKEN_END)) /* "near end of input" is added there */
			return true;
	}
	return false;
}

static struct broken_node **note_broken(struct parser *p, struct range begin, size_t mistakes,
					struct broken_node **end)
{
	struct range item = parser_range(p, begin);
	if (!is_broken(p, &item, mistakes))
		return end;
	*end = ARENA_NEW(p->arena, struct broken_node);
	(*end)->range = item;
	return &(*end)->next;
}

/* Is ITEM one of the declarations of a file of formulas, which are used although other items have
 * mistakes?  A provider leaves out its wrong probes itself. */
static bool is_declaration_of_formulas(const struct parser *p, const struct node *item)
{
	return p->mode.formulas && item->kind != NODE_FORMULA && item->kind != NODE_CLAUSE;
}

static struct node *parse_items(struct parser *p, struct broken_node **broken)
{
	struct node *first = NULL, **end = &first;
	while (!parser_at(p, TOKEN_END)) {
		if ((p->mode.specifier || p->env->bare) && parser_accept(p, TOKEN_SEMICOLON))
			continue; /* -n 'BEGIN;' */
		if (parser_in_header(p) && parser_accept(p, TOKEN_SEMICOLON))
			continue;
		struct range begin = p->token.range;
		size_t mistakes = p->diagnostics->list.count;
		struct node *item = parse_item(p);
		if (p->panic)
			parser_recover_item(p);
		bool is_wrong = p->diagnostics->list.count > mistakes;
		if (is_wrong)
			broken = note_broken(p, begin, mistakes, broken);
		if (!item || (is_wrong && is_declaration_of_formulas(p, item)))
			continue;
		*end = item;
		end = &item->next;
	}
	return first;
}

/* Editors of other systems put it in front of UTF-8. */
static uint32_t byte_order_mark(const struct source *src)
{
	return src->len >= 3 && memcmp(src->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* The options among the words of the command, if the program declares some. */
static void take_arguments(struct parser *p, struct program_node *program)
{
	const struct syntax_env *env = p->env;
	if (!env->args)
		return;
	auto_strbuf struct strbuf why = { 0 };
	struct script_arguments *args = script_arguments_read(p->arena, program->source);
	p->lexer.arguments = args;
	program->arguments = args;
	if (!args)
		return;
	bool *used = args->is_wrong ? NULL : env->arg_used;
	if (!script_arguments_take(args, p->arena, env->args, env->arg_count, used, &why) &&
	    !args->is_wrong)
		lexer_mistake(&p->lexer, (struct range) { .source = program->source },
			      D_MACRO_UNDEF, "%s", strbuf_text(&why));
}

struct program_node *syntax_parse(struct arena *a, const struct source *src,
				  const struct syntax_env *env, struct syntax_mode mode,
				  struct diagnostics *d)
{
	struct program_node *program = ARENA_NEW(a, struct program_node);
	program->source = src;
	if (src->kind != SOURCE_SPECIFIER)
		mode.specifier = false;
	if (!mode.specifier)
		mode.last = PDESC_NAME;
	struct parser p = {
		.arena = a, .diagnostics = d, .env = env, .mode = mode, .types = hash_new(),
		.lexer = {
			.arena = a, .source = src, .env = env, .diagnostics = d,
			.pragma_end = &program->pragmas, .first = byte_order_mark(src),
			.formulas = mode.formulas,
			.at = { .pos = MAX(mode.begin, byte_order_mark(src)),
				.line = MAX(mode.line, 1u) },
			.mistakes_max = d->list.count + MISTAKES_MAX,
		},
	};
	size_t mistakes_before = d->list.count;
	take_arguments(&p, program);
	token_read(&p);
	program->items = parse_items(&p, &program->broken);
	if (!program->items && !env->allow_empty && d->list.count == mistakes_before)
		lexer_mistake(&p.lexer, p.token.range, D_EMPTY,
			      "there is no clause and no declaration in this program");
	hash_free(p.types);
	return program;
}
