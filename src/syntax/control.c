/* SPDX-License-Identifier: BSD-2-Clause */
/* control - lines that begin with #: pragmas and line markers */
#include <stdlib.h>
#include <string.h>

#include "syntax/lexer.h"

#define WORDS_MAX 12 /* of #pragma D argument */

struct control {
	struct lexer *lx;
	struct range range;
	bool first_time; /* else only the line markers count */
	const char *words[WORDS_MAX];
	size_t count;	  /* of words written, maybe more than WORDS_MAX */
	unsigned quoted;  /* bit n: the n-th word is in quotes */
	bool unclosed;	  /* such quotes have no end */
	const char *rest; /* all after #error, as written; "": nothing, or error in quotes */
};

/* --- reading the line -------------------------------------------------------------- */

static bool at_line_end(const struct lexer *lx)
{
	return lexer_char(lx, 0) < 0 || lexer_char(lx, 0) == '\n';
}

static bool begins_line_marker(const struct control *c)
{
	return c->count && (char_is_digit(*c->words[0]) || string_equal(c->words[0], "line"));
}

/*
 * One word; quotes protect blanks and are taken away.  The preprocessor writes file names as
 * strings of C: what follows a backslash there ends no string.
 */
static const char *word_read(struct control *ctl)
{
	bool has_escapes = begins_line_marker(ctl);
	struct lexer *lx = ctl->lx;
	auto_strbuf struct strbuf word = { 0 };
	bool quoted = false;
	for (; !at_line_end(lx); lx->at.pos++) {
		int c = lexer_char(lx, 0);
		if (c == '"')
			quoted = !quoted;
		else if (c == '\0' || (!quoted && char_is_blank(c)))
			break;
		else
			strbuf_putc(&word, c);
		if (c == '\\' && quoted && has_escapes && lexer_char(lx, 1) > '\n') {
			lx->at.pos++;
			strbuf_putc(&word, lexer_char(lx, 0));
		}
	}
	ctl->unclosed |= quoted;
	return arena_strdup(lx->arena, strbuf_text(&word));
}

static void words_read(struct control *c)
{
	struct lexer *lx = c->lx;
	while (!at_line_end(lx)) {
		if (char_is_blank(lexer_char(lx, 0)) || lexer_char(lx, 0) == '\0') {
			lx->at.pos++;
		} else if (!lexer_skip_comment(lx)) {
			bool quoted = lexer_char(lx, 0) == '"';
			const char *word = word_read(c);
			if (c->count < WORDS_MAX) {
				c->words[c->count] = word;
				c->quoted |= (unsigned)quoted << c->count;
			}
			c->count++;
		}
	}
}

static void line_skip(struct lexer *lx)
{
	while (!at_line_end(lx))
		lx->at.pos++;
}

/* The rest of the line without its outer blanks; for #error. */
static const char *rest_read(struct lexer *lx)
{
	while (char_is_blank(lexer_char(lx, 0)))
		lx->at.pos++;
	const char *text = lexer_here(lx);
	uint32_t begin = lx->at.pos;
	line_skip(lx);
	size_t len = lx->at.pos - begin;
	while (len && char_is_blank(text[len - 1]))
		len--;
	return arena_strndup(lx->arena, text, len);
}

/* --- #line --------------------------------------------------------------------------- */

/* cpp calls the script <stdin> when it got it through a pipe. */
static const char *marker_file(const struct lexer *lx, const char *word)
{
	size_t len = strlen(word);
	char *name = arena_alloc(lx->arena, len + 1);
	name[escapes_decode(word, len, name)] = '\0';
	if (string_equal(name, "") || string_equal(name, "<stdin>") ||
	    (lx->source->name && string_equal(name, lx->source->name)))
		return NULL;
	return name;
}

/* Do the words from FIRST on have the form N ["file" [flags]]? */
static bool is_line_marker(const struct control *c, size_t first, size_t count)
{
	for (size_t i = first; i < count; i++) {
		bool is_file = i == first + 1;
		const char *word = c->words[i];
		if (is_file != (c->quoted >> i & 1))
			return false;
		if (!is_file && (!*word || strspn(word, "0123456789") != strlen(word)))
			return false;
	}
	return first < count && !c->unclosed && strtoul(c->words[first], NULL, 10) <= INT32_MAX;
}

