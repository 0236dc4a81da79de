/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse_name - a type written as C writes it, from text
 *
 * For tables of prototypes and for type names in data; D code has the real
 * parser.  Names are abstract: "int (*)(void *, ...)", no identifier inside.
 */
#include <ctype.h>

#include "types/model.h"

#define DEPTH_MAX 32

struct reader {
	struct types *types;
	const char *p; /* NULL after a mistake */
};

static void reader_skip_blanks(struct reader *r)
{
	while (r->p && isspace((unsigned char)*r->p))
		r->p++;
}

static const struct type *fail(struct reader *r)
{
	r->p = NULL;
	return types_intrinsic(r->types, INTRINSIC_POISON);
}

static bool accept(struct reader *r, const char *what)
{
	reader_skip_blanks(r);
	size_t len = strlen(what);
	if (!r->p || strncmp(r->p, what, len) != 0)
		return false;
	r->p += len;
	return true;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '`';
}

/* The length of the word that comes next; 0: none. */
static size_t peek_word(struct reader *r)
{
	reader_skip_blanks(r);
	size_t len = 0;
	if (r->p && !isdigit((unsigned char)*r->p))
		while (is_word_char(r->p[len]))
			len++;
	return len;
}

static bool accept_word(struct reader *r, const char *word)
{
	size_t len = peek_word(r);
	if (len != strlen(word) || strncmp(r->p, word, len) != 0)
		return false;
	r->p += len;
	return true;
}

static unsigned accept_qualifiers(struct reader *r)
{
	unsigned found = 0;
	for (;;) {
		if (accept_word(r, "const"))
			found |= TYPE_CONST;
		else if (accept_word(r, "volatile"))
			found |= TYPE_VOLATILE;
		else if (accept_word(r, "userland"))
			found |= TYPE_USERLAND;
		else if (!accept_word(r, "restrict"))
			return found;
	}
}

/* --- the part before the declarator --- */

struct base_words {
	unsigned is_signed, is_unsigned, is_char, is_short, is_int, is_long, is_double;
	unsigned total;
};

static bool accept_base_word(struct reader *r, struct base_words *w)
{
	struct {
		const char *word;
		unsigned *count;
	} known[] = {
		{ "signed", &w->is_signed }, { "unsigned", &w->is_unsigned },
		{ "char", &w->is_char },     { "short", &w->is_short },
		{ "int", &w->is_int },	     { "long", &w->is_long },
		{ "double", &w->is_double },
	};
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!accept_word(r, known[i].word))
			continue;
		++*known[i].count;
		w->total++;
		return true;
	}
	return false;
}

static const struct type *base_type(struct reader *r, const struct base_words *w)
{
	bool u = w->is_unsigned;
	if (w->is_signed + w->is_unsigned > 1 || w->is_int > 1 || w->is_short > 1 ||
	    w->is_long > 2 || w->is_char + w->is_int + w->is_double > 1 ||
	    (w->is_short && w->is_long) || (w->is_char && w->is_short + w->is_long))
		return fail(r);

	enum type_intrinsic which;
	if (w->is_double && (w->is_signed + w->is_unsigned + w->is_short || w->is_long > 1))
		return fail(r);
	else if (w->is_double)
		which = w->is_long ? INTRINSIC_LONG_DOUBLE : INTRINSIC_DOUBLE;
	else if (w->is_char)
		which = u ? INTRINSIC_UCHAR : w->is_signed ? INTRINSIC_SCHAR : INTRINSIC_CHAR;
	else if (w->is_short)
		which = u ? INTRINSIC_USHORT : INTRINSIC_SHORT;
	else if (w->is_long == 2)
		which = u ? INTRINSIC_ULONG_LONG : INTRINSIC_LONG_LONG;
	else if (w->is_long)
		which = u ? INTRINSIC_ULONG : INTRINSIC_LONG;
	else
		which = u ? INTRINSIC_UINT : INTRINSIC_INT;
	return types_intrinsic(r->types, which);
}

static bool is_tag_keyword(const char *word, size_t len)
{
	const char *tick = memchr(word, '`', len);
	if (tick) {
		len -= (size_t)(tick + 1 - word);
		word = tick + 1;
	}
	return (len == 6 && strncmp(word, "struct", 6) == 0) ||
	       (len == 5 && strncmp(word, "union", 5) == 0) ||
	       (len == 4 && strncmp(word, "enum", 4) == 0);
}

