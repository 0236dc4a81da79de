/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parser - declarations shared by the files of the parser
 *
 * One token is always read ahead (p->token); the parser can peek at a few more.
 *
 * After a mistake the parser panics: its token becomes TOKEN_NONE, which nothing
 * matches, so every rule returns by itself without another message.  A rule that
 * loops over statements, members or items calls parser_recover_*(), which
 * restores the token and skips to a place where parsing can resume.  Rules never
 * return NULL for a missing part; their result is then not used.
 */
#ifndef SYNTAX_PARSER_H
#define SYNTAX_PARSER_H

#include "syntax/lexer.h"

#define AHEAD_MAX 12
#define DEPTH_MAX 600	/* of the parser's recursion; a parenthesis costs two */
#define HEIGHT_MAX 1000 /* of an expression's tree; left-deep ones cost no recursion here */

struct parser {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct syntax_env *env;
	struct syntax_mode mode;
	struct lexer lexer;
	struct token token; /* the next one */
	struct token ahead[AHEAD_MAX];
	unsigned ahead_count;
	struct range previous; /* the last token consumed */
	bool panic;
	struct token held; /* while panicking: the token that did not fit */
	unsigned depth;
	bool in_probe;	    /* in the parameters of a probe that a provider declares */
	bool has_self;	    /* self.x was read in this source of a formula */
	bool has_exists;    /* exists() was called in it */
	struct hash *types; /* names known to be types or not: TYPE_YES, TYPE_NO */
};

/* --- tokens: parser.c -------------------------------------------------------------- */

static inline bool parser_at(const struct parser *p, enum token_kind kind)
{
	return p->token.kind == kind;
}

/* Is there more inside these braces? */
static inline bool parser_in_braces(const struct parser *p)
{
	return !p->panic && !parser_at(p, TOKEN_RBRACE) && !parser_at(p, TOKEN_END);
}

void parser_advance(struct parser *p);
bool parser_accept(struct parser *p, enum token_kind kind);
void parser_expect(struct parser *p, enum token_kind kind);

/* As parser_expect(), for the last token of an item: clause mode follows. */
void parser_finish(struct parser *p, enum token_kind kind);

/* Read the next token again in this mode. */
void parser_mode(struct parser *p, enum lexer_mode mode);

/* The N-th token after the next one, N <= AHEAD_MAX. */
enum token_kind parser_peek(struct parser *p, unsigned n);
const struct token *parser_peek_token(struct parser *p, unsigned n);

/* The piece of text from BEGIN to the last token consumed. */
struct range parser_range(const struct parser *p, struct range begin);

/* --- mistakes ------------------------------------------------------------------------ */

