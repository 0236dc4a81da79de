/* SPDX-License-Identifier: BSD-2-Clause */
/* command - a command line's words, quoted as a shell quotes; why one cannot be executed */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "process/process.h"

/* Read one word from *P into WORD; an open quote is an error. */
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

static struct error *command_split_by(const char *command, take_word_fn *take_one, char ***ret)
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
	return command_split_by(command, take_word, ret);
}

struct error *command_split_at_blanks(const char *command, char ***ret)
{
	return command_split_by(command, take_plain_word, ret);
}

/* Does the word from BEGIN to END, as written, mean something to shells: | && 2>file ls; ? */
static bool is_operator(const char *begin, const char *end)
{
	const char *c = begin + strspn(begin, "0123456789");
	bool ends = end[-1] == ';' && (end - begin == 1 || end[-2] != '\\');
	return (c < end && strchr("|<>&", *c)) ||
	       (ends && !memchr(begin, '\'', (size_t)(end - begin)));
}

/* The words after these of find are a command, which a word ; ends. */
static bool begins_command(const char *word)
{
	static const char *const names[] = { "-exec", "-execdir", "-ok", "-okdir" };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (string_equal(word, names[i]))
			return true;
	return false;
}

char *command_shell_operator(const char *command)
{
	bool in_command = false;
	for (const char *p = command;;) {
		auto_strbuf struct strbuf word = { 0 };
		p += strspn(p, " \t\n");
		const char *begin = p;
		auto_error struct error *err = *p ? take_word(&p, &word) : NULL;
		if (!*begin || err)
			return NULL;
		bool is_end = in_command && string_equal(strbuf_text(&word), ";");
		if (!is_end && is_operator(begin, p))
			return mem_strndup(begin, (size_t)(p - begin));
		in_command = !is_end && (in_command || begins_command(strbuf_text(&word)));
	}
}

void command_free(char **words)
{
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
}

/* --- why not ---------------------------------------------------------------------------------- */

/* Where execvp() finds NAME; NULL: it does not. */
static char *program_path(const char *name)
{
	if (strchr(name, '/'))
		return mem_strdup(name);
	const char *list = getenv("PATH");
	while (list && *list) {
		size_t len = strcspn(list, ":");
		char *path = mem_printf("%.*s/%s", (int)len, list, name);
		if (access(path, X_OK) == 0)
			return path;
		free(path);
		list += len + (list[len] == ':');
	}
	return NULL;
}

/*
 * For a script whose interpreter is missing exec says the same as if the script were; so it does
 * for a program whose dynamic linker is.
 */
struct error *command_exec_error(const char *name, int errnum)
{
	struct error *err = error_new("%s", strerror(errnum)); /* error_sys() would add words */
	auto_free char *path = errnum == ENOENT ? program_path(name) : NULL;
	auto_strbuf struct strbuf text = { 0 };
	auto_error struct error *unread = path ? file_read(path, PATH_MAX, &text) : NULL;
	if (!path || unread)
		return err;
	const char *line = strbuf_text(&text);
	if (strncmp(line, "#!", 2) != 0)
		return error_wrap(err, "its dynamic linker");
	line += 2 + strspn(line + 2, " \t");
	return error_wrap(err, "its interpreter %.*s", (int)strcspn(line, " \t\r\n"), line);
}
