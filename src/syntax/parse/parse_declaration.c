/* SPDX-License-Identifier: BSD-2-Clause */
/* parse_declaration - specifiers, declarators, type names, struct and enum bodies */
#include <string.h>

#include "syntax/parse/parser.h"

/* --- is it a type? ---------------------------------------------------------------------- */

static bool is_specifier(enum token_kind kind, bool storage_allowed)
{
	enum keyword_role role = token_role(kind);
	return role == ROLE_WORD || role == ROLE_QUALIFIER || kind == KEYWORD_ATTRIBUTE ||
	       kind == KEYWORD_EXTENSION || kind == KEYWORD_NORETURN ||
	       (storage_allowed && role == ROLE_STORAGE);
}

enum answer { NO, YES, ASK };

/* `(name)` before the token KIND: a cast, or an expression? */
static enum answer cast_before(enum token_kind kind)
{
	switch (kind) {
	case TOKEN_IDENT:
	case TOKEN_INTEGER:
	case TOKEN_STRING:
	case TOKEN_AGGREGATION:
	case TOKEN_TILDE:
	case TOKEN_EXCLAMATION:
	case KEYWORD_SELF:
	case KEYWORD_THIS:
	case KEYWORD_SIZEOF:
	case KEYWORD_STRINGOF:
	case KEYWORD_OFFSETOF:
	case KEYWORD_XLATE:
		return YES;
	case TOKEN_LPAREN:
	case TOKEN_PLUS:
	case TOKEN_MINUS:
	case TOKEN_STAR:
	case TOKEN_AMPERSAND:
	case TOKEN_INCREMENT:
	case TOKEN_DECREMENT:
		return ASK;
	default:
		return NO;
	}
}

/* The name is followed by a `*` at N: a pointer type, or a product? */
static enum answer pointer_at(struct parser *p, unsigned n, enum type_context context)
{
	while (n < AHEAD_MAX - 2 && parser_peek(p, n) == TOKEN_STAR)
		n++;
	switch (parser_peek(p, n)) {
	case TOKEN_RPAREN:
	case TOKEN_RBRACKET:
	case TOKEN_LBRACKET:
	case TOKEN_COMMA:
		return YES;
	case TOKEN_STAR:
		return ASK;
	case TOKEN_IDENT: /* [foo_t *p] or [count * size] */
		return context == TYPE_IN_BRACKETS || context == TYPE_IN_PARAMS ? ASK : NO;
	case TOKEN_LPAREN: /* a pointer to a function that returns a pointer */
		return parser_peek(p, n + 1) == TOKEN_STAR && parser_peek(p, n + 2) == TOKEN_RPAREN;
	default:
		return is_specifier(parser_peek(p, n), false);
	}
}

/* May the name at N be a type, judging by what follows? */
static enum answer name_is_type(struct parser *p, unsigned n, enum type_context context)
{
	enum token_kind next = parser_peek(p, n + 1);
	switch (next) {
	case TOKEN_IDENT:
		return YES;
	case TOKEN_STAR:
		return pointer_at(p, n + 1, context);
	case TOKEN_RPAREN:
		return context == TYPE_IN_CAST ? cast_before(parser_peek(p, n + 2)) : ASK;
	case TOKEN_LBRACKET:
		return context == TYPE_IN_CAST ? NO : ASK;
	case TOKEN_LPAREN:
		return parser_peek(p, n + 2) == TOKEN_STAR ? ASK : NO;
	case TOKEN_COMMA:
		return context == TYPE_IN_BRACKETS || context == TYPE_IN_PARAMS;
	case TOKEN_RBRACKET:
		return context == TYPE_IN_BRACKETS ? ASK : NO;
	default:
		return is_specifier(next, false);
	}
}

bool parser_type_at(struct parser *p, unsigned n, enum type_context context)
{
	enum token_kind kind = parser_peek(p, n);
	if (kind == TOKEN_ELLIPSIS)
		return context == TYPE_IN_BRACKETS || context == TYPE_IN_PARAMS;
	if (kind != TOKEN_IDENT)
		return is_specifier(kind, context == TYPE_IN_PARAMS);
	enum answer answer = name_is_type(p, n, context);
	if (answer == ASK)
		return parser_is_type(p, parser_peek_token(p, n)->text);
	return answer == YES;
}

