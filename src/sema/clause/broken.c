/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * broken - a program with items that could not be parsed
 *
 * One run shows all mistakes, so the other items are checked nevertheless.  They may use names
 * that a broken item defines; a mistake that these are unknown would not help the author.
 */
#include "sema/sema_internal.h"

bool item_is_broken(const struct program_node *program, const struct node *item)
{
	for (const struct broken_node *b = program->broken; b; b = b->next)
		if (item->range.begin >= b->range.begin && item->range.begin < b->range.end)
			return true;
	return false;
}

static bool may_be_consequence(enum diagnostic_tag tag)
{
	switch (tag) {
	case D_IDENT_UNDEF:
	case D_VAR_UNDEF:
	case D_DECL_IDENT:
	case D_DECL_INCOMPLETE:
	case D_OP_INCOMPLETE:
	case D_SIZEOF_TYPE:
	case D_ARR_BADREF:
	case D_XLATE_NONE:
	case D_PRAGMA_UNUSED:
	case D_PRINTA_AGGBAD:
	case D_CLEAR_AGGBAD:
	case D_TRUNC_AGGBAD:
	case D_NORMALIZE_AGGBAD:
		return true;
	default:
		return false;
	}
}

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '`';
}

/* The first word in TEXT from AT to END, or NULL; its length in *LEN. */
static const char *word_in(const char *text, uint32_t at, uint32_t end, size_t *len)
{
	while (at < end && !is_name_character(text[at]))
		at++;
	for (*len = 0; at + *len < end && is_name_character(text[at + *len]);)
		++*len;
	return *len ? text + at : NULL;
}

static void take_words(struct hash *words, const struct range *r)
{
	const char *text = r->source->text, *word;
	size_t len;
	for (uint32_t at = r->begin; (word = word_in(text, at, r->end, &len));
	     at = (uint32_t)(word - text + len))
		*hash_place(words, word, len) = words;
}

static bool is_consequence(const struct diagnostic *m, struct hash *words)
{
	if (!may_be_consequence(m->tag) || !m->range.source)
		return false;
	const char *text = m->range.source->text, *word;
	size_t len;
	for (uint32_t at = m->range.begin; (word = word_in(text, at, m->range.end, &len));
	     at = (uint32_t)(word - text + len))
		if (hash_get(words, word, len))
			return true;
	return false;
}

typedef bool forget_fn(const struct diagnostic *m, struct hash *words);

static void diagnostics_forget(struct diagnostics *d, size_t first, forget_fn *is_meant,
			       struct hash *words)
{
	size_t kept = first;
	for (size_t i = first; i < d->list.count; i++) {
		if (is_meant(&d->list.items[i], words))
			free(d->list.items[i].text);
		else
			d->list.items[kept++] = d->list.items[i];
	}
	d->list.count = kept;
}

void forget_consequences(const struct program_node *program, struct diagnostics *d, size_t first)
{
	if (!program->broken || d->list.count == first)
		return;
	struct hash *words = hash_new();
	for (const struct broken_node *b = program->broken; b; b = b->next)
		take_words(words, &b->range);
	diagnostics_forget(d, first, is_consequence, words);
	hash_free(words);
}

static bool is_untyped_argument(const struct diagnostic *m, struct hash *unused)
{
	return m->tag == D_ARGS_NONE;
}

void forget_untyped_arguments(struct diagnostics *d, size_t first)
{
	diagnostics_forget(d, first, is_untyped_argument, NULL);
}
