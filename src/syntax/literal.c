/* SPDX-License-Identifier: BSD-2-Clause */
/* literal - numbers, characters and strings */
#include <string.h>
#include <strings.h>

#include "syntax/lexer.h"

static const struct {
	const char *text;
	enum integer_suffix suffix;
} suffixes[] = {
	{ "", SUFFIX_NONE }, { "u", SUFFIX_U },	    { "l", SUFFIX_L },	 { "ul", SUFFIX_UL },
	{ "ll", SUFFIX_LL }, { "ull", SUFFIX_ULL }, { "lu", SUFFIX_UL }, { "llu", SUFFIX_ULL },
};

static int literal_digit(int c)
{
	if (char_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 100;
}

struct number number_read(const char *text, size_t len)
{
	struct number n = { .decimal = true };
	unsigned base = 10;
	if (len > 1 && text[0] == '0' && (text[1] | 0x20) == 'x')
		base = 16;
	else if (len > 1 && text[0] == '0' && char_is_digit(text[1]))
		base = 8;
	n.decimal = base == 10;

	size_t i = base == 16 ? 2 : 0;
	n.bad_digit = base == 16 && (len == 2 || literal_digit(text[2]) >= 16);
	for (; i < len && literal_digit(text[i]) < (base == 16 ? 16 : 10); i++) {
		unsigned digit = literal_digit(text[i]);
		n.bad_digit |= digit >= base;
		n.overflow |= __builtin_mul_overflow(n.value, base, &n.value);
		n.overflow |= __builtin_add_overflow(n.value, digit, &n.value);
	}
	n.len = i;
	return n;
}

static bool suffix_read(const char *text, size_t len, enum integer_suffix *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (strlen(suffixes[i].text) != len || strncasecmp(suffixes[i].text, text, len))
			continue;
		*ret = suffixes[i].suffix;
		return true;
	}
	return false;
}

/* The whole word that begins like a number. */
static size_t number_length(const struct lexer *lx)
{
	size_t len = 0;
	while (char_is_name(lexer_char(lx, len)))
		len++;
	return len;
}

static bool is_floating(const struct lexer *lx, const char *text, size_t len, size_t digits)
{
	if (lexer_char(lx, len) == '.' || len == 0)
		return true;
	return digits < len && (text[digits] | 0x20) == 'e' && digits + 1 <= len &&
	       strspn(text + digits + 1, "0123456789") == len - digits - 1;
}

static void floating_skip(struct lexer *lx, struct token *t)
{
	while (char_is_name(lexer_char(lx, 0)) || lexer_char(lx, 0) == '.')
		lx->at.pos++;
	t->kind = TOKEN_BAD;
	lexer_mistake(lx, lexer_range(lx, t->start), D_SYNTAX,
		      "D has no floating-point constants: 1.5 * n is written n * 15 / 10, "
		      "x > 1.5 is fixed(x, 10) > 15 near \"%.*s\"",
		      (int)MIN(lx->at.pos - t->start.pos, 40u), lx->source->text + t->start.pos);
}

void lexer_number(struct lexer *lx, struct token *t)
{
	size_t len = number_length(lx);
	if (lexer_char(lx, len) == '`') {
		t->kind = TOKEN_IDENT; /* no number: the lexer reads it as a name */
		return;
	}
	const char *text = arena_strndup(lx->arena, lexer_here(lx), len);
	struct number n = number_read(text, len);
	if (is_floating(lx, text, len, n.len)) {
		floating_skip(lx, t);
		return;
	}

	lx->at.pos += len;
	struct range range = lexer_range(lx, t->start);
	t->kind = TOKEN_INTEGER;
	t->integer.value = n.overflow ? UINT64_MAX : n.value;
	t->integer.decimal = n.decimal;
	if (n.bad_digit)
		lexer_mistake(lx, range, D_INT_DIGIT, "%s has a digit that is not %s", text,
			      (text[1] | 0x20) == 'x' ? "hexadecimal" : "octal");
	else if (!suffix_read(text + n.len, len - n.len, &t->integer.suffix))
		lexer_mistake(lx, range, D_SYNTAX,
			      "this is neither a number nor a name near \"%.40s\"", text);
	else if (n.overflow)
		lexer_mistake(lx, range, D_INT_OFLOW, "%s does not fit in 64 bits", text);
}