/* A typedef, or a keyword and a tag; a module may precede it. */
static const struct type *named_type(struct reader *r)
{
	size_t len = peek_word(r);
	if (!len)
		return fail(r);
	auto_strbuf struct strbuf name = { 0 };
	strbuf_add(&name, r->p, len);
	bool tagged = is_tag_keyword(r->p, len);
	r->p += len;
	if (tagged) {
		len = peek_word(r);
		if (!len)
			return fail(r);
		strbuf_putc(&name, ' ');
		strbuf_add(&name, r->p, len);
		r->p += len;
	}
	const struct type *type = types_find(r->types, strbuf_text(&name));
	return type ? type : fail(r);
}

static const struct type *specifiers(struct reader *r)
{
	unsigned qualifiers = accept_qualifiers(r);
	struct base_words words = { 0 };
	while (accept_base_word(r, &words))
		qualifiers |= accept_qualifiers(r);
	const struct type *type = words.total ? base_type(r, &words) : named_type(r);
	qualifiers |= accept_qualifiers(r);
	return types_qualified(r->types, type, qualifiers);
}

/* --- the declarator --- */

static const struct type *type_name(struct reader *r, unsigned depth);

static const struct type *array_suffix(struct reader *r, const struct type *base, unsigned depth);

static const struct type *function_suffix(struct reader *r, const struct type *base, unsigned depth)
{
	VECTOR(const struct type *) params = { 0 };
	bool varargs = false;
	if (!accept(r, ")")) {
		do {
			varargs = accept(r, "...");
			if (varargs)
				break;
			vector_push(&params, type_name(r, depth - 1));
		} while (accept(r, ","));
		if (!accept(r, ")"))
			fail(r);
	}
	if (params.count == 1 && params.items[0]->kind == TYPE_VOID)
		params.count = 0;
	const struct type *type =
		types_function(r->types, base, params.items, (unsigned)params.count, varargs);
	vector_free(&params);
	return type;
}

static const struct type *suffixes(struct reader *r, const struct type *base, unsigned depth)
{
	if (!depth)
		return fail(r);
	if (accept(r, "["))
		return array_suffix(r, base, depth - 1);
	if (accept(r, "("))
		return function_suffix(r, base, depth - 1);
	return base;
}

/* The first bracket is the outermost array, so what follows is its element. */
static const struct type *array_suffix(struct reader *r, const struct type *base, unsigned depth)
{
	uint64_t count = 0;
	reader_skip_blanks(r);
	for (; r->p && isdigit((unsigned char)*r->p); r->p++) {
		count = count * 10 + (unsigned)(*r->p - '0');
		if (count > UINT32_MAX)
			return fail(r);
	}
	if (!accept(r, "]"))
		return fail(r);
	return types_array(r->types, suffixes(r, base, depth), (uint32_t)count);
}

/* Skip from after a "(" past its ")"; NULL if there is none. */
static const char *behind_parenthesis(const char *p)
{
	for (unsigned open = 1; *p; p++) {
		open += *p == '(';
		open -= *p == ')';
		if (!open)
			return p + 1;
	}
	return NULL;
}

static const struct type *declarator(struct reader *r, const struct type *base, unsigned depth)
{
	if (!depth)
		return fail(r);
	while (accept(r, "*")) {
		base = types_pointer(r->types, base);
		base = types_qualified(r->types, base, accept_qualifiers(r));
	}

	const char *before = r->p;
	if (!accept(r, "("))
		return suffixes(r, base, depth);
	reader_skip_blanks(r);
	if (*r->p != '*' && *r->p != '(' && *r->p != '[') {
		r->p = before;
		return suffixes(r, base, depth);
	}
	/* The part after the parenthesis applies first: int (*)[4] points to an array. */
	const char *inside = r->p;
	r->p = behind_parenthesis(inside);
	if (!r->p)
		return fail(r);
	base = suffixes(r, base, depth - 1);
	const char *end = r->p;
	if (!end)
		return base;
	r->p = inside;
	const struct type *type = declarator(r, base, depth - 1);
	if (!accept(r, ")"))
		return fail(r);
	r->p = end;
	return type;
}

static const struct type *type_name(struct reader *r, unsigned depth)
{
	if (!depth)
		return fail(r);
	const struct type *base = specifiers(r);
	return r->p ? declarator(r, base, depth) : base;
}

const struct type *types_parse(struct types *t, const char *text)
{
	struct reader r = { .types = t, .p = text };
	const struct type *type = type_name(&r, DEPTH_MAX);
	reader_skip_blanks(&r);
	return r.p && !*r.p ? type : NULL;
}