/* A marker in the words from FIRST on; its flag 1 enters an included file, 2 leaves it. */
static void line_marker(struct control *c, size_t first)
{
	struct lexer *lx = c->lx;
	size_t count = MIN(c->count, (size_t)WORDS_MAX);
	const char *const *words = c->words;
	if (!is_line_marker(c, first, count)) {
		if (c->first_time)
			lexer_mistake(lx, c->range, D_PRAGMA_MALFORM,
				      "a line marker is written #line N or #line N \"file\"");
		return;
	}
	/* the newline to come adds one */
	lx->at.line = (uint32_t)strtoul(words[first], NULL, 10) - 1;
	if (count > first + 1)
		lx->at.file = marker_file(lx, words[first + 1]);
	for (size_t i = first + 2; i < count; i++) {
		if (string_equal(words[i], "1"))
			lx->at.inclusion++;
		else if (string_equal(words[i], "2") && lx->at.inclusion)
			lx->at.inclusion--;
	}
}

/* --- #pragma D ------------------------------------------------------------------------- */

static void pragma_option(struct control *c)
{
	struct lexer *lx = c->lx;
	if (c->count != 4) {
		lexer_mistake(lx, c->range, D_PRAGMA_MALFORM,
			      "#pragma D option takes one word: name or name=value");
		return;
	}
	char *name = arena_strdup(lx->arena, c->words[3]);
	char *value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	const struct syntax_env *env = lx->env;
	const char *reason = env->set_option ? env->set_option(env->arg, name, value) : NULL;
	if (reason && value)
		lexer_mistake(lx, c->range, D_PRAGMA_OPTSET,
			      "failed to set option '%s' to '%s': %s", name, value, reason);
	else if (reason)
		lexer_mistake(lx, c->range, D_PRAGMA_OPTSET, "failed to set option '%s': %s", name,
			      reason);
}

static const struct {
	const char *name;
	size_t least, most; /* words with the name */
	const char *words;
} kept_pragmas[] = {
	{ "attributes", 3, 5, "Name/Data/Class NAME, or Name/Data/Class provider NAME PART" },
	{ "binding", 3, 3, "\"VERSION\" NAME, or \"VERSION\" translator" },
	{ "depends_on", 3, 3, "module NAME, or provider NAME, or library FILE.d" },
	{ "pair", 3, 3, "two descriptions: PROVIDER:::BEGIN PROVIDER:::END" },
};

static void pragma_keep(struct control *c)
{
	struct pragma_node *node = ARENA_NEW(c->lx->arena, struct pragma_node);
	node->range = c->range;
	for (size_t i = 2; i < c->count; i++)
		node->words[i - 2] = c->words[i];
	*c->lx->pragma_end = node;
	c->lx->pragma_end = &node->next;
}

static void pragma_other(struct control *c)
{
	size_t words = c->count - 2;
	for (size_t i = 0; i < ARRAY_SIZE(kept_pragmas); i++) {
		if (!string_equal(kept_pragmas[i].name, c->words[2]))
			continue;
		if (words >= kept_pragmas[i].least && words <= kept_pragmas[i].most)
			pragma_keep(c);
		else
			lexer_mistake(c->lx, c->range, D_PRAGMA_MALFORM,
				      "#pragma D %s is followed by %s", c->words[2],
				      kept_pragmas[i].words);
		return;
	}
	lexer_mistake(c->lx, c->range, D_PRAGMA_INVAL, "there is no #pragma D %s", c->words[2]);
}

static void pragma_argument(struct control *c)
{
	size_t count = c->count <= WORDS_MAX ? c->count - 3 : 0;
	const char *mistake = script_argument_declare(c->lx, c->words + 3, count, c->range.begin);
	if (mistake)
		lexer_mistake(c->lx, c->range, D_PRAGMA_MALFORM, "%s", mistake);
}

/* --- #pragma pack(push, 1) ------------------------------------------------------------- */

