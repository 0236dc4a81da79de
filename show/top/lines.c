/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/top/lines.h"

#include <string.h>

void lines_deinit(struct lines *l)
{
	for (size_t i = 0; i < LINES_MOST; i++)
		free(l->kept[i]);
	strbuf_deinit(&l->open);
}

static void line_end(struct lines *l)
{
	char **place = &l->kept[l->count++ % LINES_MOST];
	free(*place);
	*place = mem_strndup(strbuf_text(&l->open), l->open.len);
	strbuf_clear(&l->open);
}

void lines_add(struct lines *l, const char *text, size_t len)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t part = end ? (size_t)(end - text) : len;
		strbuf_add(&l->open, text, MIN(part, LINE_BYTES - MIN(l->open.len, LINE_BYTES)));
		part += end != NULL;
		text += part;
		len -= part;
		if (end)
			line_end(l);
	}
}

uint64_t lines_first(const struct lines *l)
{
	return l->count > LINES_MOST ? l->count - LINES_MOST : 0;
}

const char *lines_at(const struct lines *l, uint64_t n)
{
	return n >= lines_first(l) && n < l->count ? l->kept[n % LINES_MOST] : NULL;
}
