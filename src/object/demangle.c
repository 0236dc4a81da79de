/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

struct demangling {
	struct strbuf text;
	bool is_too_long;
	jmp_buf too_long;
};

/* Mangled names of Rust are ASCII: only what libiberty has decoded (punycode) is not. */
static bool is_decoded(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0x80)
			return true;
	return false;
}

/*
 * libiberty has no way to stop but a jump out of it.  Text that it has decoded is in memory that
 * it frees after this call; in all other calls it holds none.
 */
static void demangled_add(const char *text, size_t len, void *arg)
{
	struct demangling *d = arg;
	d->is_too_long |= d->text.len + len > DEMANGLE_MOST;
	if (!d->is_too_long)
		strbuf_add(&d->text, text, len);
	else if (!is_decoded(text, len))
		longjmp(d->too_long, 1);
}

/* Rust's first: its older form is a C++ name, too. */
static bool demangled_write(struct demangling *d, const char *name, int options)
{
	if (setjmp(d->too_long))
		return false;
	return (rust_demangle_callback(name, options, demangled_add, d) ||
		cplus_demangle_v3_callback(name, options, demangled_add, d)) &&
	       !d->is_too_long;
}

bool demangle(const char *name, enum demangle_form form, struct strbuf *ret)
{
	if (!is_mangled(name) || strnlen(name, DEMANGLE_MOST) == DEMANGLE_MOST)
		return false;
	struct demangling *d = mem_zalloc(sizeof(*d));
	bool known = demangled_write(
		d, name,
		form == DEMANGLE_WHOLE ? DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP : DMGL_NO_OPTS);
	if (known && form == DEMANGLE_SHORT)
		demangled_shorten(d->text.text, "<...>");
	if (known)
		strbuf_puts(ret, strbuf_text(&d->text));
	strbuf_deinit(&d->text);
	free(d);
	return known;
}

#define IDENTIFIER "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* The length of an operator at TEXT whose name has < or >; else 0. */
static size_t operator_length(const char *begin, const char *text)
{
	static const char word[] = "operator";
	static const char *const signs[] = { "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=", ">=",
					     "->",  "<",   ">",	  "==",	 "!=", "-=", "+=", "-" };
	bool is_word = strncmp(text, word, strlen(word)) == 0 &&
		       (text == begin || !strchr(IDENTIFIER, text[-1]));
	for (size_t i = 0; i < ARRAY_SIZE(signs) && is_word; i++)
		if (strncmp(text + strlen(word), signs[i], strlen(signs[i])) == 0)
			return strlen(word) + strlen(signs[i]);
	return 0;
}

/* What is after the > that closes the < at TEXT; an arrow, of a function's type, closes nothing. */
static const char *template_end(const char *text)
{
	unsigned depth = 0;
	for (char before = 0; *text; before = *text++) {
		depth += *text == '<';
		if (*text == '>' && before != '-' && --depth == 0)
			return text + 1;
	}
	return text;
}

/* Rust names a method by its type and trait, <type as trait>::method: those are no arguments. */
static bool begins_path(const char *begin, const char *at)
{
	bool after_operator = at - begin >= 2 && at[-1] == ' ' && strchr("<>=-", at[-2]);
	return at == begin || (strchr("<(&*, ", at[-1]) && !after_operator);
}

void demangled_shorten(char *text, const char *with)
{
	size_t with_len = strlen(with);
	const char *begin = text;
	char *to = text;
	for (const char *from = text; *from;) {
		size_t len = operator_length(begin, from);
		bool opens = !len && *from == '<' && !begins_path(text, to);
		const char *end = opens ? template_end(from) : from;
		if (opens && (size_t)(end - from) > with_len) {
			memcpy(to, with, with_len);
			to += with_len;
			from = end;
			continue;
		}
		len = MAX(len, 1);
		memmove(to, from, len);
		to += len;
		from += len;
	}
	*to = '\0';
}
