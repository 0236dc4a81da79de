/* SPDX-License-Identifier: BSD-2-Clause */
#include "syntax/lexer.h"

#include <stdlib.h>
#include <string.h>

#define MODULE_NAME_MAX 256 /* how far we look for the backquote of `libc.so.1`f */

static const struct {
	const char *text;
	size_t len;
	unsigned level;
	enum op op;
} punctuators[] = {
#define PUNCTUATOR(name, text, level, op) { text, sizeof(text) - 1, level, op },
#include "syntax/token.def"
#undef PUNCTUATOR
};

static const struct {
	const char *text;
	enum keyword_role role;
	unsigned bit;
} keywords[] = {
#define KEYWORD(name, text, role, bit) { text, ROLE_##role, bit },
#include "syntax/token.def"
#undef KEYWORD
};

static const struct {
	const char *text;
	enum token_kind kind;
} spellings[] = {
#define SPELLING(text, name) { text, KEYWORD_##name },
#include "syntax/token.def"
#undef SPELLING
};

#define PUNCTUATOR_FIRST TOKEN_ELLIPSIS
#define KEYWORD_FIRST KEYWORD_ALIGNOF

static bool is_punctuator(enum token_kind kind)
{
	return kind >= PUNCTUATOR_FIRST && kind < KEYWORD_FIRST;
}

const char *token_text(enum token_kind kind)
{
	if (kind >= KEYWORD_FIRST)
		return keywords[kind - KEYWORD_FIRST].text;
	if (is_punctuator(kind))
		return punctuators[kind - PUNCTUATOR_FIRST].text;
	return kind == TOKEN_PREDICATE_END ? "/" : "";
}

unsigned token_level(enum token_kind kind)
{
	return is_punctuator(kind) ? punctuators[kind - PUNCTUATOR_FIRST].level : 0;
}

enum op token_op(enum token_kind kind)
{
	return is_punctuator(kind) ? punctuators[kind - PUNCTUATOR_FIRST].op : OP_NONE;
}

enum keyword_role token_role(enum token_kind kind)
{
	return kind >= KEYWORD_FIRST ? keywords[kind - KEYWORD_FIRST].role : ROLE_NONE;
}

unsigned token_bit(enum token_kind kind)
{
	return kind >= KEYWORD_FIRST ? keywords[kind - KEYWORD_FIRST].bit : 0;
}

/* Bits for the keywords and the punctuators that begin with a byte: mostly there are few. */
struct beginnings {
	uint64_t keywords, punctuators;
};

static const struct beginnings *beginning_with(unsigned char c)
{
	static struct beginnings all[256];
	_Static_assert(ARRAY_SIZE(keywords) <= 64 && ARRAY_SIZE(punctuators) <= 64,
		       "a bit for each");
	if (!all[(unsigned char)keywords[0].text[0]].keywords) {
		for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
			all[(unsigned char)keywords[i].text[0]].keywords |= 1ull << i;
		for (size_t i = 0; i < ARRAY_SIZE(punctuators); i++)
			all[(unsigned char)punctuators[i].text[0]].punctuators |= 1ull << i;
	}
	return &all[c];
}

enum token_kind keyword_find(const char *name)
{
	uint64_t left = beginning_with(name[0])->keywords;
	for (; left; left &= left - 1) {
		int i = __builtin_ctzll(left);
		if (string_equal(keywords[i].text, name))
			return KEYWORD_FIRST + i;
	}
	if (name[0] != '_' || name[1] != '_')
		return TOKEN_IDENT;
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++)
		if (string_equal(spellings[i].text, name))
			return spellings[i].kind;
	return TOKEN_IDENT;
}

struct range lexer_range(const struct lexer *lx, struct place begin)
{
	return (struct range) {
		.source = lx->source,
		.begin = begin.pos,
		.end = lx->at.pos,
		.line = begin.line,
		.file = begin.file,
	};
}

