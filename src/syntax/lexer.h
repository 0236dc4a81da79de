/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lexer - D text to tokens, one at a time
 *
 * The parser chooses the mode before it reads a token, and may step back to
 * the beginning of a token to read it again in the other mode.  Control lines
 * (#pragma, #line) are carried out when the lexer first passes them.
 *
 *   LEXER_CLAUSE      for probe descriptions: `-n*?[` are letters
 *   LEXER_EXPRESSION  everywhere else
 */
#ifndef SYNTAX_LEXER_H
#define SYNTAX_LEXER_H

#include "syntax/argument.h"
#include "syntax/syntax.h"

enum token_kind {
	TOKEN_NONE, /* matches nothing: the parser has found a mistake */
	TOKEN_END,  /* of the text */
	TOKEN_BAD,  /* the lexer has diagnosed it */
	TOKEN_PROBE,
	TOKEN_IDENT,
	TOKEN_AGGREGATION,
	TOKEN_INTEGER,
	TOKEN_STRING,
	TOKEN_PREDICATE_END,
	TOKEN_HASH, /* in formulas */
#define PUNCTUATOR(name, text, level, op) TOKEN_##name,
#include "syntax/token.def"
#undef PUNCTUATOR
#define KEYWORD(name, text, role, bit) KEYWORD_##name,
#include "syntax/token.def"
#undef KEYWORD
};

enum { ASSIGNS = 100 }; /* token_level() of the assignments */

enum keyword_role {
	ROLE_NONE, /* not a keyword */
	ROLE_WORD,
	ROLE_STORAGE,
	ROLE_QUALIFIER,
	ROLE_ITEM,
	ROLE_OPERATOR,
	ROLE_STATEMENT,
	ROLE_RESERVED,
	ROLE_GNU,
};

/* The token's spelling, or "" if it varies. */
const char *token_text(enum token_kind kind);
unsigned token_level(enum token_kind kind);
enum op token_op(enum token_kind kind);
enum keyword_role token_role(enum token_kind kind);
unsigned token_bit(enum token_kind kind);

/* The keyword of this name, or TOKEN_IDENT. */
enum token_kind keyword_find(const char *name);

/* A place in the text: our offset, and the author's file and line. */
struct place {
	uint32_t pos;
	uint32_t line;
	const char *file;   /* NULL: the source itself */
	unsigned inclusion; /* how many #includes deep */
};

struct token {
	enum token_kind kind;
	struct range range;
	struct place start;
	const char *text;  /* of names, keywords, strings and probe descriptions */
	uint32_t text_len; /* of strings, which may hold NULs */
	bool is_argument;  /* of strings: as in struct node */
	struct {
		uint64_t value;
		bool decimal, character;
		bool negative; /* as in struct node */
		enum integer_suffix suffix;
	} integer;
};

struct lexer {
	struct arena *arena;
	const struct source *source;
	const struct syntax_env *env;
	struct diagnostics *diagnostics;
	struct pragma_node **pragma_end; /* where the next kept pragma goes */
	enum lexer_mode { LEXER_CLAUSE, LEXER_EXPRESSION } mode;
	bool in_predicate; /* a slash may close it */
	bool formulas;	   /* # is a token */
	bool quiet;	   /* skipping: report nothing */
	bool gave_up;	   /* too many mistakes */
	struct place at;
	uint32_t first;		/* where the text begins, after a byte order mark */
	uint32_t controls_done; /* control lines before this offset have been carried out */
	bool lacks_cpp;		/* the first line of the preprocessor has been reported */
	uint32_t last_end;	/* of the last token, with its line, for messages at the end */
	uint32_t last_line;
	size_t mistakes_max; /* then we give up */
	uint32_t pack;	     /* #pragma pack, 0: none */
	uint32_t packs[16];  /* its stack */
	unsigned pack_count;
	struct script_arguments *arguments; /* of the program; NULL: it can declare none */
	bool only_arguments;		    /* before parsing: their declarations are collected */
	unsigned target;    /* the index of the process that $target means now ... */
	bool meant_targets; /* ... and whether $target was used */
};

void lexer_next(struct lexer *lx, struct token *ret);

/* Continue with TOKEN, which lexer_next() gave, as if it had not been read. */
void lexer_rewind(struct lexer *lx, const struct token *token);

/* The character that follows blanks and comments after TOKEN, or -1. */
int lexer_char_after(const struct lexer *lx, const struct token *token);

/* Report a mistake, unless the lexer is skipping. */
void lexer_mistake(struct lexer *lx, struct range range, enum diagnostic_tag tag, const char *fmt,
		   ...) __attribute__((format(printf, 4, 5)));

/* --- shared by the files of the lexer ----------------------------------------- */

static inline int lexer_char(const struct lexer *lx, size_t ahead)
{
	size_t pos = lx->at.pos + ahead;
	return pos < lx->source->len ? (unsigned char)lx->source->text[pos] : -1;
}

static inline const char *lexer_here(const struct lexer *lx)
{
	return lx->source->text + lx->at.pos;
}

/* From BEGIN to the current place. */
struct range lexer_range(const struct lexer *lx, struct place begin);

static inline bool char_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool char_is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool char_is_name(int c)
{
	return char_is_letter(c) || char_is_digit(c);
}

/* Blank, but not the end of a line. */
static inline bool char_is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Skip blanks and comments, but not the end of the line (control lines). */
bool lexer_skip_comment(struct lexer *lx);

/* control.c: carry out the control line at `#`; stops at its newline. */
void lexer_control_line(struct lexer *lx);

/* literal.c: numbers, characters and strings at the current place. */
void lexer_number(struct lexer *lx, struct token *t);
void lexer_quoted(struct lexer *lx, struct token *t);

/* Like C's strtoull: how many characters were digits of the number. */
struct number {
	uint64_t value;
	bool decimal, overflow, bad_digit;
	size_t len;
};
struct number number_read(const char *text, size_t len);

/* Undo the escapes of TEXT into RET, which has LEN bytes; the result is the new length. */
size_t escapes_decode(const char *text, size_t len, char *ret);

/* macro.c: $1, $$1, $name and ${name}. */
bool macro_is_known(const char *name); /* $NAME, unless declared */
void lexer_macro(struct lexer *lx, struct token *t);

/*
 * The value of the macro variable at TEXT, which begins with `$`.  *USED is the
 * length of the reference.  NULL when there is no such macro; *USED is then 0
 * if the text is not a reference at all.
 */
const char *macro_expand(struct lexer *lx, const char *text, size_t len, size_t *used);

/* For a mistake about the undefined reference at TEXT: a suggestion, or "". */
const char *macro_suggestion(struct lexer *lx, const char *text, size_t len);

#endif