/* --- specifiers ------------------------------------------------------------------------------- */

#define SIZE_WORDS (WORD_SHORT | WORD_LONG | WORD_LONG_LONG)
#define SIGN_WORDS (WORD_SIGNED | WORD_UNSIGNED)
#define SIZED_WORDS                                                                                \
	(WORD_CHAR | WORD_INT | WORD_DOUBLE | WORD_FLOAT | WORD_VOID | WORD_BOOL | WORD_INT128 |   \
	 WORD_COMPLEX)

static void spec_add_word(struct type_spec *spec, unsigned word)
{
	if (word == WORD_LONG && (spec->words & SIZE_WORDS) == WORD_LONG) {
		spec->words ^= WORD_LONG | WORD_LONG_LONG;
		return;
	}
	unsigned group = word & SIZE_WORDS     ? SIZE_WORDS
			 : word & SIGN_WORDS   ? SIGN_WORDS
			 : word & WORD_COMPLEX ? WORD_COMPLEX
					       : ~(SIZE_WORDS | SIGN_WORDS | WORD_COMPLEX);
	if (spec->words & group)
		spec->repeated = true;
	spec->words |= word;
	if ((spec->words & ~(SIZE_WORDS | SIGN_WORDS | SIZED_WORDS)) &&
	    (spec->words & (SIZE_WORDS | SIGN_WORDS)))
		spec->repeated = true; /* unsigned struct x */
}

/* vmlinux`struct x: the scope goes to the tag. */
static bool parse_scoped_tag(struct parser *p, struct type_spec *spec)
{
	const char *text = p->token.text, *last = strrchr(text, '`');
	enum token_kind kind = last ? keyword_find(last + 1) : TOKEN_IDENT;
	if (kind != KEYWORD_STRUCT && kind != KEYWORD_UNION && kind != KEYWORD_ENUM)
		return false;
	spec_add_word(spec, token_bit(kind));
	parser_advance(p);
	if (!parser_at(p, TOKEN_IDENT)) {
		parser_fail(p, "a tag must follow %s", text);
		return true;
	}
	spec->name = arena_printf(p->arena, "%.*s%s", (int)(last + 1 - text), text, p->token.text);
	parser_advance(p);
	return true;
}

static void parse_type_word(struct parser *p, struct type_spec *spec)
{
	enum token_kind kind = p->token.kind;
	unsigned bit = token_bit(kind);
	parser_advance(p);
	switch (token_role(kind)) {
	case ROLE_STORAGE:
		spec->repeated |= (spec->storage & bit) != 0;
		spec->storage |= bit;
		break;
	case ROLE_QUALIFIER:
		spec->qualifiers |= bit;
		break;
	default:
		spec_add_word(spec, bit);
		if (bit & (WORD_STRUCT | WORD_UNION | WORD_ENUM))
			parse_tagged(p, spec);
	}
}

/* `self x, y;`: a name and no type, after a word of storage, declares an int. */
static bool declares_int(struct parser *p, const struct type_spec *spec)
{
	if (spec->words || !spec->storage || spec->storage & STORAGE_TYPEDEF || parser_in_header(p))
		return false;
	enum token_kind next = parser_peek(p, 1);
	return parser_at(p, TOKEN_STAR) ||
	       (parser_at(p, TOKEN_IDENT) &&
		(next == TOKEN_COMMA || next == TOKEN_SEMICOLON || next == TOKEN_LBRACKET));
}

struct type_spec *parse_type_spec(struct parser *p, bool storage_allowed)
{
	struct type_spec *spec = ARENA_NEW(p->arena, struct type_spec);
	bool in_atomic = false; /* between the parentheses of _Atomic(int) */
	spec->range = p->token.range;
	for (;;) {
		if (spec->words && parser_at_d_word(p)) {
			break;
		} else if (parser_at(p, KEYWORD_ATOMIC) && parser_peek(p, 1) == TOKEN_LPAREN) {
			parser_advance(p);
			parser_advance(p);
			in_atomic = true;
		} else if (in_atomic && parser_accept(p, TOKEN_RPAREN)) {
			in_atomic = false;
		} else if (token_role(p->token.kind) == ROLE_GNU) {
			if (!is_specifier(p->token.kind, false))
				break;
			parse_attributes(p, &spec->attributes);
		} else if (is_specifier(p->token.kind, storage_allowed)) {
			parse_type_word(p, spec);
		} else if (storage_allowed && parser_in_header(p) &&
			   parser_accept(p, KEYWORD_INLINE)) {
			continue;
		} else if (declares_int(p, spec)) {
			spec_add_word(spec, WORD_INT);
			break;
		} else if (parser_at(p, TOKEN_IDENT) && !spec->words) {
			if (parse_scoped_tag(p, spec))
				continue;
			spec_add_word(spec, WORD_NAME);
			spec->name = p->token.text;
			parser_advance(p);
		} else {
			break;
		}
	}
	if (!spec->words)
		parser_fail(p, "a type is expected");
	spec->range = parser_range(p, spec->range);
	return spec;
}