void lexer_mistake(struct lexer *lx, struct range range, enum diagnostic_tag tag, const char *fmt,
		   ...)
{
	if (lx->quiet || lx->gave_up)
		return;
	va_list ap;
	va_start(ap, fmt);
	auto_free char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	diagnose(lx->diagnostics, range, tag, "%s", text);
	if (lx->diagnostics->list.count >= lx->mistakes_max) {
		/* parsing ends; a binary file has a mistake per byte */
		lx->gave_up = lx->diagnostics->gave_up = true;
		lx->at.pos = lx->source->len;
	}
}

/* --- blanks, comments and control lines --------------------------------------- */

static void block_comment_skip(struct lexer *lx)
{
	struct place begin = lx->at;
	for (lx->at.pos += 2;; lx->at.pos++) {
		int c = lexer_char(lx, 0), next = lexer_char(lx, 1);
		if (c < 0)
			break;
		if (c == '*' && next == '/') {
			lx->at.pos += 2;
			return;
		}
		if (c == '\n')
			lx->at.line++;
		if (c == '/' && next == '*') {
			struct place inner = lx->at;
			lx->at.pos += 2;
			lexer_mistake(lx, lexer_range(lx, inner), D_SYNTAX,
				      "/* inside a comment that began in line %u", begin.line);
			lx->at.pos--;
		}
	}
	struct range range = { lx->source, begin.pos, begin.pos + 2, begin.line, begin.file };
	lexer_mistake(lx, range, D_SYNTAX, "this comment has no end");
}

/* Skip one comment, if there is one here. */
bool lexer_skip_comment(struct lexer *lx)
{
	if (lexer_char(lx, 0) != '/')
		return false;
	if (lexer_char(lx, 1) == '*') {
		block_comment_skip(lx);
		return true;
	}
	/* In a predicate, the first slash of `x//` followed by `*` closes it. */
	if (lexer_char(lx, 1) != '/' || (lx->in_predicate && lexer_char(lx, 2) == '*'))
		return false;
	while (lexer_char(lx, 0) >= 0 && lexer_char(lx, 0) != '\n')
		lx->at.pos++;
	return true;
}

static bool at_line_start(const struct lexer *lx)
{
	uint32_t pos = lx->at.pos;
	while (pos > lx->first && char_is_blank(lx->source->text[pos - 1]))
		pos--;
	return pos == lx->first || lx->source->text[pos - 1] == '\n';
}

/* The length of a backslash and the newline after it, or 0. */
static unsigned joined_line(const struct lexer *lx)
{
	if (lexer_char(lx, 0) != '\\')
		return 0;
	unsigned len = lexer_char(lx, 1) == '\r' ? 2 : 1;
	return lexer_char(lx, len) == '\n' ? len : 0;
}

static void blanks_skip(struct lexer *lx)
{
	for (;;) {
		int c = lexer_char(lx, 0);
		if (c == '\n') {
			lx->at.line++;
			lx->at.pos++;
		} else if (char_is_blank(c)) {
			lx->at.pos++;
		} else if (joined_line(lx)) {
			lx->at.pos += joined_line(lx);
		} else if (c == '#' && at_line_start(lx)) {
			lexer_control_line(lx);
		} else if (!lexer_skip_comment(lx)) {
			return;
		}
	}
}

int lexer_char_after(const struct lexer *lx, const struct token *token)
{
	struct lexer ahead = *lx;
	ahead.at.pos = token->range.end;
	ahead.quiet = true;
	ahead.controls_done = UINT32_MAX;
	blanks_skip(&ahead);
	return lexer_char(&ahead, 0);
}

/* --- names and probe descriptions ---------------------------------------------- */

/* The length of `.so.1` in libc.so.1`f, or 0 when no backquote follows. */
static size_t dotted_module(const struct lexer *lx, size_t from)
{
	for (size_t i = from; i < from + MODULE_NAME_MAX; i++) {
		int c = lexer_char(lx, i);
		if (c == '`')
			return i - from;
		if (c != '.' && !char_is_name(c))
			return 0;
	}
	return 0;
}