/* --- escapes ------------------------------------------------------------------- */

static size_t octal_decode(const char *text, size_t len, char *ret)
{
	unsigned value = 0;
	size_t i = 0;
	for (; i < len && i < 3 && text[i] >= '0' && text[i] <= '7'; i++)
		value = value * 8 + (text[i] - '0');
	*ret = (char)value;
	return i;
}

static size_t hex_decode(const char *text, size_t len, char *ret)
{
	unsigned value = 0;
	size_t i = 0;
	for (; i < len && literal_digit(text[i]) < 16; i++)
		value = value * 16 + literal_digit(text[i]);
	*ret = (char)value;
	return i;
}

/* One escape after its backslash; its number of characters, 0 if it is not an escape. */
static size_t escape_decode(const char *text, size_t len, char *ret)
{
	static const char letters[] = "abfnrtv\\\"'?", meanings[] = "\a\b\f\n\r\t\v\\\"'?";
	const char *letter = len && *text ? strchr(letters, *text) : NULL;
	if (letter) {
		*ret = meanings[letter - letters];
		return 1;
	}
	if (len > 1 && *text == 'x' && literal_digit(text[1]) < 16)
		return 1 + hex_decode(text + 1, len - 1, ret);
	return octal_decode(text, len, ret);
}

size_t escapes_decode(const char *text, size_t len, char *ret)
{
	size_t out = 0;
	for (size_t i = 0; i < len;) {
		char c = text[i++];
		size_t used = c == '\\' ? escape_decode(text + i, len - i, &c) : 0;
		i += used;
		if (!used)
			c = text[i - 1];
		ret[out++] = c;
	}
	return out;
}

/* --- characters and strings ------------------------------------------------------ */

static void character_value(struct lexer *lx, struct token *t)
{
	struct range range = lexer_range(lx, t->start);
	t->kind = TOKEN_INTEGER;
	t->integer.character = true;
	if (t->text_len > 4) /* more than an int holds */
		t->integer.suffix = SUFFIX_L;
	if (!t->text_len)
		lexer_mistake(lx, range, D_CHR_NULL, "a character constant must not be empty");
	if (t->text_len > 8)
		lexer_mistake(lx, range, D_CHR_OFLOW, "a character constant holds at most 8 bytes");
	for (uint32_t i = 0; i < t->text_len; i++)
		t->integer.value = t->integer.value << 8 | (unsigned char)t->text[i];
}

static void quoted_unfinished(struct lexer *lx, struct token *t, int quote)
{
	struct range range = lexer_range(lx, t->start);
	t->kind = TOKEN_BAD;
	if (lexer_char(lx, 0) < 0)
		lexer_mistake(lx, range, D_SYNTAX, "the closing %c is missing near end of input",
			      quote);
	else if (quote == '"')
		lexer_mistake(lx, range, D_STR_NL, "this string has no closing \" in its line");
	else
		lexer_mistake(lx, range, D_CHR_NL, "this character has no closing ' in its line");
}

void lexer_quoted(struct lexer *lx, struct token *t)
{
	int quote = lexer_char(lx, 0);
	uint32_t begin = ++lx->at.pos;
	while (lexer_char(lx, 0) != quote) {
		int c = lexer_char(lx, 0);
		if (c == '\\' && lexer_char(lx, 1) >= 0 && lexer_char(lx, 1) != '\n')
			lx->at.pos++;
		else if (c < 0 || c == '\n') {
			quoted_unfinished(lx, t, quote);
			return;
		}
		lx->at.pos++;
	}
	size_t len = lx->at.pos++ - begin;
	char *text = arena_alloc(lx->arena, len + 1);
	t->kind = TOKEN_STRING;
	t->text_len = escapes_decode(lx->source->text + begin, len, text);
	t->text = text;
	if (quote == '\'')
		character_value(lx, t);
}
