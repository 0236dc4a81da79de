/* SPDX-License-Identifier: BSD-2-Clause */
/* What hosts and their transports print on standard error: equal lines once (fleet.h) */
#include <stdlib.h>
#include <string.h>

#include "tracer/fleet/internal.h"

#define LINE_MOST 4096

struct line {
	char *text;
	VECTOR(const char *) hosts;
};

struct said {
	VECTOR(struct line) lines;
};

struct said *said_new(void)
{
	return mem_zalloc(sizeof(struct said));
}

static void line_deinit(struct line *l)
{
	free(l->text);
	vector_free(&l->hosts);
}

static void lines_forget(struct said *s)
{
	for (size_t i = 0; i < s->lines.count; i++)
		line_deinit(&s->lines.items[i]);
	s->lines.count = 0;
}

void said_free(struct said *s)
{
	if (!s)
		return;
	lines_forget(s);
	vector_free(&s->lines);
	free(s);
}

static bool has_host(const struct line *l, const char *host)
{
	for (size_t i = 0; i < l->hosts.count; i++)
		if (l->hosts.items[i] == host)
			return true;
	return false;
}

/* A line that HOST has said before is another line. */
static struct line *said_line(struct said *s, const char *host, const char *text)
{
	for (size_t i = 0; i < s->lines.count; i++) {
		struct line *l = &s->lines.items[i];
		if (string_equal(l->text, text) && !has_host(l, host))
			return l;
	}
	vector_push(&s->lines, ((struct line) { .text = mem_strdup(text) }));
	return &s->lines.items[s->lines.count - 1];
}

/* "dtrace: " of the agent's messages: ours have it, too. */
static const char *without_name(const char *line)
{
	size_t len = strlen(message_program());
	bool has = strncmp(line, message_program(), len) == 0 && strncmp(line + len, ": ", 2) == 0;
	return has ? line + len + 2 : line;
}

static void said_line_end(struct said *s, struct host *h)
{
	const char *text = without_name(strbuf_text(&h->said));
	if (*text)
		vector_push(&said_line(s, h->name, text)->hosts, h->name);
	strbuf_clear(&h->said);
}

void said_add(struct said *s, struct host *h, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\n' && text[i] != '\r' && text[i])
			strbuf_putc(&h->said, text[i]);
		if (text[i] == '\n' || h->said.len == LINE_MOST)
			said_line_end(s, h);
	}
	if (!len && h->said.len) /* the end */
		said_line_end(s, h);
}

void said_report(struct said *s, const struct host *h)
{
	vector_push(&said_line(s, h->name, h->why)->hosts, h->name);
}

static bool hosts_are_equal(const struct line *a, const struct line *b)
{
	return a->hosts.count == b->hosts.count &&
	       memcmp(a->hosts.items, b->hosts.items, a->hosts.count * sizeof(*a->hosts.items)) ==
		       0;
}

/* Lines of the same hosts are one text. */
void said_show(struct said *s, size_t count)
{
	for (size_t i = 0; i < s->lines.count; i++) {
		const struct line *l = &s->lines.items[i];
		if (i && hosts_are_equal(l, l - 1)) {
			auto_free char *text = mem_printf("%s\n", l->text);
			message_listing(stderr, text);
		} else if (l->hosts.count == 1) {
			message_loss("%s: %s", l->hosts.items[0], l->text);
		} else {
			message_loss("on %zu of %zu hosts: %s", l->hosts.count, count, l->text);
		}
	}
	lines_forget(s);
}