static size_t name_length(const struct lexer *lx)
{
	for (size_t len = 0;;) {
		int c = lexer_char(lx, len);
		size_t dotted = c == '.' ? dotted_module(lx, len) : 0;
		if (!char_is_name(c) && c != '`' && !dotted)
			return len;
		len += dotted ? dotted : 1;
	}
}

static void lex_name(struct lexer *lx, struct token *t)
{
	size_t len = name_length(lx);
	t->text = arena_strndup(lx->arena, lexer_here(lx), len);
	t->kind = keyword_find(t->text);
	lx->at.pos += len;
}

static void lex_aggregation(struct lexer *lx, struct token *t)
{
	size_t len = 0;
	lx->at.pos++;
	while (char_is_name(lexer_char(lx, len)) && !char_is_digit(lexer_char(lx, 0)))
		len++;
	t->kind = TOKEN_AGGREGATION;
	t->text = len ? arena_strndup(lx->arena, lexer_here(lx), len) : "_";
	lx->at.pos += len;
}

static bool char_is_probe(int c)
{
	return char_is_name(c) || (c > 0 && strchr("-$:.?*[]!`", c));
}

/* The length of ${name}, or 0. */
static size_t braced_macro(const struct lexer *lx, size_t from)
{
	if (lexer_char(lx, from) != '$' || lexer_char(lx, from + 1) != '{')
		return 0;
	size_t i = from + 2;
	while (char_is_name(lexer_char(lx, i)))
		i++;
	return lexer_char(lx, i) == '}' ? i + 1 - from : 0;
}

/*
 * The length of a path that is a field: from the slash after a colon to the next colon.  A
 * predicate has no colon so close, except after characters that no path has.
 */
static size_t path_length(const struct lexer *lx, size_t from)
{
	if (!from || lexer_char(lx, from - 1) != ':' || lexer_char(lx, from) != '/' ||
	    lexer_char(lx, from + 1) == '/')
		return 0;
	size_t i = from;
	while (char_is_name(lexer_char(lx, i)) ||
	       (lexer_char(lx, i) > 0 && strchr("/.-+_@", lexer_char(lx, i))))
		i++;
	return lexer_char(lx, i) == ':' ? i - from : 0;
}

/* The length of a field in quotes, after a colon: it may have any characters, "ns::box<int, 2>". */
static size_t quoted_length(const struct lexer *lx, size_t from)
{
	if (!from || lexer_char(lx, from - 1) != ':' || lexer_char(lx, from) != '"')
		return 0;
	size_t i = from + 1;
	while (lexer_char(lx, i) >= ' ' && lexer_char(lx, i) != '"')
		i++;
	return lexer_char(lx, i) == '"' ? i + 1 - from : 0;
}

static size_t probe_length(const struct lexer *lx)
{
	for (size_t len = 0;;) {
		int c = lexer_char(lx, len);
		size_t whole =
			braced_macro(lx, len) + path_length(lx, len) + quoted_length(lx, len);
		if (whole)
			len += whole;
		else if (c == '\\' && lexer_char(lx, len + 1) > ' ')
			len += 2;
		else if (char_is_probe(c) ||
			 (strchr("@+", c) && c > 0 && len)) /* file.c@12, 0x10+4 */
			len++;
		else
			return len;
	}
}

static bool lex_probe(struct lexer *lx, struct token *t)
{
	size_t len = lexer_char(lx, 0) == '`' ? 0 : probe_length(lx);
	if (!len)
		return false;
	t->kind = TOKEN_PROBE;
	t->text = arena_strndup(lx->arena, lexer_here(lx), len);
	lx->at.pos += len;
	return true;
}

/* --- the rest -------------------------------------------------------------------- */