/* --- declarators ------------------------------------------------------------------------------ */

enum naming { NAMED, NAMELESS, MAYBE_NAMED };

struct declarator_parser {
	struct declarator *declarator;
	struct declarator_part **end;
	enum naming naming;
	unsigned count; /* of parts, bounded because types are made and printed by recursion */
};

#define PARTS_MAX 200

static void parse_direct(struct parser *p, struct declarator_parser *dp);

struct declarator *declarator_new(struct parser *p)
{
	struct declarator *d = ARENA_NEW(p->arena, struct declarator);
	d->range = p->token.range;
	return d;
}

static struct declarator_part *part_new(struct parser *p, struct declarator_parser *dp, int kind)
{
	if (++dp->count > PARTS_MAX)
		parser_fail(p, "this declaration has too many parts");
	struct declarator_part *part = ARENA_NEW(p->arena, struct declarator_part);
	part->kind = kind;
	return part;
}

/* Pointers apply after the parts on the right of the name, the last one first. */
static void parse_pointers(struct parser *p, struct declarator_parser *dp)
{
	struct declarator_part *last = NULL, *first = NULL;
	while (parser_accept(p, TOKEN_STAR)) {
		struct declarator_part *part = part_new(p, dp, PART_POINTER);
		for (; token_role(p->token.kind) == ROLE_QUALIFIER && !parser_at_d_word(p);
		     parser_advance(p))
			part->qualifiers |= token_bit(p->token.kind);
		parse_attributes(p, &dp->declarator->attributes);
		part->next = first;
		first = part;
		last = last ? last : part;
	}
	parse_direct(p, dp);
	*dp->end = first;
	if (last)
		dp->end = &last->next;
}

static void part_add(struct declarator_parser *dp, struct declarator_part *part)
{
	*dp->end = part;
	dp->end = &part->next;
}

static void parse_brackets(struct parser *p, struct declarator_parser *dp)
{
	struct declarator_part *part = part_new(p, dp, PART_ARRAY);
	parser_advance(p);
	if (parser_in_header(p)) /* of a parameter: x[restrict 4] */
		while (token_role(p->token.kind) == ROLE_QUALIFIER || parser_at(p, KEYWORD_STATIC))
			parser_advance(p);
	if (parser_type_at(p, 0, TYPE_IN_BRACKETS)) {
		part->has_params = true;
		part->params = parse_params(p, TOKEN_RBRACKET, &part->varargs);
	} else {
		if (!parser_at(p, TOKEN_RBRACKET))
			part->size = parse_conditional(p);
		parser_expect(p, TOKEN_RBRACKET);
	}
	part_add(dp, part);
}

static void parse_prototype(struct parser *p, struct declarator_parser *dp)
{
	struct declarator_part *part = part_new(p, dp, PART_FUNCTION);
	parser_advance(p);
	part->has_params = true;
	part->params = parse_params(p, TOKEN_RPAREN, &part->varargs);
	part_add(dp, part);
}

/* At a `(`: does it group a declarator, or begin a prototype? */
static bool is_group(struct parser *p, enum naming naming)
{
	enum token_kind next = parser_peek(p, 1);
	if (naming == NAMED)
		return true;
	if (next == TOKEN_RPAREN || (next == TOKEN_IDENT && naming == NAMELESS))
		return false;
	return !parser_type_at(p, 1, TYPE_IN_PARAMS);
}

