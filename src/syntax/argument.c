/* SPDX-License-Identifier: BSD-2-Clause */
#include "syntax/argument.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/lexer.h"

/* --- declarations -------------------------------------------------------------------------- */

#define FORM "NAME \"-LETTER [VALUE]\" \"MEANING\" [default VALUE [from LEAST to MOST]]"

static bool integer_read(const char *text, int64_t *ret)
{
	bool is_negative = *text == '-', has_sign = is_negative || *text == '+';
	size_t len = strlen(text + has_sign);
	struct number n = number_read(text + has_sign, len);
	uint64_t most = (uint64_t)INT64_MAX + is_negative;
	*ret = (int64_t)(is_negative ? -n.value : n.value);
	return len && n.len == len && !n.bad_digit && !n.overflow && n.value <= most;
}

static bool argument_has_name(const char *text)
{
	size_t len = 0;
	while (char_is_name(text[len]))
		len++;
	return char_is_letter(*text) && !text[len];
}

/* One word of OPTION: -m, --slower, or the value's name. */
static bool option_word(struct script_argument *a, const char *word)
{
	size_t len = strlen(word);
	if (a->value_name)
		return false; /* it is the last word */
	if (word[0] != '-')
		a->value_name = word;
	else if (len == 2 && char_is_name(word[1]) && !a->letter)
		a->letter = word[1];
	else if (len > 3 && word[1] == '-' && char_is_name(word[2]) && !strchr(word, '=') &&
		 !a->word)
		a->word = word + 2;
	else
		return false;
	return true;
}

static bool option_words(struct arena *arena, struct script_argument *a, const char *option)
{
	char *save, *copy = arena_strdup(arena, option);
	for (char *word = strtok_r(copy, " ,", &save); word; word = strtok_r(NULL, " ,", &save))
		if (!option_word(a, word))
			return false;
	return (a->letter || a->word) && !(a->word && string_equal(a->word, "help"));
}

/* WORDS: "default", the value, "from", the least, "to", the most. */
static bool default_words(struct script_argument *a, const char *const *words, size_t count)
{
	if (!count)
		return true;
	if ((count != 2 && count != 6) || !string_equal(words[0], "default") || !a->value_name)
		return false;
	int64_t initial;
	a->initial = words[1];
	a->is_number = integer_read(a->initial, &initial);
	a->has_range = count == 6;
	return count == 2 ||
	       (a->is_number && string_equal(words[2], "from") && string_equal(words[4], "to") &&
		integer_read(words[3], &a->least) && integer_read(words[5], &a->most) &&
		a->least <= initial && initial <= a->most);
}

static bool argument_is_repeated(const struct script_arguments *args,
				 const struct script_argument *a, const char **ret)
{
	for (size_t i = 0; args && i < args->count; i++) {
		const struct script_argument *other = &args->items[i];
		if (other->begin >= a->begin)
			break;
		bool same_word = a->word && other->word && string_equal(a->word, other->word);
		*ret = string_equal(a->name, other->name) ? a->name : other->name;
		if (*ret == a->name || same_word || (a->letter && a->letter == other->letter))
			return true;
	}
	return false;
}

static void script_argument_add(struct lexer *lx, const struct script_argument *a)
{
	struct script_arguments *args = lx->arguments;
	struct script_argument *items = arena_alloc(lx->arena, (args->count + 1) * sizeof(*items));
	for (size_t i = 0; i < args->count; i++)
		items[i] = args->items[i];
	items[args->count++] = *a;
	args->items = items;
}