static bool lex_punctuator(struct lexer *lx, struct token *t)
{
	size_t room = lx->source->len - lx->at.pos;
	uint64_t left = beginning_with(*lexer_here(lx))->punctuators;
	for (; left; left &= left - 1) {
		int i = __builtin_ctzll(left);
		size_t len = punctuators[i].len;
		if (len > room || memcmp(lexer_here(lx), punctuators[i].text, len) != 0)
			continue;
		t->kind = PUNCTUATOR_FIRST + i;
		lx->at.pos += len;
		return true;
	}
	return false;
}

static void lex_hash(struct lexer *lx, struct token *t)
{
	t->kind = TOKEN_HASH;
	t->text = "#";
	lx->at.pos++;
}

/* Control characters, bytes above ASCII and what D has no use for, in one go. */
static void lex_garbage(struct lexer *lx, struct token *t)
{
	struct place begin = lx->at;
	int c = lexer_char(lx, 0);
	do
		lx->at.pos++;
	while (lexer_char(lx, 0) > '~' || (lexer_char(lx, 0) >= 0 && lexer_char(lx, 0) < '\t'));
	t->kind = TOKEN_BAD;
	if (c > ' ' && c <= '~')
		lexer_mistake(lx, lexer_range(lx, begin), D_SYNTAX,
			      "this character has no meaning here near \"%c\"", c);
	else
		lexer_mistake(lx, lexer_range(lx, begin), D_SYNTAX,
			      "a byte that is not text has no meaning here near \"\\x%02x\"", c);
}

/* Does the slash just read end a predicate?  Then a body, a description or nothing follows. */
static bool slash_closes(const struct lexer *lx, const struct token *t)
{
	struct token slash = *t;
	slash.range.end = lx->at.pos;
	int next = lexer_char_after(lx, &slash);
	return next < 0 || next == ';' || next == '{' || next == '/';
}

static void lex_expression(struct lexer *lx, struct token *t)
{
	int c = lexer_char(lx, 0);
	if (char_is_digit(c) || (c == '.' && char_is_digit(lexer_char(lx, 1))))
		lexer_number(lx, t);
	else if (char_is_letter(c) || c == '`')
		lex_name(lx, t);
	else if (c == '"' || c == '\'')
		lexer_quoted(lx, t);
	else if (c == '@')
		lex_aggregation(lx, t);
	else if (c == '$')
		lexer_macro(lx, t);
	else if (c == '#' && lx->formulas)
		lex_hash(lx, t);
	else if (!lex_punctuator(lx, t))
		lex_garbage(lx, t);

	/* 9p`v9fs_remove: modules may begin with a digit */
	if (t->kind == TOKEN_IDENT && char_is_digit(c))
		lex_name(lx, t);
	if (t->kind == TOKEN_SLASH && lx->in_predicate && slash_closes(lx, t))
		t->kind = TOKEN_PREDICATE_END;
}

void lexer_next(struct lexer *lx, struct token *ret)
{
	blanks_skip(lx);
	*ret = (struct token) { .kind = TOKEN_END, .start = lx->at };
	if (lexer_char(lx, 0) < 0) {
		ret->range = lexer_range(lx, lx->at);
		if (lx->last_line) { /* after the last token, if there was one */
			ret->range.begin = ret->range.end = lx->last_end;
			ret->range.line = lx->last_line;
		}
		/* a line marker without a line after it leaves none */
		ret->range.line = MAX(ret->range.line, 1u);
		return;
	}
	if (lx->mode != LEXER_CLAUSE || !lex_probe(lx, ret))
		lex_expression(lx, ret);
	ret->range = lexer_range(lx, ret->start);
	if (!ret->text)
		ret->text = token_text(ret->kind);
	lx->last_end = ret->range.end;
	lx->last_line = ret->range.line;
}

void lexer_rewind(struct lexer *lx, const struct token *token)
{
	lx->at = token->start;
}
