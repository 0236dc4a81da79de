/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declared_text - pieces of the source as text: parameters, and the types that they need
 *
 * A preprocessed definition holds all that its headers declare.  Only what the probes' parameters
 * need goes into the note: an item is needed if it defines a word of a needed text.  A word may be
 * a member's name as well, so this may take an item too many, never one too few.
 */
#include <string.h>

#include "usdt/internal.h"

/* --- squeezing -------------------------------------------------------------------------------- */

static size_t comment_length(const char *text, size_t len)
{
	if (len >= 2 && text[0] == '/' && text[1] == '*') {
		const char *end = memmem(text + 2, len - 2, "*/", 2);
		return end ? (size_t)(end + 2 - text) : len;
	}
	if (len >= 2 && text[0] == '/' && text[1] == '/') {
		const char *end = memchr(text, '\n', len);
		return end ? (size_t)(end - text) : len;
	}
	return 0;
}

static size_t literal_length(const char *text, size_t len)
{
	char quote = *text;
	if (quote != '"' && quote != '\'')
		return 0;
	size_t i = 1;
	while (i < len && text[i] != quote)
		i += text[i] == '\\' ? 2 : 1;
	return MIN(i + 1, len);
}

static bool is_blank_of_c(char c)
{
	return c && strchr(" \t\r\n\f\v", c);
}

void text_squeeze(struct strbuf *out, const char *text, size_t len)
{
	bool begins_line = false, blank = false;
	for (size_t i = 0; i < len;) {
		size_t comment = comment_length(text + i, len - i);
		size_t string = literal_length(text + i, len - i);
		if (comment || is_blank_of_c(text[i])) {
			begins_line |= text[i] == '\n';
			blank = true;
			i += comment ? comment : 1;
			continue;
		}
		if (begins_line && text[i] == '#') { /* # 12 "header.h" */
			while (i < len && text[i] != '\n')
				i++;
			continue;
		}
		if (blank && out->len)
			strbuf_putc(out, ' ');
		begins_line = blank = false;
		strbuf_add(out, text + i, string ? string : 1);
		i += string ? string : 1;
	}
}

const char *range_squeezed(struct arena *a, struct range range)
{
	auto_strbuf struct strbuf out = { 0 };
	text_squeeze(&out, range.source->text + range.begin, range.end - range.begin);
	return arena_strdup(a, strbuf_text(&out));
}

/* --- what is needed --------------------------------------------------------------------------- */

struct needed {
	struct hash *words;
	const struct program_node *program;
	bool *items; /* by place */
};

static bool is_word_letter(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static void needed_words_add(struct hash *words, const char *text)
{
	while (*text) {
		size_t len = 0;
		while (is_word_letter(text[len]))
			len++;
		if (len)
			*hash_place(words, text, len) = words;
		text += MAX(len, (size_t)1);
	}
}

static bool has_word(const struct needed *n, const char *name)
{
	return name && hash_get(n->words, name, strlen(name));
}

static bool declaration_is_needed(const struct needed *n, const struct declaration_node *d)
{
	if (d->spec->has_body && has_word(n, d->spec->name))
		return true;
	for (const struct enumerator_node *e = d->spec->enumerators; e; e = e->next)
		if (has_word(n, e->name))
			return true;
	for (const struct declarator *t = d->declarators; t && d->spec->storage & STORAGE_TYPEDEF;
	     t = t->next)
		if (has_word(n, t->name))
			return true;
	return false;
}

/* Translators and inlines are written for the probes: all are needed, if they are the file's own.
 */
static bool item_is_needed(const struct needed *n, const struct node *item)
{
	if (item->kind == NODE_DECLARATION)
		return declaration_is_needed(n, item->declaration);
	return item->kind == NODE_TRANSLATOR || item->kind == NODE_INLINE;
}

/* True: there were others. */
static bool needed_round(struct needed *n, struct arena *a)
{
	bool more = false;
	unsigned i = 0;
	for (const struct node *item = n->program->items; item; item = item->next, i++) {
		if (n->items[i] || !item_is_needed(n, item))
			continue;
		n->items[i] = more = true;
		needed_words_add(n->words, range_squeezed(a, item->range));
	}
	return more;
}

static void words_of_probes(struct definition *d, struct hash *words)
{
	for (size_t i = 0; i < d->providers.count; i++) {
		const struct definition_provider *provider = d->providers.items[i];
		for (size_t j = 0; j < provider->probes.count; j++) {
			const struct definition_probe *probe = &provider->probes.items[j];
			for (unsigned k = 0; k < probe->input_count; k++)
				needed_words_add(words, probe->input[k].text);
			for (unsigned k = 0; k < probe->output_count; k++)
				needed_words_add(words, probe->output[k].text);
		}
	}
}

/* Attributes of inlines and bindings; those of providers have their own notes. */
static void pragmas_print(struct definition *d, const struct program_node *program)
{
	for (const struct pragma_node *p = program->pragmas; p; p = p->next) {
		if (string_equal(p->words[0], "depends_on") ||
		    (string_equal(p->words[0], "attributes") && p->words[3]))
			continue;
		strbuf_puts(&d->types, "#pragma D");
		for (unsigned i = 0; p->words[i]; i++)
			strbuf_printf(&d->types, " %s", p->words[i]);
		strbuf_putc(&d->types, '\n');
	}
}

void declared_text_add(struct definition *d, const struct program_node *program)
{
	unsigned count = 0;
	for (const struct node *item = program->items; item; item = item->next)
		count++;
	struct needed n = {
		.words = hash_new(),
		.program = program,
		.items = arena_alloc(d->arena, count + 1),
	};
	words_of_probes(d, n.words);
	while (needed_round(&n, d->arena))
		;
	pragmas_print(d, program);
	unsigned i = 0;
	for (const struct node *item = program->items; item; item = item->next, i++)
		if (n.items[i]) {
			const char *text = range_squeezed(d->arena, item->range);
			size_t len = strlen(text);
			strbuf_puts(&d->types, text);
			strbuf_puts(&d->types, len && text[len - 1] == ';' ? "\n" : ";\n");
		}
	hash_free(n.words);
}