static void pack_push(struct lexer *lx)
{
	if (lx->pack_count < ARRAY_SIZE(lx->packs))
		lx->packs[lx->pack_count++] = lx->pack;
}

/* It changes the layout of the structs that follow, so it is not for reading over. */
static void pragma_pack(struct control *c)
{
	struct lexer *lx = c->lx;
	auto_free char *text =
		mem_strndup(lx->source->text + c->range.begin, c->range.end - c->range.begin);
	const char *p = strchr(text, '(');
	if (!p)
		return;
	size_t blanks = strspn(p + 1, " \t");
	p += 1 + blanks;
	bool pop = strncmp(p, "pop", 3) == 0, push = strncmp(p, "push", 4) == 0;
	if (push)
		pack_push(lx);
	if (pop && lx->pack_count)
		lx->pack = lx->packs[--lx->pack_count];
	const char *digits = strpbrk(p, "0123456789");
	if (digits)
		lx->pack = (uint32_t)MIN(strtoul(digits, NULL, 10), 16ul);
	else if (*p == ')')
		lx->pack = 0;
}

static void control_pragma(struct control *c)
{
	if (c->count >= 2 && strncmp(c->words[1], "pack", 4) == 0) {
		pragma_pack(c);
		return;
	}
	if (c->count < 2 || !string_equal(c->words[1], "D"))
		return;
	if (c->count == 2)
		lexer_mistake(c->lx, c->range, D_PRAGMA_MALFORM,
			      "the name of a pragma must follow #pragma D");
	else if (string_equal(c->words[2], "argument"))
		pragma_argument(c);
	else if (c->lx->only_arguments)
		return;
	else if (string_equal(c->words[2], "option"))
		pragma_option(c);
	else
		pragma_other(c);
}

/* --- the line ------------------------------------------------------------------------------ */

static bool is_for_cpp(const char *word)
{
	static const char *const words[] = { "include", "define", "undef", "if",   "ifdef",
					     "ifndef",	"elif",	  "else",  "endif" };
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (string_equal(words[i], word))
			return true;
	return false;
}

/* A script that was written for -C has many such lines: the first one tells. */
static void control_of_cpp(struct control *c, const char *word)
{
	if (c->lx->lacks_cpp)
		return;
	c->lx->lacks_cpp = true;
	lexer_mistake(
		c->lx, c->range, D_PRAGCTL_INVAL,
		"there is no control line #%s: it is for the preprocessor, which -C runs over "
		"scripts (-s)",
		word);
}

static void control_carry_out(struct control *c)
{
	const char *first = c->words[0];
	if (char_is_digit(*first))
		line_marker(c, 0);
	else if (string_equal(first, "line"))
		line_marker(c, 1);
	else if (!c->first_time || string_equal(first, "ident"))
		return;
	else if (string_equal(first, "error"))
		lexer_mistake(c->lx, c->range, D_PRAGERR, "#error%s%s", *c->rest ? ": " : "",
			      c->rest);
	else if (string_equal(first, "pragma"))
		control_pragma(c);
	else if (is_for_cpp(first))
		control_of_cpp(c, first);
	else
		lexer_mistake(c->lx, c->range, D_PRAGCTL_INVAL, "there is no control line #%s",
			      first);
}

void lexer_control_line(struct lexer *lx)
{
	struct control c = { .lx = lx, .first_time = lx->at.pos >= lx->controls_done, .rest = "" };
	struct place begin = lx->at;
	lx->at.pos++;
	if (lexer_char(lx, 0) == '!') {
		line_skip(lx);
		return;
	}
	while (char_is_blank(lexer_char(lx, 0)))
		lx->at.pos++;
	if (lx->source->len - lx->at.pos >= 5 && memcmp(lexer_here(lx), "error", 5) == 0) {
		lx->at.pos += 5;
		c.words[c.count++] = "error";
		c.rest = rest_read(lx);
	} else {
		words_read(&c);
	}
	c.range = lexer_range(lx, begin);
	if (c.first_time)
		lx->controls_done = lx->at.pos;
	if (c.count)
		control_carry_out(&c);
}