/* A syntax error; ` near "TOKEN"` is added.  Panics. */
void parser_fail(struct parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void parser_fail_tag(struct parser *p, enum diagnostic_tag tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Inside braces: skip past a `;` or a block, or up to the closing `}`. */
void parser_recover_inside(struct parser *p);

/* Between items: the same, and past a `}` too many. */
void parser_recover_item(struct parser *p);

/* After a mistake at a word: skip the parentheses that may follow it. */
void parser_recover_parentheses(struct parser *p);

/* After a mistake in the head of a clause: skip to its body. */
void parser_recover_head(struct parser *p);

/* After a mistake in a formula inside DEPTH braces: skip to after the last of them; none: past a
 * block, or up to the next `}`.  If a `}` is missing: up to the next probe. */
void parser_recover_braces(struct parser *p, unsigned depth);

/* Count recursion; false, with a mistake diagnosed, if the recursion is too deep. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

/* --- types as names -------------------------------------------------------------------- */

#define TYPE_YES ((void *)1)
#define TYPE_NO ((void *)2)

bool parser_is_type(struct parser *p, const char *name);
void parser_add_type(struct parser *p, const char *name);

/* --- rules ------------------------------------------------------------------------------- */

struct node *node_new(struct parser *p, enum node_kind kind, struct range range);

/* The placeholder for an expression after a mistake. */
struct node *node_poison(struct parser *p);
/* CHILD has become a part of PARENT.  Chains like a+a+a... grow without recursion. */
void node_adopt(struct parser *p, struct node *parent, const struct node *child);
struct node *node_unary(struct parser *p, enum node_kind kind, enum op op, struct range range,
			struct node *operand);

/* parse_expression.c */
struct node *parse_expression(struct parser *p);  /* with commas */
struct node *parse_assignment(struct parser *p);  /* without commas */
struct node *parse_conditional(struct parser *p); /* for constants */

/* A list of expressions up to END, which is consumed. */
struct node *parse_arguments(struct parser *p, struct node *parent, enum token_kind end);

/* parse_primary.c */
struct node *parse_primary(struct parser *p);
struct node *parse_in_parentheses(struct parser *p); /* an expression */
/* A member's name: any word.  NULL after a mistake. */
const char *parse_member_name(struct parser *p);

/* parse_declaration.c */
enum type_context { TYPE_IN_CAST, TYPE_IN_SIZEOF, TYPE_IN_BRACKETS, TYPE_IN_PARAMS };

/* Does a type begin at the N-th token after the next one? */
bool parser_type_at(struct parser *p, unsigned n, enum type_context context);

struct type_name *parse_type_name(struct parser *p);
struct type_spec *parse_type_spec(struct parser *p, bool storage_allowed);
struct declarator *parse_declarator(struct parser *p); /* with a name */
struct declarator *declarator_new(struct parser *p);   /* empty, at the current token */
struct param_node *parse_params(struct parser *p, enum token_kind end, bool *varargs);
struct node *parse_declaration(struct parser *p);

/* parse_gnu.c: syntax of C headers that D does not have */
static inline bool parser_in_header(const struct parser *p)
{
	return p->token.start.inclusion > 0;
}

/* Attributes and assembler names, zero or more. */
void parse_attributes(struct parser *p, struct layout_attributes *ret);
/* Skip the body or the value of a definition in a header; the item ends there. */
bool skip_definition(struct parser *p, const struct type_spec *spec, const struct declarator *d);
/* Is the token a keyword of D that a header, or a probe's parameter, uses as a name? */
bool parser_at_d_word(const struct parser *p);
/* _Static_assert(...) and __asm__(...), without the semicolon; a mistake outside of headers. */
bool skip_assertion(struct parser *p);

/* parse_tag.c: after struct, union or enum: a tag, a body, or both. */
void parse_tagged(struct parser *p, struct type_spec *spec);

/* parse_item.c */
/* Any item; NULL: it leaves no node, or it has a mistake. */
struct node *parse_item(struct parser *p);

/* parse_formula.c: a provider as data */
struct node *parse_formula_provider(struct parser *p);
/* After xlate <T>(e) of a formula: with { member = e, ... }; NULL: it does not follow. */
struct translator_member *parse_with(struct parser *p);

/* parse_event.c: words of formulas, which are no keywords of D */
bool parser_at_word(const struct parser *p, const char *word);
bool parser_accept_word(struct parser *p, const char *word);
/* A name of WHAT as it is written, up to a blank: exec-success, finish_task_switch*,
 * libc:mutex_entry. */
const char *parse_written_name(struct parser *p, const char *what);
int64_t parse_whole_number(struct parser *p);
struct formula_event;
void parse_formula_event(struct parser *p, struct formula_event *e);

/* parse_clause.c */
struct node *parse_clause(struct parser *p);
/* What `if`, `else` and loops govern: a block or one statement; NULL: an empty one. */
struct node *parse_branch(struct parser *p);

/* parse_loop.c */
bool parser_at_loop(const struct parser *p); /* or at break or continue */
struct node *parse_loop(struct parser *p);   /* one statement, or two */

/* parse_probe.c: one probe description, from the next token; $target makes it a list. */
struct pdesc_node *parse_probe(struct parser *p);

#endif