static const char *argument_read(struct lexer *lx, const char *const *words, size_t count,
				 struct script_argument *ret)
{
	const char *other;
	if (count < 3)
		return "#pragma D argument is followed by " FORM;
	ret->name = words[0];
	ret->meaning = words[2];
	if (!argument_has_name(ret->name))
		return arena_printf(lx->arena, "the name of an argument is a word, not \"%s\"",
				    ret->name);
	if (macro_is_known(ret->name))
		return arena_printf(lx->arena, "$%s exists: the argument needs another name",
				    ret->name);
	if (!option_words(lx->arena, ret, words[1]))
		return arena_printf(lx->arena,
				    "\"%s\" is not an option: it is written \"-m\", \"-m MS\", "
				    "\"--slower MS\" or \"-m, --slower MS\", and is not --help",
				    words[1]);
	if (!default_words(ret, words + 3, count - 3))
		return "#pragma D argument of an option with a value ends in default VALUE, or in "
		       "default NUMBER from LEAST to MOST, where NUMBER is in that range";
	if (argument_is_repeated(lx->arguments, ret, &other))
		return arena_printf(lx->arena, "$%s, or its option, is declared before, by $%s",
				    ret->name, other);
	return NULL;
}

const char *script_argument_declare(struct lexer *lx, const char *const *words, size_t count,
				    uint32_t begin)
{
	struct script_argument a = { .begin = begin };
	if (!lx->arguments)
		return "only a program that is given to the command declares arguments";
	const char *mistake = argument_read(lx, words, count, &a);
	if (lx->only_arguments && mistake)
		lx->arguments->is_wrong = true;
	else if (lx->only_arguments)
		script_argument_add(lx, &a);
	return mistake;
}

struct script_arguments *script_arguments_read(struct arena *a, const struct source *src)
{
	static const char word[] = "argument";
	if (!memmem(src->text, src->len, word, strlen(word)))
		return NULL;
	struct syntax_env env = { 0 };
	struct diagnostics unreported = { 0 };
	struct script_arguments *args = ARENA_NEW(a, struct script_arguments);
	struct lexer lx = { .arena = a,
			    .source = src,
			    .env = &env,
			    .diagnostics = &unreported,
			    .mode = LEXER_EXPRESSION,
			    .quiet = true,
			    .at.line = 1,
			    .arguments = args,
			    .only_arguments = true,
			    .mistakes_max = SIZE_MAX };
	struct token token;
	do
		lexer_next(&lx, &token);
	while (token.kind != TOKEN_END);
	return args->count || args->is_wrong ? args : NULL;
}

/* --- words --------------------------------------------------------------------------------- */

static struct script_argument *argument_by_letter(const struct script_arguments *args, char letter)
{
	for (size_t i = 0; i < args->count; i++)
		if (args->items[i].letter == letter)
			return &args->items[i];
	return NULL;
}

static struct script_argument *argument_by_word(const struct script_arguments *args,
						const char *word)
{
	size_t len = strcspn(word, "=");
	for (size_t i = 0; i < args->count; i++)
		if (args->items[i].word && strlen(args->items[i].word) == len &&
		    memcmp(args->items[i].word, word, len) == 0)
			return &args->items[i];
	return NULL;
}

static bool script_argument_fits(const struct script_argument *a, const char *option,
				 const char *value, struct strbuf *why)
{
	int64_t number;
	if (!a->is_number)
		return true;
	bool is_integer = integer_read(value, &number);
	if (is_integer && (!a->has_range || (number >= a->least && number <= a->most)))
		return true;
	strbuf_printf(why, "%s takes a number", option);
	if (a->has_range)
		strbuf_printf(why, " from %" PRId64 " to %" PRId64, a->least, a->most);
	strbuf_printf(why, ", not '%s'", value);
	return false;
}

/* An option at the I-th word: its letters or its word, in turn. */
struct reader {
	const struct script_arguments *args;
	const char *const *words;
	unsigned count, i;
	bool sets; /* the values */
};

/*
 * The option A, which is written as OPTION; VALUE is what follows it in the same word, or NULL.
 * The number of words, or 0 and WHY.
 */
static unsigned option_value_take(const struct reader *r, struct script_argument *a,
				  const char *option, const char *value, struct strbuf *why)
{
	unsigned span = 1;
	if (a->value_name && !value) {
		if (r->i + 1 >= r->count) {
			strbuf_printf(why, "%s needs a value: %s", option, a->value_name);
			return 0;
		}
		value = r->words[r->i + 1];
		span = 2;
	}
	if (!a->value_name && value) {
		strbuf_printf(why, "%s takes no value", option);
		return 0;
	}
	if (r->sets && a->value_name && !script_argument_fits(a, option, value, why))
		return 0;
	if (r->sets)
		a->given = a->value_name ? value : "1";
	return span;
}

