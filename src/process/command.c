/* SPDX-License-Identifier: BSD-2-Clause */
/* command - a command line's words, quoted as a shell quotes */
#include "process/process.h"

/* One word from *P on into WORD; what is left of an open quote is an error. */
static struct error *take_word(const char **p, struct strbuf *word)
{
	char quote = 0;
	for (; **p; ++*p) {
		char c = **p;
		if (quote == '\'') {
			if (c == '\'')
				quote = 0;
			else
				strbuf_putc(word, c);
		} else if (c == '\\') {
			char next = (*p)[1];
			if (!next)
				return error_new("nothing follows the last backslash");
			/* In "..." only these lose their backslash. */
			if (quote && !strchr("\"\\$`", next))
				strbuf_putc(word, c);
			strbuf_putc(word, next);
			++*p;
		} else if (quote) {
			if (c == '"')
				quote = 0;
			else
				strbuf_putc(word, c);
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (strchr(" \t\n", c)) {
			break;
		} else {
			strbuf_putc(word, c);
		}
	}
	return quote ? error_new("a quote (%c) is not closed", quote) : NULL;
}

static struct error *take_plain_word(const char **p, struct strbuf *word)
{
	size_t len = strcspn(*p, " \t\n");
	strbuf_add(word, *p, len);
	*p += len;
	return NULL;
}

typedef struct error *take_word_fn(const char **p, struct strbuf *word);

static struct error *split(const char *command, take_word_fn *take_one, char ***ret)
{
	VECTOR(char *) words = { 0 };
	for (const char *p = command;;) {
		p += strspn(p, " \t\n");
		if (!*p)
			break;
		auto_strbuf struct strbuf word = { 0 };
		struct error *err = take_one(&p, &word);
		if (err) {
			vector_push(&words, NULL);
			command_free(words.items);
			return err;
		}
		vector_push(&words, mem_strdup(strbuf_text(&word)));
	}
	vector_push(&words, NULL);
	if (words.count == 1) {
		command_free(words.items);
		return error_new("no command");
	}
	*ret = words.items;
	return NULL;
}

struct error *command_split(const char *command, char ***ret)
{
	return split(command, take_word, ret);
}

struct error *command_split_at_blanks(const char *command, char ***ret)
{
	return split(command, take_plain_word, ret);
}

void command_free(char **words)
{
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
}
