/* SPDX-License-Identifier: BSD-2-Clause */
#include "syntax/outline.h"

#include <string.h>

#include "syntax/lexer.h"

/*
 * A word is a maximal run of letters, digits, _ and `; all others are single characters.  DEPTH
 * counts ( [ and {.  Strings, comments and control lines are skipped.
 */
struct scanner {
	const char *text;
	size_t len, pos;
	uint32_t line;
	size_t token, token_end; /* the last token */
	struct outline *out;
	uint32_t pending, pending_line; /* begin of a `binding ... translator`, if has_pending */
	bool has_pending;
};

static bool scanner_is_word(char c)
{
	return char_is_name(c) || c == '`';
}

static char at(const struct scanner *s, size_t pos)
{
	return pos < s->len ? s->text[pos] : '\0';
}

static void scanner_give_up(struct scanner *s, const char *problem)
{
	if (!s->out->problem) {
		s->out->problem = problem;
		s->out->problem_line = s->line;
	}
	s->pos = s->len;
}

static bool token_is(const struct scanner *s, const char *word)
{
	size_t len = strlen(word);
	return s->token_end - s->token == len && memcmp(s->text + s->token, word, len) == 0;
}

/* --- results ----------------------------------------------------------------------------- */

static uint32_t name_add(struct outline *o, const char *before, const char *name, size_t len)
{
	uint32_t at = (uint32_t)o->names.len;
	strbuf_puts(&o->names, before);
	strbuf_add(&o->names, name, len);
	strbuf_putc(&o->names, '\0');
	return at;
}

static struct outline_item *item_add(struct scanner *s, enum outline_kind kind, const char *before,
				     const char *name, size_t len)
{
	struct outline_item *item = vector_extend(&s->out->items);
	*item = (struct outline_item) { .kind = (uint8_t)kind,
					.name = name_add(s->out, before, name, len) };
	return item;
}

/* --- control lines ------------------------------------------------------------------------- */

struct words {
	const char *text[8];
	size_t len[8];
	unsigned count;
};

