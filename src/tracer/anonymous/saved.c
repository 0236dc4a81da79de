/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/anonymous/saved.h"

#include <string.h>

static const char version[] = "1"; /* after the heading */

static const char *const keywords[] = {
	[PROGRAM_SCRIPT] = "script",	 [PROGRAM_NAME] = "name",
	[PROGRAM_FUNCTION] = "function", [PROGRAM_MODULE] = "module",
	[PROGRAM_PROVIDER] = "provider",
};

const char *saved_keyword(enum program_kind kind)
{
	return (size_t)kind < ARRAY_SIZE(keywords) ? keywords[kind] : NULL;
}

void saved_begin(struct strbuf *out)
{
	saved_add(out, SAVED_HEADING, version, strlen(version));
}

void saved_end(struct strbuf *out)
{
	strbuf_puts(out, "end\n");
}

void saved_add(struct strbuf *out, const char *keyword, const char *text, size_t len)
{
	strbuf_printf(out, "%s ", keyword);
	for (size_t i = 0; i < len; i++) {
		strbuf_putc(out, text[i]);
		if (text[i] == '\n')
			strbuf_putc(out, '\t');
	}
	strbuf_putc(out, '\n');
}

/* --- reading ------------------------------------------------------------------------------- */

struct reader {
	const char *at, *end;
	unsigned line; /* of the entry that was read last */
	unsigned lines_read;
	struct saved_text keyword, text;
};

static struct saved_text copy(const char *text, size_t len)
{
	char *bytes = mem_alloc(len + 1);
	memcpy(bytes, text, len);
	bytes[len] = 0;
	return (struct saved_text) { bytes, len };
}

static void reader_deinit(struct reader *r)
{
	free(r->keyword.text);
	free(r->text.text);
}

/* The line without its end. */
static size_t next_line(struct reader *r, const char **line)
{
	const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
	size_t len = (size_t)((end ? end : r->end) - r->at);
	*line = r->at;
	r->at += len + (end != NULL);
	r->lines_read++;
	return len;
}

static size_t skip_others(struct reader *r, const char **line)
{
	size_t len = 0;
	while (r->at < r->end && (len == 0 || (*line)[0] == '#'))
		len = next_line(r, line);
	return len && (*line)[0] != '#' ? len : 0;
}

/* False: there are no more entries. */
static bool next_entry(struct reader *r)
{
	const char *line = NULL;
	size_t len = skip_others(r, &line);
	if (len == 0)
		return false;
	r->line = r->lines_read;
	const char *blank = memchr(line, ' ', len);
	size_t word = blank ? (size_t)(blank - line) : len;
	reader_deinit(r);
	r->keyword = copy(line, word);
	auto_strbuf struct strbuf text = { 0 };
	if (blank)
		strbuf_add(&text, blank + 1, len - word - 1);
	while (r->at < r->end && *r->at == '\t') {
		len = next_line(r, &line);
		strbuf_putc(&text, '\n');
		strbuf_add(&text, line + 1, len - 1);
	}
	r->text = copy(strbuf_text(&text), text.len);
	return true;
}

static struct error *mistaken(const struct reader *r, const char *what)
{
	return error_new("line %u: %s", r->line, what);
}

static struct saved_text take_text(struct saved_text *text)
{
	struct saved_text taken = *text;
	*text = (struct saved_text) { 0 };
	return taken;
}

static int kind_of(const char *keyword)
{
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (string_equal(keywords[i], keyword))
			return (int)i;
	return -1;
}

/* A script's text is a separate entry. */
static struct error *add_program(struct saved *s, struct reader *r, int kind)
{
	struct saved_program program = { .kind = (enum program_kind)kind };
	program.name = take_text(&r->text);
	if (kind != PROGRAM_SCRIPT) {
		program.text = copy(program.name.text, program.name.len);
	} else if (!next_entry(r) || !string_equal(r->keyword.text, "text")) {
		free(program.name.text);
		return mistaken(r, "a script has no text");
	} else {
		program.text = take_text(&r->text);
	}
	vector_push(&s->programs, program);
	return NULL;
}

static struct error *add_entry(struct saved *s, struct reader *r)
{
	const char *keyword = r->keyword.text;
	if (string_equal(keyword, "option"))
		vector_push(&s->options, take_text(&r->text));
	else if (string_equal(keyword, "argument"))
		vector_push(&s->arguments, take_text(&r->text));
	else if (string_equal(keyword, "macro"))
		vector_push(&s->macros, take_text(&r->text));
	else if (kind_of(keyword) >= 0)
		return add_program(s, r, kind_of(keyword));
	else
		return mistaken(r, "not what dtrace -A writes");
	return NULL;
}

/* A file that was written twice, or joined from two, means more than its first programs. */
static struct error *check_end(struct reader *r)
{
	return r->text.len || next_entry(r) ? mistaken(r, "nothing may come after the end") : NULL;
}

static struct error *parse(struct saved *s, struct reader *r)
{
	if (!next_entry(r))
		return error_new("there are no programs in it");
	if (!string_equal(r->keyword.text, SAVED_HEADING))
		return mistaken(r, "not what dtrace -A writes");
	if (!string_equal(r->text.text, version))
		return mistaken(r, "another version of dtrace has written it");
	while (next_entry(r)) {
		if (string_equal(r->keyword.text, "end"))
			return check_end(r);
		struct error *err = add_entry(s, r);
		if (err)
			return err;
	}
	return error_new("its end is missing");
}

struct error *saved_parse(const char *text, size_t len, struct saved **ret)
{
	struct saved *s = mem_zalloc(sizeof(*s));
	struct reader r = { .at = text, .end = text + len };
	struct error *err = parse(s, &r);
	reader_deinit(&r);
	if (err) {
		saved_free(s);
		return err;
	}
	*ret = s;
	return NULL;
}

static void free_texts(struct saved_text *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i].text);
	free(texts);
}

void saved_free(struct saved *s)
{
	if (!s)
		return;
	free_texts(s->options.items, s->options.count);
	free_texts(s->arguments.items, s->arguments.count);
	free_texts(s->macros.items, s->macros.count);
	for (size_t i = 0; i < s->programs.count; i++) {
		free(s->programs.items[i].name.text);
		free(s->programs.items[i].text.text);
	}
	vector_free(&s->programs);
	free(s);
}

/* --- pruning ------------------------------------------------------------------------------- */

static bool is_ours(const char *line, size_t len)
{
	static const char *const others[] = { SAVED_HEADING, "option", "argument",
					      "macro",	     "text",   "end" };
	const char *blank = memchr(line, ' ', len);
	auto_free char *word = mem_strndup(line, blank ? (size_t)(blank - line) : len);
	bool found = line[0] == '\t' || kind_of(word) >= 0;
	for (size_t i = 0; i < ARRAY_SIZE(others) && !found; i++)
		found = string_equal(word, others[i]);
	return found;
}

struct error *tracer_prune_saved(const struct strbuf *text, struct strbuf *ret, bool *found)
{
	struct reader r = { .at = strbuf_text(text), .end = strbuf_text(text) + text->len };
	*found = false;
	while (r.at < r.end) {
		const char *line;
		size_t len = next_line(&r, &line);
		r.line = r.lines_read;
		if (len == 0 || line[0] == '#') {
			strbuf_add(ret, line, len);
			strbuf_putc(ret, '\n');
		} else if (is_ours(line, len)) {
			*found = true;
		} else {
			return mistaken(&r, "not what dtrace -A writes");
		}
	}
	return NULL;
}