static void parse_name(struct parser *p, struct declarator_parser *dp)
{
	bool name = parser_at(p, TOKEN_IDENT) || parser_at_d_word(p);
	if (name && dp->naming != NAMELESS) {
		dp->declarator->name_at = p->token.range.begin;
		dp->declarator->name = p->token.text;
		parser_advance(p);
	} else if (dp->naming == NAMED) {
		bool keyword = token_role(p->token.kind) != ROLE_NONE;
		parser_fail(p, "%s", keyword ? "a keyword cannot be a name" : "a name is expected");
	}
}

/* The name, a group in parentheses, or nothing; then brackets and prototypes. */
static void parse_direct(struct parser *p, struct declarator_parser *dp)
{
	if (parser_at(p, TOKEN_LPAREN) && is_group(p, dp->naming)) {
		parser_advance(p);
		if (!parser_enter(p))
			return;
		parse_pointers(p, dp);
		parser_leave(p);
		parser_expect(p, TOKEN_RPAREN);
	} else {
		parse_name(p, dp);
	}
	while (parser_at(p, TOKEN_LBRACKET) || parser_at(p, TOKEN_LPAREN)) {
		if (parser_at(p, TOKEN_LBRACKET))
			parse_brackets(p, dp);
		else
			parse_prototype(p, dp);
	}
}

static struct declarator *parse_declarator_of(struct parser *p, enum naming naming)
{
	struct declarator *d = declarator_new(p);
	struct declarator_parser dp = { .declarator = d, .end = &d->parts, .naming = naming };
	if (parser_enter(p)) {
		parse_pointers(p, &dp);
		parser_leave(p);
	}
	parse_attributes(p, &d->attributes);
	d->range = parser_range(p, d->range);
	return d;
}

struct declarator *parse_declarator(struct parser *p)
{
	return parse_declarator_of(p, NAMED);
}

struct type_name *parse_type_name(struct parser *p)
{
	struct type_name *t = ARENA_NEW(p->arena, struct type_name);
	t->range = p->token.range;
	t->spec = parse_type_spec(p, false);
	t->declarator = parse_declarator_of(p, NAMELESS);
	t->range = parser_range(p, t->range);
	return t;
}

static struct param_node *parse_param(struct parser *p)
{
	struct param_node *param = ARENA_NEW(p->arena, struct param_node);
	param->range = p->token.range;
	param->spec = parse_type_spec(p, true);
	param->declarator = parse_declarator_of(p, MAYBE_NAMED);
	param->range = parser_range(p, param->range);
	return param;
}

struct param_node *parse_params(struct parser *p, enum token_kind end, bool *varargs)
{
	struct param_node *first = NULL, **last = &first;
	*varargs = false;
	if (parser_accept(p, end))
		return NULL;
	do {
		if (parser_accept(p, TOKEN_ELLIPSIS)) {
			*varargs = true;
			break;
		}
		*last = parse_param(p);
		last = &(*last)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	parser_expect(p, end);
	return first;
}

/* --- declarations ----------------------------------------------------------------------------- */

/* True: the item ended with the body of a function. */
static bool parse_declarators(struct parser *p, struct declaration_node *declaration)
{
	struct declarator **end = &declaration->declarators;
	do {
		*end = parse_declarator(p);
		if ((declaration->spec->storage & STORAGE_TYPEDEF) && (*end)->name)
			parser_add_type(p, (*end)->name);
		if (skip_definition(p, declaration->spec, *end)) {
			*end = NULL;
			return true;
		}
		end = &(*end)->next;
	} while (parser_accept(p, TOKEN_COMMA));
	return false;
}

struct node *parse_declaration(struct parser *p)
{
	struct node *n = node_new(p, NODE_DECLARATION, p->token.range);
	n->declaration = ARENA_NEW(p->arena, struct declaration_node);
	n->declaration->in_header = p->token.start.inclusion > 0;
	n->declaration->spec = parse_type_spec(p, true);
	if (!parser_at(p, TOKEN_SEMICOLON) && parse_declarators(p, n->declaration))
		return n;
	if (parser_at(p, TOKEN_LBRACE) && n->declaration->declarators)
		parser_fail(p,
			    "functions cannot be defined in D: an inline or a clause is expected");
	if (parser_at(p, TOKEN_ASSIGN))
		parser_fail(p, "a declaration gives no value (a clause does, or inline)");
	parser_finish(p, TOKEN_SEMICOLON);
	n->range = parser_range(p, n->range);
	return n;
}