static unsigned option_take(const struct reader *r, struct strbuf *why)
{
	const char *word = r->words[r->i], *equals = strchr(word, '=');
	if (word[1] == '-') {
		struct script_argument *a = argument_by_word(r->args, word + 2);
		auto_free char *option = mem_strndup(word, strcspn(word, "="));
		if (a)
			return option_value_take(r, a, option, equals ? equals + 1 : NULL, why);
		strbuf_printf(why, "there is no option %s", option);
		return 0;
	}
	for (const char *p = word + 1; *p; p++) {
		struct script_argument *a = argument_by_letter(r->args, *p);
		char option[] = { '-', *p, 0 };
		if (!a) {
			strbuf_printf(why, "there is no option %s", option);
			return 0;
		}
		unsigned span =
			option_value_take(r, a, option, a->value_name && p[1] ? p + 1 : NULL, why);
		if (a->value_name || !span)
			return span;
	}
	return 1;
}

static bool word_is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

unsigned script_argument_span(const struct script_arguments *args, const char *const *words,
			      unsigned count, unsigned i)
{
	auto_strbuf struct strbuf why = { 0 };
	const struct reader r = { args, words, count, i, false };
	return word_is_option(words[i]) ? option_take(&r, &why) : 0;
}

bool script_arguments_take(struct script_arguments *args, struct arena *a, const char *const *words,
			   unsigned count, bool *used, struct strbuf *why)
{
	args->rest = arena_alloc(a, (count + 1) * sizeof(*args->rest));
	args->rest_count = 0;
	bool ended = false;
	for (unsigned i = 0; i < count;) {
		const struct reader r = { args, words, count, i, true };
		unsigned span = 1;
		if (ended || !i || !word_is_option(words[i])) {
			args->rest[args->rest_count++] = i++;
			continue;
		}
		if (string_equal(words[i], "--"))
			ended = true;
		else if (string_equal(words[i], "--help"))
			args->wants_help = true;
		else
			span = option_take(&r, why);
		if (!span)
			return false;
		for (unsigned n = 0; used && n < span; n++)
			used[i + n] = true;
		i += span;
	}
	return true;
}

const char *script_argument_value(const struct script_arguments *args, const char *name,
				  bool *found)
{
	*found = false;
	for (size_t i = 0; args && i < args->count; i++) {
		const struct script_argument *a = &args->items[i];
		if (!string_equal(a->name, name))
			continue;
		*found = true;
		return a->given ? a->given : a->initial;
	}
	return NULL;
}

/* --- how they are used --------------------------------------------------------------------- */

static void value_describe(const struct script_argument *a, struct strbuf *ret)
{
	if (a->value_name)
		strbuf_printf(ret, " %s", a->value_name);
}

void script_arguments_synopsis(const struct script_arguments *args, struct strbuf *ret)
{
	for (size_t i = 0; i < args->count; i++) {
		const struct script_argument *a = &args->items[i];
		if (a->letter)
			strbuf_printf(ret, " [-%c", a->letter);
		else
			strbuf_printf(ret, " [--%s", a->word);
		value_describe(a, ret);
		strbuf_putc(ret, ']');
	}
}

void script_arguments_describe(const struct script_arguments *args, struct strbuf *ret)
{
	for (size_t i = 0; i < args->count; i++) {
		const struct script_argument *a = &args->items[i];
		auto_strbuf struct strbuf option = { 0 };
		if (a->letter)
			strbuf_printf(&option, "-%c", a->letter);
		if (a->word)
			strbuf_printf(&option, "%s--%s", a->letter ? ", " : "", a->word);
		value_describe(a, &option);
		strbuf_printf(ret, "  %-20s %s", strbuf_text(&option), a->meaning);
		if (a->initial && *a->initial)
			strbuf_printf(ret, " (default %s)", a->initial);
		strbuf_putc(ret, '\n');
	}
}