static void words_split(const char *line, size_t len, struct words *ret)
{
	for (size_t i = 0; i < len && ret->count < ARRAY_SIZE(ret->text);) {
		size_t begin = i;
		while (i < len && line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
			i++;
		if (i == begin) {
			i++;
			continue;
		}
		ret->text[ret->count] = line + begin;
		ret->len[ret->count++] = i - begin;
	}
}

static bool word_is(const struct words *w, unsigned i, const char *text)
{
	return i < w->count && w->len[i] == strlen(text) &&
	       memcmp(w->text[i], text, w->len[i]) == 0;
}

static bool is_dependency(const struct words *w)
{
	return word_is(w, 2, "depends_on") && w->count == 5 &&
	       (word_is(w, 3, "module") || word_is(w, 3, "provider") || word_is(w, 3, "library"));
}

static void pragma_add(struct scanner *s, const struct words *w, size_t begin, size_t end)
{
	struct outline_item *item = NULL;
	if (is_dependency(w))
		item = item_add(s, OUTLINE_DEPEND, "", w->text[3],
				(size_t)(w->text[4] + w->len[4] - w->text[3]));
	else if (word_is(w, 2, "option") && w->count == 4)
		item = item_add(s, OUTLINE_OPTION, "", w->text[3], w->len[3]);
	else if (word_is(w, 2, "binding") && word_is(w, 4, "translator")) {
		s->has_pending = true;
		s->pending = (uint32_t)begin;
		s->pending_line = s->line;
		return;
	} else if ((word_is(w, 2, "attributes") && word_is(w, 4, "provider") && w->count > 5))
		item = item_add(s, OUTLINE_PRAGMA, "provider ", w->text[5], w->len[5]);
	else if ((word_is(w, 2, "attributes") || word_is(w, 2, "binding")) && w->count == 5)
		item = item_add(s, OUTLINE_PRAGMA, "", w->text[4], w->len[4]);
	else
		item = item_add(s, OUTLINE_CHECK, "", "", 0);
	item->begin = (uint32_t)begin;
	item->end = (uint32_t)end;
	item->line = s->line;
}

/* Something to carry out, or a mistake: neither #, #!, #ident, #line, # N nor others' pragmas. */
static bool is_for_d(const struct words *w)
{
	if (word_is(w, 0, "pragma"))
		return word_is(w, 1, "D");
	char first = w->count ? *w->text[0] : '!';
	return first != '!' && !(first >= '0' && first <= '9') && !word_is(w, 0, "ident") &&
	       !word_is(w, 0, "line");
}

static void control_line(struct scanner *s)
{
	size_t begin = s->pos, first = begin + 1;
	while (s->pos < s->len && s->text[s->pos] != '\n')
		s->pos++;
	while (first < s->pos && (s->text[first] == ' ' || s->text[first] == '\t'))
		first++; /* "# pragma" */
	struct words w = { .count = 0 };
	words_split(s->text + first, s->pos - first, &w);
	if (is_for_d(&w))
		pragma_add(s, &w, begin, s->pos);
}

/* --- tokens -------------------------------------------------------------------------------- */

static void skip_comment(struct scanner *s)
{
	uint32_t line = s->line;
	bool block = at(s, s->pos + 1) == '*';
	for (s->pos += 2; s->pos < s->len; s->pos++) {
		if (s->text[s->pos] == '\n') {
			if (!block)
				return;
			s->line++;
		} else if (block && s->text[s->pos] == '*' && at(s, s->pos + 1) == '/') {
			s->pos += 2;
			return;
		}
	}
	if (block) {
		s->line = line;
		scanner_give_up(s, "this comment has no end");
	}
}

static void skip_quoted(struct scanner *s)
{
	char quote = s->text[s->pos++];
	while (s->pos < s->len && s->text[s->pos] != quote && s->text[s->pos] != '\n')
		s->pos += s->text[s->pos] == '\\' && at(s, s->pos + 1) != '\n' ? 2 : 1;
	if (at(s, s->pos) != quote)
		scanner_give_up(s, "this string has no closing quote");
	else
		s->pos++;
}

/* Blanks, comments and control lines. */
static void scanner_skip_blanks(struct scanner *s)
{
	bool line_begins = s->pos == 0 || s->text[s->pos - 1] == '\n';
	for (; s->pos < s->len; s->pos++) {
		char c = s->text[s->pos];
		if (c == '/' && (at(s, s->pos + 1) == '*' || at(s, s->pos + 1) == '/')) {
			skip_comment(s);
			s->pos--;
		} else if (c == '#' && line_begins) {
			control_line(s);
			s->pos--;
		} else if (c == '\n') {
			s->line++;
			line_begins = true;
		} else if (c != ' ' && c != '\t' && c != '\r' && c != '\v' && c != '\f') {
			return;
		}
	}
}

/* The first character of the next token, '\0' at the end.  Words begin with a letter or digit. */
static char scanner_next(struct scanner *s)
{
	scanner_skip_blanks(s);
	s->token = s->pos;
	char c = at(s, s->pos);
	if (s->pos >= s->len)
		c = '\0';
	else if (scanner_is_word(c))
		while (scanner_is_word(at(s, s->pos)))
			s->pos++;
	else if (c == '"' || c == '\'')
		skip_quoted(s);
	else
		s->pos++;
	s->token_end = MIN(s->pos, s->len);
	return c;
}

static void back(struct scanner *s)
{
	s->pos = s->token;
}

/* --- items --------------------------------------------------------------------------------- */

static int nesting(char c)
{
	return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* Up to the `;` that ends the item. */
static void skip_item(struct scanner *s, int depth)
{
	for (char c = scanner_next(s); c; c = scanner_next(s)) {
		depth += nesting(c);
		if (c == ';' && depth <= 0)
			return;
	}
}

struct piece {
	const char *text;
	size_t len;
};

static struct piece last_token(const struct scanner *s)
{
	return (struct piece) { s->text + s->token, s->token_end - s->token };
}

static void piece_add(struct scanner *s, enum outline_kind kind, const char *before, struct piece p)
{
	if (p.len && !(p.text[0] >= '0' && p.text[0] <= '9'))
		item_add(s, kind, before, p.text, p.len);
}

/* inline TYPE NAME = ...;  inline TYPE NAME[...] = ...; */
static void inline_item(struct scanner *s)
{
	struct piece name = { 0 };
	for (char c = scanner_next(s); c; c = scanner_next(s)) {
		if (c == '=' || c == '[') {
			piece_add(s, OUTLINE_VALUE, "", name);
			skip_item(s, c == '[');
			return;
		}
		if (scanner_is_word(c))
			name = last_token(s);
		if (c == ';')
			return;
	}
}

/* translator TYPE < ... */
static void translator_item(struct scanner *s)
{
	auto_strbuf struct strbuf type = { 0 };
	char c;
	for (c = scanner_next(s); c && c != '<' && c != ';' && c != '{'; c = scanner_next(s)) {
		if (type.len)
			strbuf_putc(&type, ' ');
		strbuf_add(&type, s->text + s->token, s->token_end - s->token);
	}
	piece_add(s, OUTLINE_OTHER, "xlate ", (struct piece) { strbuf_text(&type), type.len });
	if (c != ';')
		skip_item(s, c == '{');
}

static void enumerators(struct scanner *s)
{
	int depth = 1;
	bool expected = true;
	while (depth > 0) {
		char c = scanner_next(s);
		if (!c)
			return;
		if (depth == 1 && expected && scanner_is_word(c))
			piece_add(s, OUTLINE_VALUE, "", last_token(s));
		depth += nesting(c);
		expected = depth == 1 && c == ',';
	}
}

/* After struct, union or enum: the tag, if a body makes it a definition. */
static void tag_item(struct scanner *s, const char *keyword)
{
	struct piece tag = { 0 };
	char c = scanner_next(s);
	if (scanner_is_word(c)) {
		tag = last_token(s);
		c = scanner_next(s);
	}
	if (c != '{') {
		back(s);
		return;
	}
	piece_add(s, OUTLINE_TYPE, keyword, tag);
	if (string_equal(keyword, "enum "))
		enumerators(s);
	else
		back(s);
}

static const char *tag_word(const struct scanner *s)
{
	return token_is(s, "struct")  ? "struct "
	       : token_is(s, "union") ? "union "
	       : token_is(s, "enum")  ? "enum "
				      : NULL;
}

/* A declaration: tags with bodies anywhere in it, and the declared names after PREFIX. */
static void declaration_item(struct scanner *s, enum outline_kind kind, const char *prefix)
{
	struct piece name = { 0 };
	int depth = 0;
	bool in_body = false;
	for (char c = scanner_next(s); c; c = scanner_next(s)) {
		const char *tag = scanner_is_word(c) ? tag_word(s) : NULL;
		if (tag)
			tag_item(s, tag);
		else if (scanner_is_word(c) && depth == 0)
			name = last_token(s);
		else if (scanner_is_word(c) && !in_body && depth == 1 && !name.len)
			name = last_token(s); /* (*name)(...) */
		else if (depth == 0 && (c == ';' || c == ',')) {
			piece_add(s, kind, prefix, name);
			name = (struct piece) { 0 };
		}
		depth += nesting(c);
		if (nesting(c)) {
			in_body = depth > 0 && (c == '{' || in_body);
			if (c == '(' && depth == 1 && at(s, s->pos) == '*')
				name = (struct piece) { 0 };
		}
		if (c == ';' && depth <= 0)
			return;
	}
}

/* Starts with none of our words: a declaration by a type's name, or a clause. */
static void other_item(struct scanner *s)
{
	struct piece name = { 0 };
	for (char c = scanner_next(s); c; c = scanner_next(s)) {
		if (scanner_is_word(c))
			name = last_token(s);
		if (c == ';' || c == '[') {
			piece_add(s, OUTLINE_VALUE, "", name);
			if (c == '[')
				skip_item(s, 1);
			return;
		}
		if (c != '{')
			continue;
		for (int depth = 1; depth > 0 && c;) {
			c = scanner_next(s);
			depth += nesting(c);
		}
		item_add(s, OUTLINE_CHECK, "", "", 0);
		return;
	}
}

static bool is_declaring(const struct scanner *s)
{
	static const char *const words[] = { "char",   "const",	   "counter",  "double",
					     "enum",   "extern",   "float",    "int",
					     "long",   "restrict", "short",    "signed",
					     "string", "struct",   "union",    "unsigned",
					     "void",   "volatile", "userland", "_Bool" };
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (token_is(s, words[i]))
			return true;
	return false;
}

static void item_by_word(struct scanner *s)
{
	if (token_is(s, "inline")) {
		inline_item(s);
	} else if (token_is(s, "translator")) {
		translator_item(s);
	} else if (token_is(s, "provider")) {
		scanner_next(s);
		piece_add(s, OUTLINE_OTHER, "provider ", last_token(s));
		skip_item(s, 0);
	} else if (token_is(s, "typedef")) {
		declaration_item(s, OUTLINE_TYPE, "");
	} else if (token_is(s, "self") || token_is(s, "this")) {
		declaration_item(s, OUTLINE_VALUE, token_is(s, "self") ? "self->" : "this->");
	} else if (is_declaring(s)) {
		back(s);
		declaration_item(s, OUTLINE_VALUE, "");
	} else {
		back(s);
		other_item(s);
	}
}

static void item(struct scanner *s)
{
	size_t first = s->out->items.count;
	uint32_t begin = (uint32_t)s->token, line = s->line;
	if (s->has_pending && token_is(s, "translator")) {
		begin = s->pending;
		line = s->pending_line;
		s->has_pending = false;
	}
	item_by_word(s);
	for (size_t i = first; i < s->out->items.count; i++) {
		struct outline_item *new = &s->out->items.items[i];
		if (new->end) /* a control line inside */
			continue;
		new->begin = begin;
		new->end = (uint32_t)s->pos;
		new->line = line;
	}
}

void outline_read(const char *text, size_t len, struct outline *ret)
{
	struct scanner s = { .text = text, .len = len, .line = 1, .out = ret };
	if (len > UINT32_MAX / 2)
		scanner_give_up(&s, "it is too large for a D library");
	while (scanner_next(&s)) {
		uint32_t line = s.line;
		item(&s);
		if (s.pos >= len && !ret->problem && at(&s, s.token) != ';' &&
		    at(&s, s.token) != '}') {
			s.line = line;
			scanner_give_up(&s, "this has no end: a } or ; is missing");
		}
	}
}

bool outline_has_words(const char *text, size_t len, const char *first, const char *second)
{
	struct outline ignored = { 0 };
	struct scanner s = { .text = text, .len = len, .line = 1, .out = &ignored };
	bool found = false, after_first = false;
	if (!memmem(text, len, second, strlen(second)))
		return false;
	while (!found && scanner_next(&s)) {
		found = after_first && token_is(&s, second);
		after_first = token_is(&s, first);
	}
	outline_deinit(&ignored);
	return found;
}

void outline_deinit(struct outline *o)
{
	vector_free(&o->items);
	strbuf_deinit(&o->names);
}
